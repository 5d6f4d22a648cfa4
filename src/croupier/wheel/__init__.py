"""Where spins come from: a hand, a simulation, a wheel with sensors."""
