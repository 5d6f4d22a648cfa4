"""A round over real sockets: what each screen is told, and when an answer may be given."""

import asyncio
import json
from pathlib import Path

import pytest
from websockets.asyncio.client import connect

from croupier.protocol.asking import CashOut, Second
from croupier.table import commands as c
from floor.sim_live import played
from server.floor_rig import PASSWORD, Heard, a_floor, done, refused


@played
async def test_a_round_reaches_everybody_who_may_see_it(tmp_path: Path) -> None:
    async with a_floor(tmp_path) as rig:
        await rig.open_table()
        heard, shown = Heard(), Heard()
        async with (
            await rig.seat("1", told=heard) as seat,
            await rig.seat("2") as other,
            await rig.display(told=shown) as display,
            await rig.console() as console,
        ):
            await done(seat, c.BuyCredits(seat="1", cents=100_00))
            await done(console, c.OpenRound())
            await done(seat, c.PlaceBets(seat="1", stakes=(c.Stake("straight:7", 10_00),)))
            await console.until(lambda seen: seen.console.stakes and seen.console.stakes.total_cents == 10_00)
            assert console.console.stakes.spots == {"straight:7": 10_00}
            assert console.console.stakes.house_cents["7"] == -350_00
            assert console.console.stakes.house_cents["8"] == 10_00
            await done(console, c.CloseBets())
            await done(console, c.StartSpin())
            await done(console, c.EnterResult(result="7"))
            await done(console, c.ConfirmResult(result="7"))
            await seat.until(lambda seen: seen.table.outcomes and seen.seat.last_win_cents)
            await display.until(lambda seen: seen.table.outcomes)
            await other.until(lambda seen: seen.table.outcomes)

            assert seat.seat.credits_cents == 450_00
            assert (seat.seat.last_round, seat.seat.last_win_cents) == (1, 360_00)
            assert display.table.outcomes[0].result == "7"
            assert other.seat.credits_cents == 0
            assert heard.kinds == [
                "credits-bought",
                "round-opened",
                "bets-changed",
                "bets-closed",
                "spin-started",
                "result-entered",
                "result-confirmed",
                "seat-settled",
                "round-settled",
            ]
            assert shown.kinds == [
                "round-opened",
                "bets-closed",
                "spin-started",
                "result-entered",
                "result-confirmed",
                "round-settled",
            ]
            sequences = [told.seq for told in heard.told]
            assert sequences == sorted(sequences)


@played
async def test_a_seat_sees_nothing_of_another_seat(tmp_path: Path) -> None:
    async with a_floor(tmp_path) as rig:
        await rig.open_table()
        heard = Heard()
        async with await rig.seat("1") as seat, await rig.seat("2", told=heard) as other:
            await done(seat, c.BuyCredits(seat="1", cents=100_00))
            await rig.do("R1", c.OpenRound())
            await done(seat, c.PlaceBets(seat="1", stakes=(c.Stake("red", 10_00),)))
            await rig.do("R1", c.CloseBets())
            await other.until(lambda seen: seen.table.round.phase == "closed")

            assert heard.kinds == ["round-opened", "bets-closed"]
            assert await refused(other, c.ClearBets(seat="1")) == "not-your-seat"
            assert await refused(other, CashOut(seat="1")) == "not-your-seat"


@played
async def test_the_console_is_told_why_something_cannot_be_done_now(tmp_path: Path) -> None:
    async with a_floor(tmp_path) as rig:
        await rig.open_table()
        async with await rig.console() as console:
            actions = {action.action: action.refusal for action in console.console.actions}
            assert actions["open-round"] is None
            assert actions["close-bets"].code == "no-round"
            # Nobody is fetched to sign for what would be refused to everybody.
            assert actions["state-outcome"].code == "no-outcome-awaited"
            assert actions["open-table"].code == "table-open"
            assert actions["change-limits"].code == "not-allowed"

            await done(console, c.OpenRound())
            await console.until(
                lambda seen: any(a.action == "close-bets" and a.refusal is None for a in seen.console.actions)
            )
            actions = {action.action: action.refusal for action in console.console.actions}
            assert actions["open-round"].code == "round-running"
            assert actions["declare-irregularity/ball-out"].clause == "mbs-roulette:5.6"


@played
async def test_a_second_person_authorises_at_the_same_console(tmp_path: Path) -> None:
    async with a_floor(tmp_path) as rig:
        await rig.open_table()
        for do in (c.OpenRound(), c.CloseBets(), c.StartSpin()):
            await rig.do("R1", do)
        await rig.do("R1", c.EnterResult(result="7"))
        await rig.do("R1", c.ConfirmResult(result="7"))
        async with await rig.console("max") as console:
            correct = c.CorrectResult(round=1, result="8", reason="The ball lies in 8.")
            assert await refused(console, correct) == "second-person"
            wrong = Second(name="dan", password="not the password")
            assert await refused(console, correct, second=wrong) == "sign-in-failed"
            same = Second(name="max", password=PASSWORD)
            assert await refused(console, correct, second=same) == "second-person"
            await done(console, correct, second=Second(name="dan", password=PASSWORD))
            assert await refused(console, c.OpenSeat(seat="1", kind="rapid-select")) == "seat-exists"


@played
async def test_a_voucher_is_given_once_and_again_to_whoever_repeats(tmp_path: Path) -> None:
    async with a_floor(tmp_path) as rig:
        await rig.open_table()
        heard, staff = Heard(), Heard()
        async with await rig.seat("1", told=heard) as seat, await rig.console(told=staff) as console:
            await done(seat, c.BuyCredits(seat="1", cents=100_00))
            first = await seat.repeat(50, CashOut(seat="1"))
            again = await seat.repeat(50, CashOut(seat="1"))
            await console.until(lambda seen: "credits-paid-out" in staff.kinds)

            assert first.voucher is not None
            assert len(first.voucher) == 18
            assert (again.voucher, again.repeated) == (first.voucher, True)
            assert rig.floor.cage.find(first.voucher).cents == 100_00
            assert heard.told[-1].event["voucher"] == first.voucher
            assert first.voucher not in str(staff.told)
            assert await refused(seat, CashOut(seat="1")) == "no-credits"


@played
async def test_credits_above_the_limit_are_no_voucher(tmp_path: Path) -> None:
    async with a_floor(tmp_path) as rig:
        await rig.open_table(voucher_limit_cents=50_00)
        async with await rig.seat("1") as seat:
            await done(seat, c.BuyCredits(seat="1", cents=100_00))
            answer = await done(seat, CashOut(seat="1"))
            assert answer.voucher is None
            assert seat.seat.lock == "attendant-pay"


@played
async def test_the_pit_sees_every_table(tmp_path: Path) -> None:
    async with a_floor(tmp_path) as rig:
        await rig.open_table("R1")
        await rig.open_table("M1", "rws-money-wheel")
        async with await rig.pit() as pit, await rig.console(table="M1") as console:
            assert set(pit.pit) == {"R1", "M1"}
            await done(console, c.OpenRound())
            await pit.until(lambda seen: seen.pit["M1"].view.round is not None)
            assert pit.pit["R1"].view.round is None
            assert await refused(pit, c.CloseBets()) == "only-watching"


@played
async def test_an_address_is_taken_from_a_proxy_of_ours_and_from_nobody_else(tmp_path: Path) -> None:
    for proxies, address in ((("127.0.0.1",), "203.0.113.9"), ((), "127.0.0.1")):
        async with a_floor(tmp_path / address, proxies=proxies) as rig:
            await rig.open_table()
            token = await rig.sign_in("max")
            headers = {"X-Forwarded-For": "198.51.100.1, 203.0.113.9"}
            async with connect(rig.socket_url, additional_headers=headers) as socket:
                hello = {"type": "hello", "version": 1, "token": token, "audience": "console", "table": "R1"}
                await socket.send(json.dumps(hello))
                while json.loads(await socket.recv())["type"] != "snapshot":
                    pass
                second = {"name": "dan", "password": "not the password"}
                order = {"type": "command", "number": 1, "do": {"type": "open-round"}, "second": second}
                await socket.send(json.dumps(order))
                while json.loads(await socket.recv())["type"] != "answer":
                    pass
            failed = [record for record in rig.floor.store.read("office") if record.kind == "sign-in-failed"]
            assert address in failed[0].payload.decode()


@played
async def test_a_table_that_opens_does_not_say_any_more_that_it_is_closed(tmp_path: Path) -> None:
    async with a_floor(tmp_path) as rig:
        await rig.table()
        async with await rig.display() as display:
            assert display.table.notice == "This table is closed"
            await rig.do("R1", c.OpenTable())
            await display.until(lambda seen: seen.table.open)
            assert display.table.notice == ""


@pytest.mark.parametrize("audience", ["seat", "display", "console", "pit"])
@played
async def test_a_welcome_comes_before_everything_else(tmp_path: Path, audience: str) -> None:
    async with a_floor(tmp_path) as rig:
        await rig.open_table()
        devices = {"seat": "terminal", "display": "display"}
        token = await rig.token(devices[audience]) if audience in devices else await rig.sign_in("sue")
        table = "R1" if audience == "console" else None
        async with connect(rig.socket_url) as socket:
            hello = {"type": "hello", "version": 1, "token": token, "audience": audience, "table": table}
            await socket.send(json.dumps(hello))
            assert [json.loads(await socket.recv())["type"] for _ in range(2)] == ["welcome", "snapshot"]


@played
async def test_a_result_that_is_changed_before_its_confirmation_is_not_announced(tmp_path: Path) -> None:
    async with a_floor(tmp_path) as rig:
        await rig.open_table()
        shown, staff = Heard(), Heard()
        async with await rig.display(told=shown) as display, await rig.console(told=staff) as console:
            await done(console, c.OpenRound())
            await done(console, c.CloseBets())
            await done(console, c.StartSpin())
            await done(console, c.EnterResult(result="5"))
            await display.until(lambda seen: seen.table.round.result == "5")
            before = display.table.notice
            await done(console, c.CorrectResult(round=1, result="8", reason="mistyped"))
            await display.until(lambda seen: seen.table.round.result == "8")
            assert display.table.notice == before
            # Why is the staff's business: nobody else was told a result that needs a word.
            await console.until(lambda seen: "result-corrected" in staff.kinds)
            assert shown.told[-1].event["type"] == "result-corrected"
            assert "reason" not in shown.told[-1].event
            assert staff.told[staff.kinds.index("result-corrected")].event["reason"] == "mistyped"


@played
async def test_a_bet_that_is_held_up_on_its_way_is_not_placed_in_the_next_round(tmp_path: Path) -> None:
    async with a_floor(tmp_path) as rig:
        await rig.open_table()
        async with await rig.seat() as seat:
            await done(seat, c.BuyCredits(seat="1", cents=100_00))
            await rig.do("R1", c.OpenRound())
            await seat.until(lambda seen: seen.table.round is not None)
            write, held = seat._write, list[bytes]()

            async def hold(raw: bytes) -> None:
                held.append(raw)

            seat._write = hold
            bet = c.PlaceBets(seat="1", stakes=(c.Stake("red", 5_00),))
            sent = [asyncio.create_task(seat.send(do)) for do in (bet, c.BuyCredits(seat="1", cents=1_00))]
            await rig.do("R1", c.CallNoSpin(reason="a test"))
            await rig.do("R1", c.OpenRound())
            for raw in held:
                await write(raw)
            late, bought = await asyncio.gather(*sent)
            assert late.refused.code == "another-round"
            assert bought.refused is None, "money is moved all the same"
            seat._write = write
            await seat.until(lambda seen: seen.table.round_number == 2)
            await done(seat, bet)
            assert (seat.seat.credits_cents, seat.seat.stakes) == (96_00, {"red": 5_00})


@played
async def test_who_names_no_round_is_served_as_ever(tmp_path: Path) -> None:
    async with a_floor(tmp_path) as rig:
        await rig.open_table()
        async with await rig.seat() as seat:
            await done(seat, c.BuyCredits(seat="1", cents=100_00))
            await rig.do("R1", c.OpenRound())
            bet = c.PlaceBets(seat="1", stakes=(c.Stake("red", 5_00),))
            number = seat.welcome.server_ms * 2
            assert (await seat.repeat(number, bet)).refused is None
            assert (await seat.repeat(number, bet, None, 9)).repeated, "a number stands for what is done"
            assert (await seat.repeat(number + 1, bet, None, 9)).refused.code == "another-round"
