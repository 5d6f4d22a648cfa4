"""What leaves a journal: rows, dispute bundles, projections."""
