"""An irregularity that affected earlier rounds too: what voiding them means is shown before it is done."""

from collections.abc import Callable

from playwright.sync_api import Locator, expect

from browser.browser_rig import ConsoleScreen, Table
from clauses import clause
from croupier.table import commands as c

Tables = Callable[..., Table]
MINUS = "\N{MINUS SIGN}"


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
    panel.get_by_role("checkbox").nth(0).check()
    panel.get_by_role("checkbox").nth(1).check()
    expect(panel).to_contain_text("Void rounds 1, 2, 3?")
    expect(panel).to_contain_text("Settled rounds 1, 2: what they paid is taken back")
    expect(panel).to_contain_text("All other settled rounds")
    expect(panel).not_to_contain_text("All settled rounds before this one")
    sums = panel.get_by_role("group", name="Amounts by seat")
    expect(sums).to_contain_text(f"Seat 1{MINUS}335.00")
    expect(sums).to_contain_text(f"Seat 2{MINUS}680.00")
    expect(panel).to_contain_text("for each of these rounds")
    console.says("Void 3 rounds")
    console.picture("console-affected")

    before = made.credits_cents("1"), made.credits_cents("2")
    console.press("Enter")
    console.seconded("max")
    console.press("Enter")
    console.phase("idle")
    after = made.credits_cents("1"), made.credits_cents("2")
    assert [late - early for early, late in zip(before, after, strict=True)] == [-33_500, -68_000]


def test_nothing_is_voided_before_the_record_is_read(console: ConsoleScreen, table: Tables) -> None:
    made, panel = broken(console, table)
    console.page.route("**/api/tables/*/rounds/2", lambda route: route.abort())
    panel.get_by_role("checkbox").nth(0).check()
    expect(panel).to_contain_text("The record of the round could not be read.")
    console.press("Enter")
    expect(console.page.get_by_role("dialog")).to_have_count(0)
    console.page.unroute("**/api/tables/*/rounds/2")
    panel.get_by_role("button", name="Refresh").click()
    expect(panel.get_by_role("group", name="Amounts by seat")).to_contain_text(f"{MINUS}700.00")
    console.says("Void 2 rounds")
    assert made.state.round.number == 3


def test_a_ticked_round_leaves_enter_and_escape_to_the_console(console: ConsoleScreen, table: Tables) -> None:
    made, panel = broken(console, table)
    box = panel.get_by_role("checkbox").nth(0)
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
