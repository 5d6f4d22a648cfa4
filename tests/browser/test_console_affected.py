"""An irregularity that affected earlier rounds too: what voiding them means is shown before it is done."""

from collections.abc import Callable

from playwright.sync_api import Locator, expect

from browser.browser_rig import ConsoleScreen, Table
from clauses import clause
from croupier.table import commands as c

Tables = Callable[..., Table]
MINUS = "\N{MINUS SIGN}"


def sums(place: Locator) -> Locator:
    """What becomes of each seat."""
    return place.get_by_role("group", name="Amounts by seat")


def row(dialog: Locator, seat: str) -> Locator:
    """The same of one seat: credits now, difference, credits after, shortfall, to be paid by hand."""
    named = dialog.page.get_by_role("cell", name=seat, exact=True)
    return sums(dialog).get_by_role("row").filter(has=named)


def broken(console: ConsoleScreen, table: Tables) -> tuple[Table, Locator]:
    """Two settled rounds, a ball that breaks in the third; the table and the panel of what follows."""
    made = table("rws-roulette-00", layout="A")
    console.open(made)
    for result in ("17", "18"):
        made.do(c.OpenRound())
        made.bet("1", straight__17=1000)
        made.bet("2", straight__18=2000)
        made.do(c.CloseBets(), c.StartSpin(), c.EnterResult(result=result), c.ConfirmResult(result=result))
    made.do(c.OpenRound())
    made.bet("1", red=500)
    made.do(c.CloseBets(), c.StartSpin())
    console.phase("spinning")
    console.irregularity("0")
    panel = console.panel("Void round")
    expect(panel).to_contain_text("Ball breaks")
    return made, panel


@clause("rws-roulette-00:5.4")
def test_the_panel_says_what_is_taken_back_from_each_seat(console: ConsoleScreen, table: Tables) -> None:
    made, panel = broken(console, table)
    expect(panel).to_contain_text("All settled rounds before this one")
    expect(panel).to_contain_text("Goes back, by seat: 5.00")
    panel.get_by_role("checkbox").nth(1).check()
    panel.get_by_role("checkbox").nth(2).check()
    expect(panel).to_contain_text("Void rounds 1, 2, 3?")
    expect(panel).to_contain_text("Settled rounds 1, 2: what they paid is taken back")
    expect(panel).to_contain_text("All other settled rounds")
    expect(panel).not_to_contain_text("All settled rounds before this one")
    expect(sums(panel)).to_contain_text(f"Seat 1{MINUS}335.00Seat 2{MINUS}680.00")
    expect(panel).to_contain_text("for each of these rounds")
    console.says("Void 3 rounds")
    console.picture("console-affected")

    before = made.credits_cents("1"), made.credits_cents("2")
    console.press("Enter")
    dialog = console.page.get_by_role("dialog")
    expect(row(dialog, "1")).to_have_text(f"11,335.00{MINUS}335.001,000.00nonenone")
    expect(row(dialog, "2")).to_have_text(f"21,680.00{MINUS}680.001,000.00nonenone")
    console.seconded("max")
    console.press("Enter")
    console.phase("idle")
    after = made.credits_cents("1"), made.credits_cents("2")
    assert [late - early for early, late in zip(before, after, strict=True)] == [-33_500, -68_000]


@clause("rws-roulette-00:5.4")
def test_players_who_have_left_are_paid_by_hand_and_whoever_sits_there_keeps_what_is_theirs(
    console: ConsoleScreen, table: Tables
) -> None:
    made = table("rws-roulette-00", layout="A")
    console.open(made)
    made.live.play(made.name, {"1": {"straight:17": 1000}, "2": {"straight:18": 1000}}, "17")
    for seat in ("1", "2"):
        made.do(
            c.CashOut(seat=seat, voucher=f"00000000000000002{seat}"), c.BuyCredits(seat=seat, cents=10_000)
        )
    made.do(c.OpenRound())
    made.bet("1", red=500)
    made.do(c.CloseBets(), c.StartSpin())
    console.phase("spinning")
    console.irregularity("0")
    panel = console.panel("Void round")
    panel.get_by_role("checkbox").nth(1).check()
    expect(sums(panel)).to_contain_text("Seat 1+5.00350.00 missingSeat 20.0010.00 unclaimed")
    expect(panel).to_contain_text("Seats 1, 2: the players who had the bets have left.")
    expect(panel).to_contain_text(f"House, round 1: {MINUS}340.00 → 0.00")
    console.picture("console-affected-left")
    console.press("Enter")
    dialog = console.page.get_by_role("dialog")
    expect(row(dialog, "1")).to_have_text("195.00+5.00100.00350.00none")
    expect(row(dialog, "2")).to_have_text("2100.000.00100.00none10.00")
    console.picture("console-affected-second")
    console.seconded("max")
    console.press("Enter")
    console.phase("idle")
    assert [made.credits_cents(seat) for seat in ("1", "2")] == [10_000, 10_000]
    assert [made.state.kept[1].seats[seat].carried_cents for seat in ("1", "2")] == [-35_000, 1_000]


def test_what_two_people_sign_is_what_stands_in_sight(console: ConsoleScreen, table: Tables) -> None:
    made, panel = broken(console, table)
    panel.get_by_role("checkbox").nth(1).check()
    expect(sums(panel)).to_contain_text(f"Seat 2{MINUS}700.00")
    console.press("Enter")
    dialog = console.page.get_by_role("dialog")
    expect(row(dialog, "2")).to_contain_text(f"{MINUS}700.00")
    console.seconded("max")
    console.page.route("**/foreseen", lambda route: route.abort())
    console.press("Enter")
    expect(dialog).to_contain_text("The effect could not be worked out.")
    assert made.state.round.number == 3
    console.page.unroute("**/foreseen")
    made.do(c.CashOut(seat="2", voucher="000000000000000031"), c.BuyCredits(seat="2", cents=5_000))
    expect(row(dialog, "2")).to_contain_text("50.000.0050.00700.00none")


def test_nothing_is_voided_before_it_is_known_what_that_does(console: ConsoleScreen, table: Tables) -> None:
    made, panel = broken(console, table)
    console.page.route("**/foreseen", lambda route: route.abort())
    panel.get_by_role("checkbox").nth(1).check()
    expect(panel).to_contain_text("The effect could not be worked out.")
    console.press("Enter")
    expect(console.page.get_by_role("dialog")).to_have_count(0)
    console.page.unroute("**/foreseen")
    panel.get_by_role("button", name="Refresh").click()
    expect(sums(panel)).to_contain_text(f"Seat 2{MINUS}700.00")
    console.says("Void 2 rounds")
    assert made.state.round.number == 3


def test_a_ticked_round_leaves_enter_and_escape_to_the_console(console: ConsoleScreen, table: Tables) -> None:
    made, panel = broken(console, table)
    box = panel.get_by_role("checkbox").nth(1)
    box.focus()
    console.page.keyboard.press("Space")
    expect(box).to_be_checked()
    expect(box).to_be_focused()
    console.page.keyboard.press("Space")
    expect(box).not_to_be_checked()
    console.press("Escape")
    expect(panel).to_have_count(0)
    console.irregularity("0")
    box.check()
    console.says("Void 2 rounds")
    expect(panel.get_by_role("group", name="Amounts by seat")).to_contain_text(MINUS)
    console.press("Enter")
    expect(console.page.get_by_role("dialog")).to_contain_text("Rounds 2, 3")
    assert made.state.round.number == 3


@clause("rws-roulette-00:5.4")
def test_an_earlier_round_alone_is_named_and_the_running_one_goes_on(
    console: ConsoleScreen, table: Tables
) -> None:
    made, panel = broken(console, table)
    panel.get_by_role("checkbox").nth(2).check()
    panel.get_by_role("checkbox").nth(0).uncheck()
    expect(panel).to_contain_text("Void round 1?")
    console.says("Void the settled round")
    expect(sums(panel)).to_contain_text(f"Seat 1{MINUS}350.00")
    console.press("Enter")
    console.seconded("max")
    console.press("Enter")
    expect(console.page.get_by_role("dialog")).to_have_count(0)
    console.phase("spinning")
    assert made.state.round.number == 3
    assert [made.state.kept[number].phase for number in (1, 2)] == ["voided", "settled"]


@clause("mbs-roulette:5.10")
def test_a_settled_round_of_mbs_is_named_while_no_round_runs(console: ConsoleScreen, table: Tables) -> None:
    made = table("mbs-roulette")
    made.live.play(made.name, {"1": {"straight:17": 1000}}, "17")
    console.open(made)
    console.irregularity("1")
    console.panel("Which rounds?").get_by_role("checkbox").nth(0).click()
    panel = console.panel("Void round 1?")
    expect(sums(panel)).to_contain_text(f"Seat 1{MINUS}350.00")
    console.picture("console-affected-settled")
    console.press("Enter")
    console.seconded("max")
    console.press("Enter")
    expect(console.page.get_by_role("dialog")).to_have_count(0)
    assert made.state.kept[1].phase == "voided"


def test_a_decision_says_what_it_does_and_offers_no_bet_that_was_given_back(
    console: ConsoleScreen, table: Tables
) -> None:
    made = table("mbs-roulette")
    made.live.play(made.name, {"1": {"straight:17": 1000, "straight:5": 1000}}, "17")
    late = (c.NamedBet("1", "straight:5"),)
    made.do(c.Decide(ruling="return-bets", round=1, reason="late", bets=late))
    made.do(c.CashOut(seat="1", voucher="000000000000000041"), c.BuyCredits(seat="1", cents=5_000))
    console.open(made)
    console.press("s")
    dialog = console.page.get_by_role("dialog")
    dialog.get_by_label("Return some bets").check()
    expect(dialog.get_by_role("checkbox")).to_have_count(1)
    expect(sums(dialog)).to_have_count(0)
    dialog.get_by_role("checkbox").check()
    expect(row(dialog, "1")).to_have_text("150.000.0050.00350.00none")
    expect(dialog.get_by_label("Give the round another result")).to_have_count(0)
    dialog.get_by_label("Reason").fill("The chip had slipped")
    console.seconded("shi")
    dialog.get_by_role("button", name="Record the decision").click()
    expect(dialog).to_have_count(0)
    assert (made.credits_cents("1"), made.state.kept[1].seats["1"].carried_cents) == (5_000, -35_000)
