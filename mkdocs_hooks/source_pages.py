"""The source files of the library as pages of the site, with an anchor at each line."""

from pathlib import Path, PurePosixPath

import griffe
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

FOLDER = PurePosixPath("source")
STYLE = "body{margin:1em 2em;font:14px sans-serif} pre{line-height:1.35} .linenos{color:#999;padding-right:1em}"


def source_page(file: Path, source: Path) -> tuple[str, str]:
    """Return the path of the page of one Python file in the docs, and its HTML."""
    name = file.relative_to(source).as_posix()
    formatter = HtmlFormatter(
        full=True, title=name, linenos="table", lineanchors="line", anchorlinenos=True, cssstyles=STYLE
    )
    return _page(name), highlight(file.read_text(), PythonLexer(), formatter)


def source_link(definition: griffe.Object, reader: PurePosixPath) -> str:
    """Return a link in Markdown from a page in the folder `reader` to the line of a definition."""
    name = PurePosixPath(str(definition.relative_package_filepath)).as_posix()
    up = "../" * len(reader.parts)
    return f"[{name}, line {definition.lineno}]({up}{_page(name)}#line-{definition.lineno})"


def _page(name: str) -> str:
    return str(FOLDER / name.replace(".py", ".html"))
