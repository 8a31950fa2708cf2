"""The bundle of three.js: made from the lock file of this tree, of what the scripts of pages use and no more."""

import importlib.util
import json
import re
from importlib.resources import files
from pathlib import Path

import pytest

from gambol.errors import GambolError
from gambol.view import template, write_page

ROOT = Path(__file__).parents[2]
SCRIPTS = sorted((ROOT / "src" / "gambol" / "view").glob("*/*.js"))
NAME = r"[A-Z]\w*"


def exported():
    """Names that the bundle exports, as its entry lists them."""
    entry = (ROOT / "page_bundle" / "three.js").read_text()
    return {name for names in re.findall(r"export \{(.*?)\}", entry, re.DOTALL) for name in re.findall(NAME, names)}


def used():
    """Names that the scripts of pages use of three.js."""
    return {name for script in SCRIPTS for name in re.findall(rf"\bTHREE\.({NAME})", script.read_text())}


def test_the_bundle_has_what_scripts_use_and_no_more():
    """A name that is missing here belongs into page_bundle/three.js; then build it: python hatch_build.py."""
    assert len(SCRIPTS) > 5
    assert used() == exported()


def test_the_bundle_is_made_from_the_lock_file_of_this_tree():
    spec = importlib.util.spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
    hook = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(hook)
    assert hook.is_current(), "python hatch_build.py builds it"


def test_every_package_of_the_lock_file_has_an_integrity_hash():
    lock = json.loads((ROOT / "page_bundle" / "package-lock.json").read_text())
    packages = {name: package for name, package in lock["packages"].items() if name}
    assert {"node_modules/three", "node_modules/esbuild"} <= packages.keys()
    assert all(package["integrity"].startswith("sha512-") for package in packages.values())


def test_a_page_carries_the_licence_of_three(film, tmp_path):
    page = write_page(film, tmp_path / "walk.html").read_text()
    for line in (files("gambol.view") / "player" / "three" / "LICENSE").read_text().split("\n"):
        assert line in page
    assert "three.js authors" in page


def test_the_error_of_a_missing_bundle_names_the_command_that_builds_it(monkeypatch):
    monkeypatch.setitem(template.MODULES, "three", "player/three/none.js")
    template.packed_scripts.cache_clear()
    with pytest.raises(GambolError, match=r"none\.js is missing, .*pip install --editable \."):
        template.packed_scripts("")
    template.packed_scripts.cache_clear()
