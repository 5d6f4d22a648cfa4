"""What every test of a transcript needs: the clauses that its mark names."""

import pytest


@pytest.fixture
def marked(request: pytest.FixtureRequest) -> tuple[str, ...]:
    """The clauses in the mark on this case of the test."""
    return tuple(clause for marker in request.node.iter_markers("clause") for clause in marker.args)
