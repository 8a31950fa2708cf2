"""Every example runs and does what its first line says."""

import runpy
from pathlib import Path

import pytest

SLOW = ("cape", "engineers_day", "go2_balance", "go2_trot", "hills", "net", "plan_gait", "rope")  # 20 s to two minutes
EXAMPLES = [
    pytest.param(path, id=path.stem, marks=[pytest.mark.slow] if path.stem in SLOW else [])
    for path in sorted((Path(__file__).parent.parent / "examples").glob("*.py"))
]


@pytest.mark.parametrize("example", EXAMPLES)
@pytest.mark.filterwarnings("ignore:energy does not balance:gambol.world.events.ledger.LedgerWarning")  # of first order
def test_example(example: Path) -> None:
    runpy.run_path(str(example), run_name="__main__")
