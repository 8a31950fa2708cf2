"""The source tree: names of packages and modules; lint-imports checks the imports."""

import ast
import tomllib
from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "gambol"
PACKAGES = sorted(path.parent for path in SOURCE.glob("*/__init__.py"))
DRAWERS = {"utils", "util", "common", "helpers", "misc", "core"}  # names that say nothing about the contents
DEEPEST = 4  # names in the path of a package: gambol.a.b.c
CIRCLES: tuple[tuple[str, ...], ...] = ()
"""Circles of modules that are allowed: none."""


def sources() -> dict[str, Path]:
    """Return the file of each module and package, by its dotted name."""
    files = {".".join(path.relative_to(ROOT / "src").with_suffix("").parts): path for path in SOURCE.rglob("*.py")}
    return {name.removesuffix(".__init__"): files[name] for name in sorted(files)}


def imported(text: str, known: Mapping[str, object]) -> Iterator[str]:
    """Yield the known modules that a source text imports: at its top, in functions, and for types only."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names if name.name in known)
        elif isinstance(node, ast.ImportFrom) and node.module in known:
            names = (f"{node.module}.{name.name}" for name in node.names)
            yield from (name if name in known else node.module for name in names)


def circle(graph: Mapping[str, set[str]]) -> list[str]:
    """Return the modules of a circle of imports, the first again at the end; empty if there is none."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return error.args[1][::-1]
    return []


def layers() -> list[set[str]]:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    rows = next(contract["layers"] for contract in contracts if contract["type"] == "layers")
    return [set(row.replace(" ", "").split("|")) for row in rows]


def test_every_package_has_its_layer():
    named = set().union(*layers())
    assert {path.name for path in PACKAGES} <= named
    assert all((SOURCE / name / "__init__.py").is_file() or (SOURCE / f"{name}.py").is_file() for name in named)


def test_no_module_is_a_drawer():
    assert not [path for path in SOURCE.rglob("*.py") if path.stem.lstrip("_") in DRAWERS]


def test_no_modules_import_each_other_in_a_circle():
    known = sources()
    graph = {name: set(imported(path.read_text(), known)) for name, path in known.items()}
    for first, *others in CIRCLES:
        graph[first] -= set(others)
    assert not circle(graph)


def test_circles_in_functions_and_of_types_are_found():
    known = {"a": "def f():\n    from b import x", "b": "if TYPE_CHECKING:\n    import c", "c": "from a import f"}
    graph = {name: set(imported(text, known)) for name, text in known.items()}
    assert set(circle(graph)) == {"a", "b", "c"}
    assert not circle(graph | {"c": set()})


def test_no_package_is_deeper_than_four_names():
    packages = [path.parent.relative_to(ROOT / "src").parts for path in SOURCE.rglob("__init__.py")]
    assert not [".".join(parts) for parts in packages if len(parts) > DEEPEST]


def test_tests_mirror_the_source_tree():
    folders = {path.parent.name for path in (ROOT / "tests").glob("*/test_*.py")}
    assert folders <= {path.name for path in PACKAGES} | {"benchmarks", "extend"}
