"""What the process of the lab does first: everything once, on something small, so that it is compiled."""

from croupier.rulebook import load_book


def warm_up() -> None:
    """Compiles whatever a screen may ask for, or loads it where it was compiled before."""
    # Imported here, because the server only names this function, and runs without the lab's libraries too.
    from croupier.lab import Limits, Session, make_system, net_distribution, place_slip, play_session
    from croupier.lab.simulate import simulate_sessions

    book = load_book("mbs-roulette")
    net_distribution(place_slip(book, {"red": 100}), 1000)
    net_distribution(place_slip(book, {"red": 101, "straight:17": 37, "dozen:1": 77}), 100_000)
    for name in ("martingale", "kelly", "andrucci"):
        session = Session(
            system=make_system(name, book, 100),
            bankroll_cents=2000,
            rounds=50,
            goal_cents=4000,
            limits=Limits(maximum_cents=500),
        )
        play_session(session)
        simulate_sessions(session, 10, seed=1, threads=1)
