"""The manual's tables of commands are those of the language."""

from pathlib import Path

import pytest

from gambol.script.commands import COMMANDS, GROUPS
from gambol.script.language.row import Row

PAGE = Path(__file__).parents[3] / "docs" / "use" / "scripts.md"


def line_of(row: Row) -> str:
    """A row as the manual shows it."""
    usage = row.usage.replace("|", "\\|")
    return f"| `{usage}` | {row.does}{' (added by gambol)' if row.ours else ''} |"


@pytest.mark.parametrize("group", GROUPS)
def test_the_manual_has_every_row_of_a_group(group):
    page = PAGE.read_text(encoding="utf-8")
    assert f"### {group}\n" in page
    missing = [line_of(row) for row in GROUPS[group] if line_of(row) not in page]
    assert not missing, "\n".join(missing)


def test_the_manual_has_no_other_rows():
    rows = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| `")]
    commands = [line for line in rows if line in {line_of(row) for row in COMMANDS.values()}]
    assert len(commands) == len(COMMANDS)
