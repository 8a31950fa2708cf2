"""Code quality: lengths of files and functions, and the modules that `import gambol` loads."""

import ast
import subprocess
import sys
from pathlib import Path

SOURCE = Path(__file__).parents[1] / "src" / "gambol"
FILES = sorted(SOURCE.rglob("*.py"))
HEAVY = {"imageio", "llvmlite", "matplotlib", "mujoco", "pinocchio", "pyvista", "scipy", "typer", "viser", "vtkmodules"}

MAX_FILE_LINES = 300
MAX_FUNCTION_LINES = 40
LONG_FUNCTIONS: dict[str, str] = {}
"""Functions that may be longer, as "package/module.py:name", each with its reason."""


def trees() -> dict[str, ast.Module]:
    return {path.relative_to(SOURCE).as_posix(): ast.parse(path.read_text()) for path in FILES}


def functions(tree: ast.Module) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    return [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]


def code_lines(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Lines of a function without its decorators, signature and docstring."""
    body = node.body[1:] if ast.get_docstring(node) else node.body
    return 0 if not body else (body[-1].end_lineno or 0) - body[0].lineno + 1


def test_importing_gambol_loads_nothing_heavy():
    code = "import sys, gambol; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not HEAVY & {name.partition(".")[0] for name in loaded}


def test_functions_fit_a_screen_or_have_a_reason():
    long = {
        f"{name}:{node.name}"
        for name, tree in trees().items()
        for node in functions(tree)
        if code_lines(node) > MAX_FUNCTION_LINES
    }
    assert long == set(LONG_FUNCTIONS)


def test_files_stay_short():
    assert not [path.name for path in FILES if len(path.read_text().splitlines()) > MAX_FILE_LINES]
