"""Checks of an MJCF file before MuJoCo compiles it: includes, files that it names, and requested sizes."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from gambol.errors import GambolError
from gambol.formats.model import check_size
from gambol.formats.safe_files import file_size, path_exists
from gambol.formats.xml_file import Element, read_xml

MAX_ELEMENTS = 10_000  # with all copies by <replicate> and <attach>; MuJoCo's time grows as the square
MAX_FILES = 1_000  # largest number of files that a file includes
MAX_DEPTH = 16  # levels of attached models
MAX_BYTES = 500_000_000  # bytes of a mesh, a texture or a height field

USER_KINDS = ("body", "jnt", "geom", "site", "cam", "tendon", "actuator", "sensor")
BOUNDS: Mapping[str, Mapping[tuple[str, ...], int]] = {
    "size": {
        ("nkey",): 10_000, ("nuserdata",): 1_000_000, ("njmax",): 1_000_000, ("nconmax",): 1_000_000,
        ("nstack",): 100_000_000, ("memory",): 2_000_000_000,
        **{(f"nuser_{kind}",): 1_000 for kind in USER_KINDS},
    },
    "hfield": {("nrow", "ncol"): 16_000_000},
    "texture": {("width", "height"): 64_000_000},
    "flexcomp": {("count",): 4_000},
    "composite": {("count",): 4_000},
    "numeric": {("size",): 1_000_000},
    "user": {("dim",): 1_000_000},
}  # fmt: skip
"""Limits of each element, by its tag: names of attributes, and the largest product of their numbers."""

FOLDERS = ("meshdir", "texturedir", "assetdir")
"""The attributes of <compiler> that name folders of assets."""

UNITS = {"k": 2**10, "m": 2**20, "g": 2**30, "t": 2**40, "p": 2**50, "e": 2**60}
"""The factors of the suffixes of a size, such as 2**20 in "16M"."""


@dataclass
class CheckedFile:
    """A checked MJCF file.

    path: path of the file. documents: its root element, then those of all included files. included: names of the
    included files. size: total size of the file and of all files that it names [bytes]. referenced: the document of
    each <include> and the file of each <model>, by the id() of the element.
    """

    path: Path
    documents: list[Element] = field(default_factory=list[Element])
    included: list[str] = field(default_factory=list[str])
    size: int = 0
    referenced: dict[int, "Element | CheckedFile"] = field(default_factory=dict[int, "Element | CheckedFile"])

    def elements(self) -> Iterator[Element]:
        """Iterate over the elements of all documents."""
        for document in self.documents:
            yield from document.walk()


def check_file(path: Path, root: Element) -> CheckedFile:
    """Check a file with all files that it includes and attaches.

    path: path of the file. root: its root element. Raises GambolError, with file and line, for files that are missing,
    cannot be read, are malformed XML, or include or attach each other in a circle, and for models too large to compile.
    """
    checked = _read(path, root, (), {})
    check_size(sum(element.tag == "body" for element in checked.elements()), root.file)
    _count_elements(checked, {})
    return checked


def _read(path: Path, root: Element, ancestors: tuple[Path, ...], cache: dict[Path, CheckedFile]) -> CheckedFile:
    """Read a file with its attached models. ancestors: the files that attach it. cache: files read so far, by path."""
    checked = CheckedFile(path, [root], [], file_size(path, "file"))
    _include(checked)
    folders = _asset_folders(checked)
    ancestors_and_self = (*ancestors, path.resolve())
    for element in checked.elements():
        _check_attributes(element)
        if element.tag == "model" and element.attributes.get("file"):
            checked.referenced[id(element)] = model = _attached(element, path, ancestors_and_self, cache)
            checked.size += model.size
        elif element.tag != "include":
            checked.size += _referenced_size(element, folders)
    return checked


def _include(checked: CheckedFile) -> None:
    """Read the included files, each once. Names are relative to the first file, as in MuJoCo."""
    first = checked.path.resolve()
    stack: list[tuple[Element, tuple[Path, ...]]] = [(checked.documents[0], (first,))]
    included_paths = {first}
    while stack:
        document, ancestors = stack.pop()
        for include in (element for element in document.walk() if element.tag == "include"):
            name = include.name("file")
            file = _resolved(checked.path.parent / name, include)
            if file in ancestors:
                chain = " -> ".join(ancestor.name for ancestor in (*ancestors, file))
                raise GambolError(f"{include.where}: files include each other in a circle: {chain}")
            if file in included_paths or len(included_paths) > MAX_FILES:
                too_many, repeated = f"after {MAX_FILES} others; include less", "again, but MuJoCo takes each file once"
                problem = too_many if file not in included_paths else repeated
                raise GambolError(f'{include.where}: "{name}" is included {problem}')
            try:
                checked.size += file_size(file, "file")
                included_document = read_xml(file)
            except GambolError as error:
                raise _with_location(error, file, include) from error
            included_paths.add(file)
            checked.documents.append(included_document)
            checked.included.append(name)
            checked.referenced[id(include)] = included_document
            stack.append((included_document, (*ancestors, file)))


def _resolved(path: Path, element: Element) -> Path:
    try:
        return path.resolve()
    except (OSError, ValueError, RuntimeError) as error:  # a null character, a name that is too long, circular links
        raise GambolError(f"{element.where}: <{element.tag}> names an impossible file: {error}") from error


def _attached(element: Element, path: Path, ancestors: tuple[Path, ...], cache: dict[Path, CheckedFile]) -> CheckedFile:
    """Return the checked file that a <model> element names; arguments: see _read()."""
    file = _resolved(path.parent / element.attributes["file"], element)
    if file in ancestors or len(ancestors) > MAX_DEPTH:
        chain = " -> ".join(ancestor.name for ancestor in (*ancestors, file))
        problem = (
            "attach each other in a circle" if file in ancestors else f"attach each other more than {MAX_DEPTH} deep"
        )
        raise GambolError(f"{element.where}: models {problem}: {chain}")
    try:
        if file not in cache:
            cache[file] = _read(file, read_xml(file), ancestors, cache)
        return cache[file]
    except GambolError as error:
        raise _with_location(error, file, element) from error


def _with_location(error: GambolError, file: Path, element: Element) -> GambolError:
    """Return an error about a file that an element names, with the element's location if the error has no location."""
    return error if str(error).startswith(file.name) else GambolError(f"{element.where}: {error}")


def _asset_folders(checked: CheckedFile) -> set[Path]:
    """Return the folders in which meshes and textures of a file may be."""
    folder = checked.path.parent
    compilers = (element for element in checked.elements() if element.tag == "compiler")
    names = {compiler.attributes.get(key, "") for compiler in compilers for key in FOLDERS}
    return {folder, *(folder / name for name in names)}


def _referenced_size(element: Element, folders: set[Path]) -> int:
    """Return the total size of the files that an element names [bytes]; MuJoCo reports missing files."""
    size = 0
    for key, name in element.attributes.items():
        for candidate in {name, Path(name).name} if key.startswith("file") and name else ():
            for folder in folders:
                if path_exists(folder / candidate):
                    try:
                        size += (length := file_size(folder / candidate, "file"))
                    except GambolError as error:
                        raise GambolError(f"{element.where}: {error}") from error
                    if length > MAX_BYTES:
                        raise GambolError(
                            f"{element.where}: {candidate} has {length} bytes; {MAX_BYTES} at most are read"
                        )
    return size


def _check_attributes(element: Element) -> None:
    """Raise GambolError for a NaN in an attribute (MuJoCo only warns) and for numbers beyond BOUNDS."""
    for name, value in element.attributes.items():
        if name not in ("name", "class", "file") and "nan" in value.lower().split():
            raise GambolError(f'{element.where}: <{element.tag} {name}="{value}"> has a NaN; give a number')
    for names, limit in BOUNDS.get(element.tag, {}).items():
        factors = [_factor(word) for name in names for word in element.attributes.get(name, "").split()]
        if math.prod(factors) > limit:
            attributes_text = " ".join(f'{name}="{element.attributes.get(name, "")[:40]}"' for name in names)
            raise GambolError(f"{element.where}: <{element.tag} {attributes_text}> exceeds {limit}; give less")


def _factor(word: str) -> int:
    """Return a number of an attribute as a factor; 1 for text that is not a number, and for numbers below 1."""
    unit = UNITS.get(word[-1:].lower(), 1)
    digits = word[:-1] if unit > 1 else word
    try:
        number = float(digits)
    except ValueError:
        return 1
    return 1 if math.isnan(number) else int(max(1.0, min(number, 1e18))) * unit


def _count_elements(checked: CheckedFile, cache: dict[int, int]) -> int:
    """Return the number of elements that MuJoCo creates, with all copies. cache: counts of attached models, by id()."""
    model_counts = {
        element.attributes.get("name", ""): _cached_count(model, cache)
        for element in checked.elements()
        if isinstance(model := checked.referenced.get(id(element)), CheckedFile)
    }
    count, stack = 0, [(checked.documents[0], 1)]
    while stack:
        element, copies = stack.pop()
        count += copies
        content = checked.referenced.get(id(element))
        if isinstance(content, Element):
            stack.append((content, copies))
        if isinstance(content, CheckedFile):
            count += cache[id(content)]  # MuJoCo reads it for each element that names it
        if element.tag == "attach":
            # for a model that is not found by name: at most the elements of all models
            count += copies * model_counts.get(element.attributes.get("model", ""), sum(model_counts.values()))
        child_copies = copies * _factor(element.attributes.get("count", "1")) if element.tag == "replicate" else copies
        if count > MAX_ELEMENTS and (copies > 1 or element.tag in ("attach", "model")):
            raise GambolError(
                f"{element.where}: with all copies there are more than {MAX_ELEMENTS} elements; copy less"
            )
        stack.extend((child, child_copies) for child in element.children)
    return count


def _cached_count(model: CheckedFile, cache: dict[int, int]) -> int:
    if id(model) not in cache:
        cache[id(model)] = _count_elements(model, cache)
    return cache[id(model)]
