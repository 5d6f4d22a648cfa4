"""The notebook of the lab runs from its first cell to its last, and what it asserts is true."""

import json
from pathlib import Path
from typing import Any

NOTEBOOK = Path(__file__).parents[2] / "docs" / "lab-notebook.ipynb"


def cells(kind: str) -> list[dict[str, Any]]:
    notebook = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    return [cell for cell in notebook["cells"] if cell["cell_type"] == kind]


def test_every_cell_runs_in_one_namespace() -> None:
    namespace: dict[str, Any] = {"__name__": "__main__"}
    for cell in cells("code"):
        exec(compile("".join(cell["source"]), f"{NOTEBOOK.name}:{cell['id']}", "exec"), namespace)
    assert round(namespace["result"].mean_cents / 100, 6) == 892.680097


def test_no_output_is_kept_in_it() -> None:
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in cells("code"))


def test_it_asserts_what_it_claims() -> None:
    assert sum("assert " in "".join(cell["source"]) for cell in cells("code")) >= len(cells("code")) - 1
    assert len(cells("markdown")) >= 6
