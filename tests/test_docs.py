"""`make docs` fails on a dead link or anchor, an undocumented public name, and a page that no index names."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import gambol
from gambol.contact import CONTACT_METHODS
from gambol.control.patterns import PATTERNS
from gambol.creatures.table import CREATURES
from gambol.dynamics import METHODS
from gambol.evolve.genotype.genotype import BODY_CONTROLS
from gambol.evolve.search import SEARCHES
from gambol.evolve.tasks import TASKS
from gambol.figure import JOINTS
from gambol.integrate import INTEGRATORS

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
README = " ".join((ROOT / "README.md").read_text().split())
MAX_WORDS = 600  # of the README, outside of code blocks
MAX_DECISION_LINES = 45  # lines: a page
NUMBERS = (
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
    "twenty",
    "twenty-one",
    "twenty-two",
    "twenty-three",
    "twenty-four",
    "twenty-five",
    "twenty-six",
    "twenty-seven",
    "twenty-eight",
    "twenty-nine",
)
COUNTED = {
    "creatures by name": ("roach", *CREATURES),
    "contact methods": CONTACT_METHODS,
    "methods of forward dynamics": METHODS,
    "integrators": INTEGRATORS,
    "kinds of control": (*PATTERNS, *BODY_CONTROLS),
    "searches": SEARCHES,
    "tasks": TASKS,
}
"""The words of the README that stand for counts, and the table that is counted."""
SETTINGS = """\
site_name: small
strict: true
docs_dir: docs
hooks: [{hook}]
plugins:
  - search
  - mkdocstrings: {{handlers: {{python: {{paths: [src], options: {{docstring_style: null}}}}}}}}
extra: {{reference: {{source: src, package: small}}}}
validation:
  nav: {{omitted_files: warn}}
  links: {{not_found: warn, anchors: warn, absolute_links: warn, unrecognized_links: warn}}
nav: [index.md, glossary.md, {{Guide: [guide/index.md, guide/page.md]}}]
"""
PLANTS = """\
"Plants."

from small.plants.grow import grow, water

__all__ = ["grow", "water"]
"""
GROW = """\
def grow():
    "Return the height."


def water():
    "Return the litres."
"""
GOOD = {
    "docs/index.md": "# Small\n\n[Guide](guide/index.md), [reference](reference/index.md), [words](glossary.md)\n",
    "docs/glossary.md": "# Glossary\n",
    "docs/guide/index.md": "# Guide\n\n[Page](page.md)\n",
    "docs/guide/page.md": "# Page\n\n## Part\n\n[Part](#part), [water](../reference/plants.md#small.plants.water)\n",
    "src/small/__init__.py": '"""Small."""\n\nfrom small.plants import grow, water\n\n__all__ = ["grow", "water"]\n',
    "src/small/plants/__init__.py": PLANTS,
    "src/small/plants/grow.py": GROW,
}


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """Return a small project with docs that build."""
    for name, text in GOOD.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "mkdocs.yml").write_text(SETTINGS.format(hook=ROOT / "mkdocs_hooks" / "hook.py"))
    return tmp_path


def build(site: Path) -> tuple[bool, str]:
    """Build the site; return whether that succeeded, and what was printed."""
    command = [sys.executable, "-m", "mkdocs", "build", "--strict"]
    done = subprocess.run(command, cwd=site, capture_output=True, text=True, check=False)
    return done.returncode == 0, done.stdout + done.stderr


def test_the_reference_shows_every_public_name_with_its_source(site: Path) -> None:
    succeeded, printed = build(site)
    assert succeeded, printed
    page = (site / "site/reference/plants/index.html").read_text()
    assert 'id="small.plants.water"' in page
    assert 'id="small.plants.grow.grow"' in page  # the module has the shorter path
    assert "Return the height." in page
    assert "source/small/plants/grow.html#line-5" in page
    assert "line-5" in (site / "site/source/small/plants/grow.html").read_text()
    assert "plants/#small.plants.water" in (site / "site/reference/index.html").read_text()


@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        ("docs/guide/page.md", "# Page\n\n[gone](gone.md)\n", "gone.md"),
        ("docs/guide/page.md", "# Page\n\n[gone](index.md#gone)\n", "does not contain an anchor '#gone'"),
        ("docs/guide/page.md", "# Page\n\n[gone](../reference/plants.md#small.cut)\n", "#small.cut"),
        ("src/small/plants/grow.py", "def grow():\n    return 1\n", "small.plants.grow is public and has no docstring"),
        ("src/small/plants/grow.py", '"""Empty."""\n', "small.plants.water is public and has no docstring"),
        ("docs/guide/index.md", "# Guide\n", "guide/index.md does not name page.md"),
        ("docs/index.md", "# Small\n\n[words](glossary.md)\n", "index.md does not name guide/index.md"),
        ("docs/other/page.md", "# Page\n", "other has no index.md"),
    ],
    ids=["link", "anchor", "reference", "docstring", "name", "index", "folder", "no index"],
)
def test_a_fault_fails_the_build(site: Path, file: str, text: str, message: str) -> None:
    (site / file).parent.mkdir(exist_ok=True)
    (site / file).write_text(text)
    succeeded, printed = build(site)
    assert not succeeded
    assert message in printed


def test_a_page_outside_of_the_navigation_fails_the_build(site: Path) -> None:
    (site / "docs/guide/index.md").write_text("# Guide\n\n[Page](page.md), [hidden](hidden.md)\n")
    (site / "docs/guide/hidden.md").write_text("# Hidden\n")
    succeeded, printed = build(site)
    assert not succeeded
    assert "guide/hidden.md" in printed


def test_the_docs_of_gambol_build(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path / "site")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("decision", sorted(DOCS.glob("decisions/[0-9]*.md")), ids=lambda path: path.stem)
def test_a_decision_is_a_page(decision: Path) -> None:
    assert len(decision.read_text().splitlines()) <= MAX_DECISION_LINES


def test_the_readme_is_short() -> None:
    text = re.sub(r"```.*?```", "", README, flags=re.DOTALL)
    assert len(text.split()) <= MAX_WORDS


def test_the_readme_counts_the_rows_of_the_tables() -> None:
    counts = re.findall(rf"\b({'|'.join(NUMBERS)}) ({'|'.join(COUNTED)})", README) + [
        (number, "kinds") for number in re.findall(r"joints of (\w+) kinds", README)
    ]
    found = {what: NUMBERS.index(number) for number, what in counts}
    assert found == {what: len(table) for what, table in COUNTED.items()} | {"kinds": len(JOINTS)}


def test_the_readme_has_the_size_and_mass_of_the_roach() -> None:
    links, dofs, grams = re.findall(r"# (\d+) links, (\d+) degrees of freedom, ([\d.]+) g", README)[0]
    figure = gambol.roach().figure
    mass = sum(link.mass_properties.mass for link in figure.links)
    assert (len(figure.links), figure.nv, f"{1e3 * mass:.1f}") == (int(links), int(dofs), grams)


def test_the_files_of_a_contact_step_are_there() -> None:
    names = re.findall(r"`([a-z_/]+\.py)`", (DOCS / "theory/contact-step.md").read_text())
    assert names
    assert not [name for name in names if not (ROOT / "src/gambol" / name).is_file()]
