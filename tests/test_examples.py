"""Every example runs and does what its first line says."""

import runpy
from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).parent.parent / "examples").glob("*.py"))


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
@pytest.mark.filterwarnings("ignore:energy does not balance:gambol.world.events.ledger.LedgerWarning")  # of first order
def test_example(example: Path) -> None:
    runpy.run_path(str(example), run_name="__main__")
