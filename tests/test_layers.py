"""The source tree: names of packages and modules; lint-imports checks the imports."""

import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "gambol"
PACKAGES = sorted(path.parent for path in SOURCE.glob("*/__init__.py"))
DRAWERS = {"utils", "util", "common", "helpers", "misc", "core"}  # names that say nothing about the contents


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


def test_tests_mirror_the_source_tree():
    folders = {path.parent.name for path in (ROOT / "tests").glob("*/test_*.py")}
    assert folders <= {path.name for path in PACKAGES} | {"benchmarks"}
