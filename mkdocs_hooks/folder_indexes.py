"""What the indexes of the docs leave out: each folder has an index.md that names all its pages."""

import re
from pathlib import Path

LINK = re.compile(r"\]\(([^)#\s]+)")


def missing_from_indexes(docs: Path, left_out: tuple[str, ...] = ()) -> list[str]:
    """Return a sentence for each folder without index.md, and for each page that the index of its folder does not name.

    docs: the folder of the docs, whose index names the indexes of its folders too. left_out: pages that are not part of
    the site, by their path in it.
    """
    pages = {page for page in docs.rglob("*.md") if page.relative_to(docs).as_posix() not in left_out}
    faults: list[str] = []
    for folder in sorted({page.parent for page in pages}):
        index = folder / "index.md"
        if index not in pages:
            faults.append(f"{folder.relative_to(docs)} has no index.md")
            continue
        named = {(folder / target).resolve() for target in LINK.findall(index.read_text())}
        own = {page for page in pages if page.parent == folder and page != index}
        own |= {page for page in pages if page.name == "index.md" and page.parent.parent == folder and page != index}
        faults += [
            f"{index.relative_to(docs)} does not name {page.relative_to(folder)}"
            for page in sorted(own)
            if page.resolve() not in named
        ]
    return faults
