"""Templates of pages: their names are replaced once, and all of them."""

from dataclasses import replace

import pytest

from gambol.view import write_page
from gambol.view.template import fill_template, substitute


def test_a_part_is_put_in_as_it_is_with_the_braces_that_it_holds():
    assert substitute("<{{a}}|{{b}}|{{a}}>", {"a": "{{b}}", "b": r"\1{{a}}"}) == r"<{{b}}|\1{{a}}|{{b}}>"


@pytest.mark.parametrize("parts", [{"a": "1"}, {"a": "1", "b": "2", "c": "3"}])
def test_a_part_too_many_or_too_few_is_an_error(parts):
    with pytest.raises(KeyError, match=r"'(the names of a template and of its texts differ in [bc])'"):
        substitute("{{a}} {{b}}", parts)


def test_every_page_names_the_parts_that_it_is_filled_with():
    for folder, names in (
        ("player", ["title", "film"]),
        ("choice", ["title"]),
        ("lineage", ["title", "lineage", "films"]),
    ):
        assert "{{" not in fill_template(folder, dict.fromkeys(names, ""))


def test_a_film_whose_name_is_a_placeholder_stays_in_its_page(film, tmp_path):
    plain = write_page(film, tmp_path / "plain.html").read_text()
    page = write_page(replace(film, name="a {{film}} \x1b[2J<b>"), tmp_path / "page.html").read_text()
    assert "<title>a {{film}} [2J&lt;b&gt;</title>" in page
    assert len(page) < len(plain) + 100
