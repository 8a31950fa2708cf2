"""The pages of the API reference, as Markdown: one for each top package, and an index of `import gambol`."""

from pathlib import PurePosixPath

import griffe
from docstring_text import as_markdown
from public_names import PublicName, homes, public_names, public_packages
from source_pages import source_link

FOLDER = PurePosixPath("reference")
INTRODUCTION = """\
Made from the docstrings of the source. Each page is a package with the packages in it. A name is explained in the
highest package that exports it, and has a link to its source. Units are SI; letters are those of the
[glossary](../glossary.md).
"""


def reference_pages(root: griffe.Module) -> dict[str, str]:
    """Return the Markdown of each page by its path in the docs; the index, which names all others, is first."""
    explained = homes(root)
    packages = [package for package in public_packages(root) if package is not root]
    tops = sorted({package.path.split(".")[1] for package in packages})
    pages = {_page(root.path): _index(root, tops, explained)}
    for top in tops:
        inside = [package for package in packages if package.path.split(".")[1] == top]
        pages[_page(f"{root.path}.{top}")] = "\n".join(_section(package, explained) for package in inside)
    return pages


def _page(path: str) -> str:
    """Return the page that explains a package or one of its names."""
    parts = path.split(".")
    return str(FOLDER / (f"{parts[1]}.md" if len(parts) > 1 else "index.md"))


def _index(root: griffe.Module, tops: list[str], explained: dict[str, PublicName]) -> str:
    lines = ["# Reference\n", INTRODUCTION, "## Packages\n", "| package | contents |", "| --- | --- |"]
    for top in tops:
        docstring = root.members[top].docstring
        contents = docstring.value.splitlines()[0] if docstring else ""
        lines.append(f"| [{root.path}.{top}]({top}.md) | {_escaped(contents)} |")
    lines += [f"\n## import {root.path}\n", "| name | what it is |", "| --- | --- |"]
    here: list[PublicName] = []
    for name in public_names(root):
        if name.definition is None:
            continue
        home = explained[name.definition.path]
        here += [home] if home.package == root.path else []
        lines.append(f"| {_link(home, root.path)} | {_escaped(name.summary)} |")
    return "\n".join([*lines, "\n", *(_entry(name) for name in here)])


def _section(package: griffe.Module, explained: dict[str, PublicName]) -> str:
    mark = "#" if package.path.count(".") == 1 else "##"
    docstring = package.docstring.value if package.docstring else ""
    text = f"{mark} {package.path} {{ #{package.path} }}\n\n{as_markdown(docstring, set())}\n"
    elsewhere: list[PublicName] = []
    for name in public_names(package):
        if name.definition is None:
            continue
        home = explained[name.definition.path]
        if home == name:
            text += _entry(name)
        else:
            elsewhere.append(home)
    if elsewhere:
        text += "\nAlso in this package: " + ", ".join(_link(home, package.path) for home in elsewhere) + ".\n"
    return text


def _entry(name: PublicName) -> str:
    assert name.definition is not None
    return f"\n::: {name.identifier}\n\n{source_link(name.definition, FOLDER)}\n{{ .source }}\n\n"


def _link(home: PublicName, reader: str) -> str:
    page = _page(home.package)
    target = "" if page == _page(reader) else PurePosixPath(page).name
    return f"[{home.path.rpartition('.')[2]}]({target}#{home.identifier})"


def _escaped(text: str) -> str:
    for letter in "\\*_<|[":
        text = text.replace(letter, "\\" + letter)
    return text
