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


WITHOUT_EXTRAS = """
import sys
for name in ("gymnasium", "onnxruntime", "mujoco", "casadi", "pandas", "distributed", "cma", "ribs", "pygltflib"):
    sys.modules[name] = None  # as if it were not installed: an import raises ModuleNotFoundError
from importlib import util
find_spec = util.find_spec
util.find_spec = lambda name, package=None: None if sys.modules.get(name, 0) is None else find_spec(name, package)
from gambol import *
print(Figure.__name__, make_env.__name__, callable(run))
import gambol.env
for call in (make_env, lambda: gambol.env.VectorEnvironment):
    try:
        call()
    except ModuleNotFoundError as error:
        print(error)
"""


def test_every_public_name_is_loaded_without_extras():
    done = subprocess.run([sys.executable, "-c", WITHOUT_EXTRAS], capture_output=True, text=True, check=False)
    assert not done.stderr
    message = "environments need gymnasium; install it by: pip install 'gambol[gymnasium]'"
    assert done.stdout.splitlines() == ["Figure make_env True", message, message]
