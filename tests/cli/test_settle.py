"""`croupier settle`."""

from hypothesis import example, given
from hypothesis import strategies as st

from clauses import clause
from cli.running import run
from croupier.rulebook import get_layout, load_book, show_cents

MBS = get_layout(load_book("mbs-roulette"))


def settled(*bets: str, result: str, book: str = "mbs-roulette") -> object:
    words = [word for bet in bets for word in ("--bet", bet)]
    return run("settle", book, "--result", result, *words, "--json").json


@clause("mbs-roulette:4.1")
def test_a_number_pays_35_to_1_and_the_stake_comes_back() -> None:
    assert settled("straight:17=5", "red=10", result="17") == {
        "result": "17",
        "staked": "15.00",
        "returned": "180.00",
        "net": "165.00",
        "bets": [
            {"bet": "straight:17", "stake": "5.00", "won": True, "returned": "180.00"},
            {"bet": "red", "stake": "10.00", "won": False, "returned": "0.00"},
        ],
    }


def test_people_read_thousands_apart_and_programs_do_not() -> None:
    words = ("settle", "mbs-roulette", "--result", "17", "--bet", "straight:17=2000")
    printed = run(*words).out
    assert "straight:17  2,000.00  won  72,000.00\n" in printed
    assert "\nNet 70,000.00 SGD, " in printed
    assert run(*words, "--json").json["net"] == "70000.00"


def test_keys_stand_in_the_stated_order() -> None:
    answer = run("settle", "mbs-roulette", "--result", "17", "--bet", "red=5", "--json").json
    assert [*answer] == ["result", "staked", "returned", "net", "bets"]
    assert [*answer["bets"][0]] == ["bet", "stake", "won", "returned"]


def test_a_loss_is_a_negative_net() -> None:
    answer = run("settle", "rws-money-wheel", "--result", "1", "--bet", "symbol:20=12.5", "--json").json
    assert (answer["staked"], answer["returned"], answer["net"]) == ("12.50", "0.00", "-12.50")


def test_an_announced_bet_stakes_the_amount_on_each_piece() -> None:
    assert settled("grand-series=2", result="26") == {
        "result": "26",
        "staked": "18.00",
        "returned": "36.00",
        "net": "18.00",
        "bets": [
            {"bet": "split:4/7", "stake": "2.00", "won": False, "returned": "0.00"},
            {"bet": "split:12/15", "stake": "2.00", "won": False, "returned": "0.00"},
            {"bet": "split:18/21", "stake": "2.00", "won": False, "returned": "0.00"},
            {"bet": "split:19/22", "stake": "2.00", "won": False, "returned": "0.00"},
            {"bet": "split:32/35", "stake": "2.00", "won": False, "returned": "0.00"},
            {"bet": "street:0/2/3", "stake": "4.00", "won": False, "returned": "0.00"},
            {"bet": "corner:25/26/28/29", "stake": "4.00", "won": True, "returned": "36.00"},
        ],
    }


def test_an_announced_bet_goes_by_its_other_names_too() -> None:
    assert settled("small-series=1", result="5") == settled("tiers=1", result="5")


def test_bets_named_again_add_up_where_they_were_first_named() -> None:
    answer = run(
        *("settle", "mbs-roulette", "--result", "1", "--json"),
        *("--bet", "split:9/6=1", "--bet", "red=5", "--bet", "orphelins=0.50", "--bet", "split:6/9=0.25"),
    ).json
    assert [(bet["bet"], bet["stake"]) for bet in answer["bets"]] == [
        ("split:6/9", "1.75"),
        ("red", "5.00"),
        ("straight:1", "0.50"),
        ("split:14/17", "0.50"),
        ("split:17/20", "0.50"),
        ("split:31/34", "0.50"),
    ]
    assert (answer["staked"], answer["returned"]) == ("8.75", "28.00")


def test_one_option_takes_several_bets() -> None:
    words = ("settle", "mbs-roulette", "--result", "1", "--bet", "red=5", "black=5", "--json")
    assert run(*words).json == settled("red=5", "black=5", result="1")


def test_green_is_the_street_of_the_zeros() -> None:
    assert settled("green=1", result="00", book="rws-roulette-000") == settled(
        "street:000/00/0=1", result="00", book="rws-roulette-000"
    )


def test_the_layout_decides_which_bets_there_are() -> None:
    words = ("--result", "00", "--bet", "top-line:0/00/1/2/3=1", "--json")
    assert run("settle", "rws-roulette-00", *words).status == 2
    assert run("settle", "rws-roulette-00", "--layout", "B", *words).json["returned"] == "7.00"


def test_a_settlement_for_people() -> None:
    ran = run("settle", "rws-roulette-000", "--result", "00", "--bet", "green=2.5", "--bet", "red=10")
    assert ran.out.splitlines() == [
        "rws-roulette-000 (Roulette Triple Zero), layout main: result 00 green",
        "",
        "BET              STAKE        RETURNED",
        "street:0/00/000   2.50  won      30.00",
        "red              10.00  lost      0.00",
        "all bets         12.50           30.00",
        "",
        "Net 17.50 SGD, settled by clause rws-roulette-000:4.1.",
    ]


def test_a_result_without_a_colour_stands_alone() -> None:
    ran = run("settle", "rws-money-wheel", "--result", "crockfords", "--bet", "symbol:crockfords=1")
    assert ran.out.splitlines()[0] == "rws-money-wheel (Money Wheel), layout main: result crockfords"


amounts = st.one_of(
    st.integers(-5, 10_000).map(show_cents), st.text("0123456789.,-+ eE", max_size=8), st.text()
)
names = st.one_of(
    st.sampled_from([*MBS.bets, *MBS.announced, *MBS.announced_aliases]),
    st.text("abcdefghijklmnopqrstuvwxyz:/+-0123456789 ", max_size=20),
    st.text(),
)


@given(st.one_of(st.text(), st.tuples(names, amounts).map("=".join)), st.booleans())
@example("--", False)
@example("-h", False)
@example("red=5\n", True)
@example("\ud800=\x00", True)
def test_no_text_of_a_bet_crashes_the_command(text: str, is_joined: bool) -> None:
    words = [f"--bet={text}"] if is_joined else ["--bet", text]
    ran = run("settle", "mbs-roulette", "--result", "17", *words)
    if ran.status == 0:
        assert ran.out
        assert not ran.err
    else:
        assert (ran.status, ran.out) == (2, "")
        assert ran.err.startswith("croupier: ")


@given(
    st.sampled_from([*MBS.bets]),
    st.integers(1, 10**9),
    st.integers(1, 10**9),
    st.sampled_from([*MBS.numbers]),
)
def test_two_stakes_on_one_bet_are_one_stake(bet: str, first: int, second: int, result: str) -> None:
    apart = settled(f"{bet}={show_cents(first)}", f"{bet}={show_cents(second)}", result=result)
    assert apart == settled(f"{bet}={show_cents(first + second)}", result=result)
