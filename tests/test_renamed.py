"""Names of earlier versions raise errors that say the new ones."""

import importlib
import re
from pathlib import Path

import pytest

import gambol
from gambol.renamed import renamed

RENAMED = renamed()
FUNCTIONS = {"gambol.evolve.run"}  # names of former packages that are functions now
PAGE = (Path(__file__).parents[1] / "docs" / "migration.md").read_text()


@pytest.mark.parametrize("old", RENAMED)
def test_the_error_of_an_old_name_contains_its_full_new_name(old: str):
    package, _, name = old.rpartition(".")
    with pytest.raises(ImportError, match=rf"(?m)^\s*{re.escape(old)} is now {re.escape(RENAMED[old])}(;|$)"):
        exec(f"import {old}" if old in FUNCTIONS else f"from {package} import {name}")


@pytest.mark.parametrize("new", sorted(set(RENAMED.values())))
def test_every_new_name_exists(new: str):
    package, _, name = new.rpartition(".")
    assert importlib.util.find_spec(package)
    assert hasattr(importlib.import_module(package), name) or importlib.util.find_spec(new)


def test_the_error_of_an_old_attribute_contains_its_new_name():
    with pytest.raises(AttributeError, match=r"gambol\.Specimen is now gambol\.Model"):
        _ = gambol.Specimen


def test_unknown_modules_are_errors_of_python():
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("gambol.nothing")


def test_the_page_about_migration_lists_every_renamed_name():
    listed = dict(re.findall(r"^\| `(gambol\.[\w.]+)` \| `(gambol\.[\w.]+)` \|$", PAGE, re.MULTILINE))
    assert listed == RENAMED
