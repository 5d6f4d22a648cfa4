"""The lab over HTTP: the lab's own values, its own sentences, and never in the way of a table."""

import sys
import time
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import httpx
import pytest

from croupier.lab import SYSTEMS, Limits, Session, make_system, net_distribution, place_slip, play_session
from croupier.lab import systems as s
from croupier.rulebook import load_book, shipped_books
from croupier.server.http.house import House
from croupier.server.laboratory.figures import POINTS
from server.server_rig import LiveServer

MBS = load_book("mbs-roulette")
KNOWN = {
    "book": "mbs-roulette",
    "stakes": {"red": 100},
    "system": "martingale",
    "bankroll_cents": 100_000,
    "rounds": 1000,
}
"""1000 units, no table limit, at most 1000 spins on red: a session whose figures are known."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with LiveServer(tmp_path_factory.mktemp("floor"), tables={"R1": "mbs-roulette"}) as live:
        yield live


@pytest.fixture(scope="module")
def client(server: LiveServer) -> Iterator[httpx.Client]:
    with server.client(server.staff_token("dealer")) as client:
        client.timeout = httpx.Timeout(60)
        yield client


def ask(client: httpx.Client, what: str, body: dict[str, Any]) -> httpx.Response:
    """Asks again for as long as the lab says that it is getting ready."""
    for _ in range(60):
        answer = client.post(f"/api/lab/{what}", json=body)
        if answer.status_code != 503:
            break
        assert answer.json()["code"] == "lab-warming"
        assert answer.headers["retry-after"]
    return answer


def slip(client: httpx.Client, book: str, stakes: dict[str, int], **more: Any) -> dict[str, Any]:
    answer = ask(client, "slip", {"book": book, "stakes": stakes, **more})
    assert answer.status_code == 200, answer.text
    told: dict[str, Any] = answer.json()
    return told


def session(client: httpx.Client, **changes: Any) -> dict[str, Any]:
    answer = ask(client, "session", {**KNOWN, **changes})
    assert answer.status_code == 200, answer.text
    told: dict[str, Any] = answer.json()
    return told


def exact(told: dict[str, Any], name: str) -> str:
    found = {figure["name"]: figure["exact"] for figure in told["odds"]}
    return str(found[name])


class TestSlips:
    @pytest.mark.parametrize(
        ("book", "layout", "bet", "edge"),
        [
            ("mbs-roulette", None, "red", "1/37"),
            ("rws-roulette-00", "A", "straight:17", "1/19"),
            ("rws-roulette-00", "B", "top-line:0/00/1/2/3", "3/38"),
            ("rws-roulette-000", None, "red", "1/13"),
        ],
    )
    def test_the_known_edges(
        self, client: httpx.Client, book: str, layout: str | None, bet: str, edge: str
    ) -> None:
        told = slip(client, book, {bet: 500}, layout=layout)
        assert exact(told, "house_edge") == edge
        figures = {figure["name"]: figure["value"] for figure in told["odds"]}
        assert figures["house_edge"] == float(Fraction(edge))

    def test_the_money_wheel(self, client: httpx.Client) -> None:
        book = load_book("rws-money-wheel")
        for bet in book.layouts["main"].bets.values():
            told = slip(client, book.id, {bet.id: 100}, rounds=10)
            segments = sum(book.wheel.outcomes[number] for number in bet.numbers)
            won = Fraction(segments, book.pockets)
            edge = 1 - won * (bet.pays + 1)
            assert exact(told, "house_edge") == f"{edge.numerator}/{edge.denominator}"
            assert exact(told, "hit_frequency") == f"{won.numerator}/{won.denominator}"
            assert sum(pocket["pockets"] for pocket in told["pockets"]) == book.pockets

    def test_every_outcome_is_what_the_slip_makes_of_it(self, client: httpx.Client) -> None:
        stakes = {"red": 1000, "straight:17": 500, "tiers": 100}
        compiled = place_slip(MBS, stakes)

        told = slip(client, "mbs-roulette", stakes)

        assert told["stakes_cents"] == dict(compiled.stakes_cents)
        assert [(each["outcome"], each["net_cents"], each["wins"]) for each in told["pockets"]] == [
            *zip(compiled.outcomes, compiled.net_cents, compiled.winning, strict=True)
        ]
        assert [(each["net_cents"], Fraction(each["exact"])) for each in told["law"]] == [*compiled.law]
        values = {figure["name"]: figure for figure in told["odds"]}
        assert Fraction(values["ahead"]["exact"]) == Fraction(7, 37)
        assert values["house_edge"]["value"] == pytest.approx(1 / 37)
        assert values["deviation"]["value"] ** 2 == pytest.approx(values["variance"]["value"])
        assert values["deviation"]["exact"] is None

    @pytest.mark.parametrize("rounds", [1, 1000, 1_000_000])
    def test_after_many_rounds(self, client: httpx.Client, rounds: int) -> None:
        stakes = {"red": 1000, "straight:17": 500}
        truth = net_distribution(place_slip(MBS, stakes), rounds)

        after = slip(client, "mbs-roulette", stakes, rounds=rounds)["after"]

        assert (after["rounds"], after["ahead"], after["behind"]) == (
            rounds,
            truth.ahead,
            truth.at_most(-1),
        )
        for quantile in after["quantiles"]:
            assert quantile["cents"] == truth.quantile(quantile["chance"])
        for shortfall in after["shortfalls"]:
            # Sums of a million floats may differ in the last place from one process to another.
            assert shortfall["cents"] == pytest.approx(truth.shortfall(shortfall["chance"]), rel=1e-12)
        assert Fraction(after["mean_exact"]) == truth.mean_cents
        for bins, whole in ((after["whole"], 1.0), (after["middle"], 0.999)):
            assert len(bins["chances"]) == len(bins["from_cents"]) == len(bins["to_cents"]) <= POINTS
            assert whole <= sum(bins["chances"]) + 1e-9
            assert bins["from_cents"] == sorted(bins["from_cents"])
        for start, end, chance in zip(*(after["whole"][name] for name in after["whole"]), strict=True):
            between = truth.at_most(end) - truth.at_most(start - 1)
            assert chance == pytest.approx(between, abs=1e-12)

    @pytest.mark.parametrize("book", shipped_books())
    def test_every_book_and_layout(self, client: httpx.Client, book: str) -> None:
        for layout in load_book(book).layouts.values():
            bet = next(iter(layout.bets))
            told = slip(client, book, {bet: 100}, layout=layout.id, rounds=5)
            assert (told["book"], told["layout"], told["staked_cents"]) == (book, layout.id, 100)


class TestSessions:
    def test_the_known_martingale(self, client: httpx.Client) -> None:
        told = session(client)

        found = told["exact"]["figures"]
        assert found["mean_cents"] == pytest.approx(89268.0097, abs=1e-4)
        assert (round(found["behind"], 4), round(found["rounds"], 2)) == (0.4772, 727.92)
        assert told["exact"]["loss_by_turnover"] == pytest.approx(1 / 37)
        assert (told["simulated"], told["no_exact"]) == (None, None)

    @pytest.mark.parametrize("system", [name for name in SYSTEMS if name not in ("james-bond", "andrucci")])
    def test_every_system_on_a_slip(self, client: httpx.Client, system: str) -> None:
        terms = {"bankroll_cents": 6000, "goal_cents": 7500, "stop_cents": 700, "rounds": 120}
        truth = play_session(
            Session(system=make_system(system, MBS, 100), limits=Limits(maximum_cents=2000), **terms)
        )

        told = session(client, system=system, maximum_cents=2000, **terms)["exact"]

        assert told["figures"] == pytest.approx(dict(truth.figures))
        assert [quantile["cents"] for quantile in told["quantiles"]] == [
            truth.quantile(quantile["chance"]) for quantile in told["quantiles"]
        ]
        assert sum(told["ends"]["chances"]) == pytest.approx(1)
        assert len(told["ends"]["chances"]) <= POINTS
        course = told["course"]
        assert (course["rounds"][0], course["rounds"][-1]) == (0, 120)
        assert course["chances"] == [float(truth.alive[number]) for number in course["rounds"]]

    @pytest.mark.parametrize("system", ["james-bond", "andrucci"])
    def test_a_system_that_chooses_its_bets(self, client: httpx.Client, system: str) -> None:
        told = session(client, system=system, stakes={}, unit_cents=50, rounds=60)
        truth = play_session(Session(system=make_system(system, MBS, 50), bankroll_cents=100_000, rounds=60))
        assert told["exact"]["figures"] == pytest.approx(dict(truth.figures))
        assert told["slips"] == (37 if system == "andrucci" else 1)

    def test_what_is_set_on_a_system(self, client: httpx.Client) -> None:
        told = session(client, settings={"most": "4"})
        truth = play_session(
            Session(
                system=s.martingale(place_slip(MBS, {"red": 100}), most=4),
                bankroll_cents=100_000,
                rounds=1000,
            )
        )
        assert told["exact"]["figures"]["mean_cents"] == pytest.approx(truth.mean_cents)

    def test_a_long_course_in_few_points(self, client: httpx.Client) -> None:
        course = session(client, system="flat", rounds=50_000)["exact"]["course"]
        assert len(course["rounds"]) == len(course["chances"]) == POINTS
        assert (course["rounds"][0], course["rounds"][-1], course["chances"][0]) == (0, 50_000, 1.0)

    def test_a_simulation_beside_it(self, client: httpx.Client) -> None:
        told = session(client, simulate={"sessions": 5000, "seed": 7})

        simulated = told["simulated"]
        assert (simulated["sessions"], simulated["seed"]) == (5000, 7)
        assert session(client, simulate={"sessions": 5000, "seed": 7})["simulated"] == simulated
        for figure in simulated["figures"]:
            assert abs(figure["z"]) < 5, figure
        mean = next(figure for figure in simulated["figures"] if figure["name"] == "mean_cents")
        off = mean["value"] - told["exact"]["figures"]["mean_cents"]
        error = told["exact"]["deviations"]["mean_cents"] / 5000**0.5
        assert mean["z"] == pytest.approx(off / error)
        assert sum(simulated["ends"]["chances"]) == pytest.approx(1)

    def test_one_simulated_session_has_no_standard_error(self, client: httpx.Client) -> None:
        told = session(client, simulate={"sessions": 1, "seed": 7})

        assert {figure["standard_error"] for figure in told["simulated"]["figures"]} == {None}

    def test_a_session_too_large_is_simulated_alone(self, client: httpx.Client) -> None:
        terms = {"stakes": {"red": 1}, "bankroll_cents": 2_000_000, "rounds": 10}

        told = session(client, **terms, simulate={"sessions": 500})

        assert told["exact"] is None
        assert told["no_exact"]["code"] == "session-too-large"
        assert "too many for an exact answer" in told["no_exact"]["sentence"]
        assert all(figure["z"] is None for figure in told["simulated"]["figures"])
        refused = ask(client, "session", {**KNOWN, **terms})
        assert (refused.status_code, refused.json()["code"]) == (422, "session-too-large")


class TestSystems:
    def test_all_of_them_with_what_can_be_set(self, client: httpx.Client) -> None:
        told = client.get("/api/lab/systems").json()
        assert [system["name"] for system in told] == [*SYSTEMS]
        by_name = {system["name"]: system for system in told}
        assert by_name["labouchere"]["parameters"] == [
            {"name": "line", "meaning": "the line at the start, with commas", "default": "1,2,3,4"}
        ]
        assert by_name["martingale"]["parameters"][0]["default"] is None
        assert [name for name, system in by_name.items() if system["own_bets"]] == ["james-bond", "andrucci"]


class TestBadInput:
    @pytest.mark.parametrize(
        ("change", "status", "code"),
        [
            ({"book": "no-such-book"}, 404, "unknown-book"),
            ({"layout": "z"}, 404, "unknown-layout"),
            ({"stakes": {}}, 422, "slip-empty"),
            ({"stakes": {"red": 0}}, 422, "stake-not-cents"),
            ({"stakes": {"red": -5}}, 422, "stake-not-cents"),
            ({"stakes": {"red": 10**10}}, 422, "slip-too-large"),
            ({"stakes": {"straight:37": 100}}, 422, "bet-not-on-layout"),
            ({"stakes": {"red": "100"}}, 400, "malformed"),
            ({"stakes": {"red": True}}, 400, "malformed"),
            ({"stakes": {"red": 1.5}}, 400, "malformed"),
            ({"stakes": {f"straight:{number}": 1 for number in range(501)}}, 400, "malformed"),
            ({"rounds": 0}, 422, "rounds-out-of-range"),
            ({"rounds": 10_000_000}, 422, "rounds-out-of-range"),
            ({"rounds": "many"}, 400, "malformed"),
            ({"colour": "red"}, 400, "malformed"),
        ],
    )
    def test_slips(self, client: httpx.Client, change: dict[str, Any], status: int, code: str) -> None:
        answer = ask(client, "slip", {"book": "mbs-roulette", "stakes": {"red": 100}, **change})
        assert (answer.status_code, answer.json()["code"]) == (status, code), answer.text
        assert answer.json()["sentence"].endswith(".")

    @pytest.mark.parametrize(
        ("change", "status", "code"),
        [
            ({"system": "winning"}, 404, "unknown-system"),
            ({"bankroll_cents": 0}, 422, "bankroll-out-of-range"),
            ({"bankroll_cents": 10**14}, 422, "bankroll-out-of-range"),
            ({"bankroll_cents": 50}, 422, "bankroll-under-first-stake"),
            ({"goal_cents": 90_000}, 422, "goal-not-above-bankroll"),
            ({"stop_cents": 100_000}, 422, "stop-not-under-bankroll"),
            ({"maximum_cents": 50}, 422, "limit-under-unit"),
            ({"minimum_cents": 500}, 422, "unit-under-minimum"),
            ({"maximum_cents": 10**30}, 400, "malformed"),
            ({"rounds": 10_000_000}, 422, "rounds-out-of-range"),
            ({"beyond": "shout"}, 400, "malformed"),
            ({"settings": {"most": "0"}}, 422, "system-parameter"),
            ({"settings": {"most": "lots"}}, 400, "parameter-malformed"),
            ({"settings": {"least": "1"}}, 422, "unknown-parameter"),
            ({"system": "kelly", "settings": {"share": "1/2"}}, 422, "parameter-missing"),
            ({"system": "kelly", "settings": {"belief": "1/3"}}, 422, "belief-without-advantage"),
            ({"system": "james-bond"}, 422, "system-chooses-bets"),
            ({"simulate": {"sessions": 0}}, 422, "count-out-of-range"),
            ({"simulate": {"sessions": 10**9}}, 422, "count-out-of-range"),
            ({"simulate": {"seed": -1}}, 422, "seed-out-of-range"),
        ],
    )
    def test_sessions(self, client: httpx.Client, change: dict[str, Any], status: int, code: str) -> None:
        answer = ask(client, "session", {**KNOWN, **change})
        assert (answer.status_code, answer.json()["code"]) == (status, code), answer.text

    def test_a_system_that_the_game_does_not_have(self, client: httpx.Client) -> None:
        terms = {"book": "rws-money-wheel", "system": "andrucci", "stakes": {}}
        answer = ask(client, "session", {**KNOWN, **terms})
        assert (answer.status_code, answer.json()["code"]) == (422, "system-needs-roulette")

    def test_the_sentences_are_those_of_the_lab(self, client: httpx.Client) -> None:
        answer = ask(client, "session", {**KNOWN, "goal_cents": 90_000})
        assert answer.json()["sentence"] == (
            "The goal of 90000 cents is not above the bankroll of 100000. "
            "Set a goal above the bankroll, or none."
        )


class TestItsTime:
    def test_what_takes_too_long_is_given_up_and_the_lab_answers_again(
        self, server: LiveServer, client: httpx.Client, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        slip(client, "mbs-roulette", {"red": 100})
        house: House = server.app.state.house
        with monkeypatch.context() as hurry:
            hurry.setattr(house.lab, "answer_seconds", 0.0)
            refused = ask(client, "session", {**KNOWN, "rounds": 100_000})
        assert (refused.status_code, refused.json()["code"]) == (422, "lab-too-long")
        assert "fewer rounds" in refused.json()["sentence"]

        assert exact(slip(client, "mbs-roulette", {"red": 100}), "house_edge") == "1/37"

    def test_the_floor_answers_while_the_lab_computes(self, server: LiveServer, client: httpx.Client) -> None:
        slip(client, "mbs-roulette", {"red": 100})
        house: House = server.app.state.house
        waiting = server.run(lambda: _while_asleep(house, server.base_url))
        assert waiting == 200


async def _while_asleep(house: House, base_url: str) -> int:
    """Asks for the tables while the process of the lab sleeps; the event loop is free, or nobody answers."""
    import asyncio

    busy = asyncio.create_task(house.lab.ask(time.sleep, 0.5))
    async with httpx.AsyncClient(base_url=base_url, trust_env=False) as client:
        answer = await client.get("/api/tables")
    assert not busy.done()
    await busy
    return answer.status_code


def test_without_the_libraries_there_is_no_lab_and_everything_else_works(
    server: LiveServer, client: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [*sys.modules]:
        if name.startswith(("croupier.lab", "croupier.server.laboratory.figures")):
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "numba", None)

    for answer in (
        client.get("/api/lab/systems"),
        client.post("/api/lab/slip", json={"book": "mbs-roulette", "stakes": {"red": 100}}),
        client.post("/api/lab/session", json=KNOWN),
    ):
        assert (answer.status_code, answer.json()["code"]) == (503, "no-lab")
        assert answer.json()["sentence"] == (
            "There is no lab here: it needs numba, which comes with croupier[lab]."
        )
    assert client.get("/api/tables").status_code == 200


def test_on_a_demonstration_floor_everybody_may_ask(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("demonstration")
    with (
        LiveServer(folder, tables={"R1": "mbs-roulette"}, demonstration=True) as live,
        live.client() as anybody,
    ):
        assert len(anybody.get("/api/lab/systems", timeout=60).json()) == len(SYSTEMS)
        malformed = anybody.post("/api/lab/slip", json={})
    assert (malformed.status_code, malformed.json()["code"]) == (400, "malformed")


def test_elsewhere_nobody_in_particular_may_not(server: LiveServer) -> None:
    with server.client() as anybody:
        assert anybody.get("/api/lab/systems").status_code == 401
        assert anybody.post("/api/lab/slip", json={}).status_code == 401
