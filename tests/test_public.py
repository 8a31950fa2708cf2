"""The contents of `import gambol`, and its cost."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import gambol


@pytest.mark.parametrize("name", gambol.__all__)
def test_every_public_name_is_there(name):
    assert getattr(gambol, name).__name__ == name
    assert name in dir(gambol)


def test_editors_see_what_is_loaded_lazily():
    tree = ast.parse(Path(gambol.__file__).read_text())
    shown = {
        alias.name: node.module
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("gambol.")
        for alias in node.names
    }
    assert shown == {name: module for module, names in gambol.MODULES.items() for name in names}
    assert set(shown) == set(gambol.__all__)


def test_other_names_are_not_there():
    with pytest.raises(AttributeError, match="Gambol"):
        _ = gambol.Gambol


def test_importing_loads_nothing_of_its_own():
    code = "import sys, gambol; print(*(m for m in sys.modules if m.startswith(('gambol.', 'numpy'))))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert loaded.stdout.strip() == ""
