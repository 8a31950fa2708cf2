"""The manual's tables of commands are those of the language."""

from pathlib import Path

import pytest

from gambol.script.commands import COMMANDS, GROUPS
from gambol.script.language.command import Definition

PAGE = Path(__file__).parents[3] / "docs" / "use" / "scripts.md"


def manual_line(definition: Definition) -> str:
    """Return the line of the manual for a definition."""
    usage = definition.usage.replace("|", "\\|")
    return f"| `{usage}` | {definition.description}{' (added by gambol)' if definition.is_extension else ''} |"


@pytest.mark.parametrize("group", GROUPS)
def test_the_manual_has_every_row_of_a_group(group):
    page = PAGE.read_text(encoding="utf-8")
    assert f"### {group}\n" in page
    missing = [manual_line(definition) for definition in GROUPS[group] if manual_line(definition) not in page]
    assert not missing, "\n".join(missing)


def test_the_manual_has_no_other_rows():
    rows = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| `")]
    commands = [line for line in rows if line in {manual_line(definition) for definition in COMMANDS.values()}]
    assert len(commands) == len(COMMANDS)
