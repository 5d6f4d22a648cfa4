"""Vouchers for tests: bought and cashed out at a table that runs."""

from croupier.protocol.asking import CashOut
from croupier.table.commands import BuyCredits
from server.floor_rig import done
from server.server_rig import LiveServer


def a_voucher(server: LiveServer, cents: int = 1_234_05, seat: str = "1") -> str:
    """Somebody buys credits at a seat of R1 and cashes out."""

    async def cash_out() -> str:
        async with await server.rig.seat(seat) as terminal:
            await done(terminal, BuyCredits(seat=seat, cents=cents))
            answer = await done(terminal, CashOut(seat=seat))
            assert answer.voucher is not None
            return answer.voucher

    return server.run(cash_out)
