"""Meters by seat: each of them moves by what it stands for, and none of them runs out of digits."""

from pathlib import Path
from typing import Any

from croupier.floor import load_table
from croupier.journal import open_store
from croupier.protocol.asking import CashOut
from croupier.table import Meters
from croupier.table import commands as c
from server.floor_rig import done
from server.server_rig import LiveServer

TEN_DIGITS = 9_999_999_999


def readings(live: LiveServer, table: str = "R1") -> dict[str | None, dict[str, Any]]:
    """Of each seat, and of the table under None, as they are shown on demand."""
    with live.client(live.staff_token("auditor")) as auditor:
        shown = auditor.get(f"/api/tables/{table}/meters").raise_for_status().json()
    return {
        line["seat"]: line["meters"] | {"credits_cents": line["credits_cents"]} for line in shown["readings"]
    }


def test_each_meter_of_a_seat_moves_by_what_it_stands_for(tmp_path: Path) -> None:
    with LiveServer(tmp_path, tables={"R1": "mbs-roulette"}) as live:

        async def change_seats() -> None:
            """A voucher of seat 2 is redeemed at seat 1, and seat 1 is given one."""
            async with await live.rig.seat("1") as first, await live.rig.seat("2") as second:
                await done(second, c.BuyCredits(seat="2", cents=700_00))
                voucher = (await done(second, CashOut(seat="2"))).voucher
                await done(first, c.BuyCredits(seat="1", cents=700_00, voucher=voucher))

        live.run(change_seats)
        live.play("R1", {"1": {"straight:7": 10_00, "black": 5_00}}, "7")
        live.play("R1", {"1": {"black": 5_00}}, "7")
        before = readings(live)["1"]

        async def leave() -> None:
            async with await live.rig.seat("1") as first:
                await done(first, CashOut(seat="1"))

        live.run(leave)
        live.do("R1", c.BuyCredits(seat="1", cents=20_000_00), c.PayByAttendant(seat="1"))
        after = readings(live)
    assert before == {
        **dict.fromkeys(Meters.__struct_fields__, 0),
        "cash_in_cents": 20_00,
        "vouchers_in_cents": 700_00,
        "turnover_cents": 20_00,
        "wins_cents": 360_00,
        "games_played": 2,
        "games_won": 1,
        "credits_cents": 1_060_00,
    }
    moved = {name: after["1"][name] - before[name] for name in before if after["1"][name] != before[name]}
    assert moved == {
        "cash_in_cents": 20_000_00,
        "vouchers_out_cents": 1_060_00,
        "attendant_pays_cents": 20_000_00,
        "credits_cents": -1_060_00,
    }
    assert after[None] == {name: after["1"][name] + after["2"][name] for name in after["1"]}
    assert after["2"]["vouchers_out_cents"] == 700_00


def test_meters_have_more_than_ten_digits_and_lose_none(tmp_path: Path) -> None:
    with LiveServer(tmp_path, tables={"R1": "mbs-roulette"}) as live:
        for _ in range(12):
            live.do("R1", c.BuyCredits(seat="1", cents=TEN_DIGITS), c.PayByAttendant(seat="1"))
        shown = readings(live)["1"]
        with live.client(live.staff_token("auditor")) as auditor:
            listed = auditor.get("/api/tables/R1/export", params={"kind": "meters"}).text
    assert (shown["cash_in_cents"], shown["attendant_pays_cents"]) == (12 * TEN_DIGITS, 12 * TEN_DIGITS)
    assert "1199999999.88" in listed
    store = open_store(str(tmp_path / "journal.db"))
    loaded = load_table(store, "R1")
    store.close()
    assert loaded is not None
    assert loaded.state.seats["1"].meters.cash_in_cents == 12 * TEN_DIGITS
