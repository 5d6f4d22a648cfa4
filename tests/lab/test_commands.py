"""`croupier lab`: what each command prints, as a table, as JSON and as CSV."""

import csv
import io
import math
import re
from fractions import Fraction

import pytest

from cli.running import LAYOUTS, run, run_process
from croupier.lab import SYSTEMS
from croupier.rulebook import load_book

KNOWN = ("mbs-roulette", "--system", "martingale", "--bankroll", "1000", "--unit", "1", "--rounds", "1000")
EVENING = ("--bankroll", "50", "--goal", "60", "--rounds", "40", "--maximum", "8")


def rows(text: str) -> list[dict[str, str]]:
    return [*csv.DictReader(io.StringIO(text))]


class TestOdds:
    def test_a_slip_in_fractions_and_decimals(self) -> None:
        facts = run(
            "lab", "odds", "mbs-roulette", "--bet", "red=10", "straight:17=5", "tiers=1", "--json"
        ).json
        assert facts["figures"]["house_edge"] == {"exact": "1/37", "value": 1 / 37}
        assert facts["figures"]["hit_frequency"]["exact"] == "25/37"
        assert facts["figures"]["staked_cents"] == 2100
        assert sum(map(_fraction, (line["probability"] for line in facts["law"]))) == pytest.approx(1)

    @pytest.mark.parametrize(
        ("book", "layout", "bet", "edge"),
        [
            ("mbs-roulette", "main", "straight:0", "1/37"),
            ("rws-roulette-00", "B", "red", "1/19"),
            ("rws-roulette-00", "B", "top-line:0/00/1/2/3", "3/38"),
            ("rws-roulette-000", "main", "red", "1/13"),
            ("rws-money-wheel", "main", "symbol:crockfords", "3/26"),
        ],
    )
    def test_the_known_edges(self, book: str, layout: str, bet: str, edge: str) -> None:
        words = ("lab", "odds", book, "--layout", layout, "--bet", f"{bet}=1")
        assert run(*words, "--json").json["figures"]["house_edge"]["exact"] == edge
        printed = run(*words).out
        assert f" {edge}\n" in printed
        assert {row["figure"]: row["exact"] for row in rows(run(*words, "--csv").out)}["house_edge"] == edge

    def test_many_rounds_add_their_distribution_and_a_plot(self) -> None:
        words = ("lab", "odds", "mbs-roulette", "--bet", "red=1", "--rounds", "1000")
        after = run(*words, "--json").json["after"]
        assert after["figures"]["ahead"] == pytest.approx(0.1876305820, rel=1e-9)
        assert after["figures"]["quantile_0.5"] == -2800
        assert after["figures"]["shortfall_0.01"] == pytest.approx(-11117, abs=1)
        assert 0.999 <= sum(each["chance"] for each in after["middle"]) <= 1
        printed = run(*words).out
        assert "ahead                             0.187631\n" in printed
        assert "█" in printed
        assert {row["figure"] for row in rows(run(*words, "--csv").out)} >= {"ahead", "after_ahead"}

    def test_an_exact_figure_is_the_value_beside_it_and_people_read_dollars(self) -> None:
        words = ("lab", "odds", "mbs-roulette", "--bet", "red=1", "--rounds", "3")
        facts = run(*words, "--json").json
        assert facts["figures"]["mean_cents"]["exact"] == "-100/37"
        for figures in (facts["figures"], facts["after"]["figures"]):
            exact = {
                name: each for name, each in figures.items() if isinstance(each, dict) and "exact" in each
            }
            assert "mean_cents" in exact
            for each in exact.values():
                assert float(Fraction(each["exact"])) == pytest.approx(each["value"], rel=1e-12)
        lines = [row for row in rows(run(*words, "--csv").out) if row["exact"]]
        assert {"mean_cents", "after_mean_cents"} <= {row["figure"] for row in lines}
        for row in lines:
            assert float(Fraction(row["exact"])) == pytest.approx(float(row["value"]), rel=1e-12)
        assert re.search(r"expected result +-0\.027027 +-1/37\n", run(*words).out)

    def test_a_bet_that_is_named_twice_adds_up(self) -> None:
        words = ("lab", "odds", "mbs-roulette", "--json", "--bet")
        assert run(*words, "red=2", "red=3").json == run(*words, "red=5").json

    @pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
    def test_a_terminal_without_blocks_gets_signs_of_ascii(self, encoding: str) -> None:
        words = ("lab", "odds", "mbs-roulette", "--bet", "red=1", "--rounds", "100")
        ran = run_process(*words, PYTHONIOENCODING=encoding)
        assert (ran.status, ran.err) == (0, "")
        assert ran.out.isascii()
        assert "####" in ran.out
        assert "?" not in ran.out


class TestSession:
    def test_the_known_martingale(self) -> None:
        ran = run("lab", "session", *KNOWN)
        assert (ran.status, ran.err) == (0, "")
        assert "mean at the end                 892.680097\n" in ran.out
        assert "below the start                   0.477174\n" in ran.out
        assert "expected rounds                     727.92\n" in ran.out

    def test_the_known_martingale_for_programs(self) -> None:
        facts = run("lab", "session", *KNOWN, "--json").json
        assert facts["figures"]["mean_cents"] == pytest.approx(89268.0097, abs=1e-4)
        assert round(facts["figures"]["behind"], 4) == 0.4772
        assert round(facts["figures"]["rounds"], 2) == 727.92
        assert facts["figures"]["loss_by_turnover"] == pytest.approx(1 / 37, rel=1e-9)
        assert (facts["system"], facts["unit_cents"]) == ("martingale", [{"red": 100}])
        assert math.isclose(sum(each["chance"] for each in facts["ends"]), 1, rel_tol=1e-6)
        table = {
            row["figure"]: float(row["value"]) for row in rows(run("lab", "session", *KNOWN, "--csv").out)
        }
        assert table == pytest.approx(facts["figures"])

    @pytest.mark.parametrize(
        ("system", "setting"),
        [
            ("flat", "units=2"),
            ("martingale", "most=4"),
            ("anti-martingale", "wins=2"),
            ("labouchere", "line=1,1"),
            ("andrucci", "watch=5"),
            ("kelly", "belief=0.53"),
            ("kelly", "belief=19/37"),
        ],
    )
    def test_what_is_set_on_a_system_changes_its_session(self, system: str, setting: str) -> None:
        words = ("lab", "session", "mbs-roulette", *EVENING, "--system", system, "--json")
        plain, changed = run(*words).json, run(*words, "--set", setting).json
        assert plain["figures"]["turnover_cents"] != changed["figures"]["turnover_cents"]
        assert changed["figures"]["loss_by_turnover"] == pytest.approx(1 / 37, rel=1e-6)

    def test_stop_and_limit_are_told_apart(self) -> None:
        words = ("lab", "session", "mbs-roulette", *EVENING, "--system", "martingale", "--json")
        beyond = {rule: run(*words, "--beyond", rule).json["figures"] for rule in ("stop", "cap", "restart")}
        assert beyond["stop"]["table-limit"] > 0.3
        assert beyond["cap"]["table-limit"] == beyond["restart"]["table-limit"] == 0
        stopped = run(*words, "--stop", "45").json["figures"]
        assert stopped["stop"] > 0
        assert stopped["rounds"] < beyond["stop"]["rounds"]

    def test_a_unit_can_be_a_slip(self) -> None:
        words = ("lab", "session", "mbs-roulette", *EVENING, "--system", "flat", "--json")
        facts = run(*words, "--bet", "red", "straight:0=0.50", "--unit", "2").json
        assert facts["unit_cents"] == [{"red": 200, "straight:0": 50}]

    @pytest.mark.parametrize(("book", "layout"), LAYOUTS)
    def test_every_layout_has_a_bet_to_begin_with(self, book: str, layout: str) -> None:
        ran = run("lab", "session", book, "--layout", layout, *EVENING, "--system", "dalembert")
        assert (ran.status, ran.err) == (0, "")
        assert ran.out.startswith(f"{book} ({load_book(book).title}), layout {layout}: bankroll 50.00 SGD, ")


class TestSimulate:
    def test_estimates_stand_beside_the_exact_figures(self) -> None:
        words = ("lab", "simulate", *KNOWN, "--sessions", "20000", "--seed", "7")
        figures = run(*words, "--json").json["figures"]
        assert figures["mean_cents"]["exact"] == pytest.approx(89268.0097, abs=1e-4)
        assert all(abs(figure["z"]) < 5 for figure in figures.values())
        mean = figures["mean_cents"]
        # The deviation of the known martingale, not that of the sample.
        exact_error = 63015.8911 / 20000**0.5
        assert mean["z"] == pytest.approx((mean["estimate"] - mean["exact"]) / exact_error, rel=1e-6)
        assert "892.61            4.45    892.68  -0.02\n" in run(*words).out
        table = {row["figure"]: row for row in rows(run(*words, "--csv").out)}
        assert float(table["behind"]["z"]) == figures["behind"]["z"]

    def test_one_session_has_no_standard_error(self) -> None:
        words = ("lab", "simulate", "mbs-roulette", "--system", "flat", "--bankroll", "100", "--unit", "1")
        words = (*words, "--rounds", "1", "--sessions", "1")
        printed = run(*words).out
        assert ", at most 1 round\n" in printed
        assert "\n1 session simulated with seed 1\n" in printed
        assert "1 round was played; the session ended from " in printed
        assert re.search(r"mean at the end +[0-9.]+ +- ", printed)
        figures = run(*words, "--json").json["figures"]
        assert {figure["standard_error"] for figure in figures.values()} == {None}
        assert {row["standard_error"] for row in rows(run(*words, "--csv").out)} == {""}
        large = ("mbs-roulette", "--bankroll", "1000", "--system", "oscars-grind", "--sessions", "1")
        beside = run("lab", "compare", *large, "--json").json["systems"][0]
        assert {*beside["standard_errors"].values()} == {None}
        assert "Simulated (1 session, seed 1) because" in run("lab", "compare", *large).out

    def test_any_number_of_cores_says_the_same(self) -> None:
        words = ("lab", "simulate", *KNOWN, "--sessions", "5000", "--json")
        assert run(*words, "--cores", "1") == run(*words, "--cores", "3") == run(*words)

    def test_another_seed_says_something_else(self) -> None:
        words = ("lab", "simulate", *KNOWN, "--sessions", "2000", "--no-exact", "--json", "--seed")
        one, other = run(*words, "1").json, run(*words, "2").json
        assert one["figures"]["mean_cents"]["estimate"] != other["figures"]["mean_cents"]["estimate"]
        assert one["figures"]["mean_cents"]["z"] is None

    def test_a_session_too_large_for_an_exact_answer_is_simulated_alone(self) -> None:
        words = ("lab", "simulate", "mbs-roulette", "--system", "oscars-grind", "--bankroll", "1000")
        ran = run(*words, "--sessions", "500")
        assert (ran.status, ran.err) == (0, "")
        assert "EXACT" not in ran.out
        assert "There is no exact answer beside it: The session has more than " in ran.out

    def test_what_never_happened_is_measured_by_the_exact_spread(self) -> None:
        """Nobody reached the goal, which one in ten thousand does: every session took all 200 rounds."""
        terms = ("--bankroll", "100", "--goal", "150", "--rounds", "200", "--system", "flat")
        words = ("lab", "simulate", "mbs-roulette", *terms, "--sessions", "20000")
        figures = run(*words, "--json").json["figures"]
        assert (figures["goal"]["estimate"], figures["rounds"]["standard_error"]) == (0, 0)
        assert 0 < figures["rounds"]["z"] < 5
        assert -5 < figures["goal"]["z"] < 0
        assert re.search(r"^rounds +200\.00 +0\.00 +200\.00 +\+1\.05$", run(*words).out, re.MULTILINE)

    def test_a_turnover_that_did_not_vary_has_no_distance(self) -> None:
        terms = ("--bankroll", "100", "--goal", "150", "--rounds", "200", "--system", "flat")
        words = ("lab", "simulate", "mbs-roulette", *terms, "--sessions", "20000")
        assert run(*words, "--json").json["figures"]["turnover_cents"]["z"] is None
        table = {row["figure"]: row for row in rows(run(*words, "--csv").out)}
        assert table["turnover_cents"]["z"] == ""
        assert re.search(r"^turnover +200\.00 +0\.00 +200\.00 +-$", run(*words).out, re.MULTILINE)

    def test_the_bar_is_drawn_only_where_it_is_asked_for(self) -> None:
        words = ("lab", "simulate", *KNOWN, "--sessions", "3000")
        quiet, shown = run(*words), run(*words, "--progress")
        assert quiet.err == ""
        assert shown.out == quiet.out
        assert "[##############################] sessions: 100 %" in shown.err
        assert shown.err.endswith(" \r")


class TestCompare:
    def test_all_systems_on_the_same_terms(self) -> None:
        facts = run("lab", "compare", "mbs-roulette", *EVENING, "--json").json
        assert [each["system"] for each in facts["systems"]] == [
            each for each in SYSTEMS if each != "james-bond"
        ]
        assert facts["not_played"]["james-bond"].startswith("One unit puts 1400 cents on a bet")
        for each in facts["systems"]:
            figures = each["figures"]
            loss = 5000 - figures["mean_cents"]
            assert not each["exact"] or loss == pytest.approx(figures["turnover_cents"] / 37, rel=1e-6)

    def test_a_game_that_a_system_cannot_play(self) -> None:
        words = ("lab", "compare", "rws-money-wheel", *EVENING)
        assert [*run(*words, "--json").json["not_played"]] == ["james-bond", "andrucci"]
        assert "Not played: james-bond. James Bond bets on high" in run(*words).out

    def test_named_systems_with_what_is_set_on_them(self) -> None:
        words = ("lab", "compare", "mbs-roulette", *EVENING, "--system", "flat", "martingale:most=4")
        alone = run(
            "lab", "session", "mbs-roulette", *EVENING, "--system", "martingale", "--set", "most=4", "--json"
        )
        table = {row["system"]: row for row in rows(run(*words, "--csv").out)}
        assert [*table] == ["flat", "martingale:most=4"]
        assert float(table["martingale:most=4"]["behind"]) == alone.json["figures"]["behind"]
        assert table["flat"]["how"] == "exact"

    def test_what_is_too_large_is_simulated_and_marked(self) -> None:
        words = ("lab", "compare", "mbs-roulette", "--bankroll", "1000", "--sessions", "500", "--system")
        printed = run(*words, "flat", "oscars-grind").out
        assert "\noscars-grind   ~" in printed
        assert "\nflat            972.97 " in printed


class TestSystems:
    def test_every_system_is_listed_with_its_parameters(self) -> None:
        facts = run("lab", "systems", "--json").json
        assert [each["system"] for each in facts] == [*SYSTEMS]
        assert len(facts) >= 12
        lines = {each["system"]: [known["name"] for known in each["parameters"]] for each in facts}
        assert lines["andrucci"] == ["watch", "bets"]
        assert {
            row["system"]: row["parameters"].split() for row in rows(run("lab", "systems", "--csv").out)
        } == lines

    def test_the_table_shows_what_is_set_where_nothing_is_said(self) -> None:
        printed = run("lab", "systems").out
        assert "\n    line=1,2,3,4: the line at the start, with commas\n" in printed
        assert "\n    most=...: units that are never exceeded\n" in printed


def test_every_part_of_the_lab_explains_itself() -> None:
    for part in ("odds", "session", "simulate", "compare", "systems", "report"):
        ran = run("lab", part, "-h")
        assert (ran.status, ran.err) == (0, "")
        assert ran.out.startswith(f"usage: croupier lab {part} ")
    assert "croupier lab odds|session|simulate|compare|systems|report ..." in run("lab", "-h").out


def _fraction(text: str) -> float:
    over, under = text.split("/")
    return int(over) / int(under)
