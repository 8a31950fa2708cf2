"""Templates of pages: their names are replaced once, and all of them."""

import base64
import hashlib
import re
from dataclasses import replace
from importlib.resources import files

import pytest

from gambol.view import write_page
from gambol.view.template import MODULES, content_policy, fill_template, substitute


def test_a_part_is_put_in_as_it_is_with_the_braces_that_it_holds():
    assert substitute("<{{a}}|{{b}}|{{a}}>", {"a": "{{b}}", "b": r"\1{{a}}"}) == r"<{{b}}|\1{{a}}|{{b}}>"


@pytest.mark.parametrize("parts", [{"a": "1"}, {"a": "1", "b": "2", "c": "3"}])
def test_a_part_too_many_or_too_few_is_an_error(parts):
    with pytest.raises(KeyError, match=r"'(the names of a template and of its texts differ in [bc])'"):
        substitute("{{a}} {{b}}", parts)


def test_every_page_names_the_parts_that_it_is_filled_with():
    for folder, names in (
        ("player", ["title", "film"]),
        ("choice", ["title", "worker"]),
        ("lineage", ["title", "lineage", "films", "programs", "worker"]),
    ):
        assert "{{" not in fill_template(folder, dict.fromkeys(names, ""))


def test_each_script_comes_after_those_that_it_imports():
    """The loader gives the modules their addresses in this order."""
    known = set()
    for name, path in MODULES.items():
        script = (files("gambol.view") / path).read_text()
        assert set(re.findall(r'^import .* from "(\w+)";', script, re.MULTILINE)) <= known, name
        known.add(name)


def test_the_policy_allows_the_loader_and_the_style_by_their_hashes_only():
    policy = content_policy("player")
    page = fill_template("player", {"title": "", "film": ""})
    for directive, tag in (("script-src", "script"), ("style-src", "style")):
        text = re.search(f"<{tag}>(.*?)</{tag}>", page, re.DOTALL)[1]
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{directive} 'sha256-{digest}'" in policy
    assert f'content="{policy}"' in page
    assert "unsafe" not in policy
    assert "data:" not in policy.replace("img-src data:", "")


def test_a_film_whose_name_is_a_placeholder_stays_in_its_page(film, tmp_path):
    plain = write_page(film, tmp_path / "plain.html").read_text()
    page = write_page(replace(film, name="a {{film}} \x1b[2J<b>"), tmp_path / "page.html").read_text()
    assert "<title>a {{film}} [2J&lt;b&gt;</title>" in page
    assert len(page) < len(plain) + 100
