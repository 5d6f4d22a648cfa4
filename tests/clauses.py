"""The marker of tests that show a clause of the rules: `@clause("rws-roulette-000:3.8")`."""

import pytest

clause = pytest.mark.clause
