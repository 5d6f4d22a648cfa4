"""What screens, bots and integrators say to a floor, and what they are told."""
