"""What is looked at before MuJoCo sees a file: what it includes and names, and how much it asks for."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from gambol.errors import GambolError
from gambol.formats.markup import Element, read_markup
from gambol.formats.opening import file_size, is_there
from gambol.formats.specimen import check_size

MOST_COPIES = 10_000  # elements, with all copies that <replicate> and <attach> make; MuJoCo's time grows as the square
MOST_FILES = 1_000
DEEPEST = 16  # models attached inside each other
LARGEST = 500_000_000  # bytes of a mesh, a texture or a height field

USERS = ("body", "jnt", "geom", "site", "cam", "tendon", "actuator", "sensor")
BOUNDS: Mapping[str, Mapping[tuple[str, ...], int]] = {
    "size": {
        ("nkey",): 10_000, ("nuserdata",): 1_000_000, ("njmax",): 1_000_000, ("nconmax",): 1_000_000,
        ("nstack",): 100_000_000, ("memory",): 2_000_000_000,
        **{(f"nuser_{kind}",): 1_000 for kind in USERS},
    },
    "hfield": {("nrow", "ncol"): 16_000_000},
    "texture": {("width", "height"): 64_000_000},
    "flexcomp": {("count",): 4_000},
    "composite": {("count",): 4_000},
    "numeric": {("size",): 1_000_000},
    "user": {("dim",): 1_000_000},
}  # fmt: skip
"""What some elements may ask for: attributes, whose numbers are multiplied, and the most that they may come to."""

FOLDERS = ("meshdir", "texturedir", "assetdir")
UNITS = {"k": 2**10, "m": 2**20, "g": 2**30, "t": 2**40, "p": 2**50, "e": 2**60}


@dataclass
class Guarded:
    """A file that was looked at: its documents, the first of which is its own; names of files that it includes.

    size: of it and of all files that it names, themselves included [bytes]. within: the document that each <include>
    stands for, and the model that each <model> names, by the identity of its element.
    """

    path: Path
    documents: list[Element] = field(default_factory=list[Element])
    included: list[str] = field(default_factory=list[str])
    size: int = 0
    within: dict[int, "Element | Guarded"] = field(default_factory=dict[int, "Element | Guarded"])

    def elements(self) -> Iterator[Element]:
        """The elements of all documents."""
        for document in self.documents:
            yield from document.walk()


def guarded(path: Path, root: Element) -> Guarded:
    """A file with what it includes and attaches. root: its outermost element.

    Raises GambolError, with file and line, for files that cannot be read, are no well-formed XML or include or attach
    each other in a circle, for what is no file, and for more than MuJoCo can make in a reasonable time.
    """
    found = _read(path, root, (), {})
    check_size(sum(element.tag == "body" for element in found.elements()), root.file)
    _copies(found, {})
    return found


def _read(path: Path, root: Element, trail: tuple[Path, ...], known: dict[Path, Guarded]) -> Guarded:
    """A file with its models; trail: of the models that attach it. known: what was read before; grows."""
    found = Guarded(path, [root], [], file_size(path, "file"))
    _include(found)
    bases = _bases(found)
    here = (*trail, path.resolve())
    for element in found.elements():
        _check(element)
        if element.tag == "model" and element.attributes.get("file"):
            found.within[id(element)] = model = _attached(element, path, here, known)
            found.size += model.size
        elif element.tag != "include":
            found.size += _named(element, bases)
    return found


def _include(found: Guarded) -> None:
    """Read what a file includes, each once, as MuJoCo does; it looks beside the first file."""
    first = found.path.resolve()
    waiting: list[tuple[Element, tuple[Path, ...]]] = [(found.documents[0], (first,))]
    taken = {first}
    while waiting:
        document, trail = waiting.pop()
        for include in (element for element in document.walk() if element.tag == "include"):
            name = include.name("file")
            file = _resolved(found.path.parent / name, include)
            if file in trail:
                chain = " -> ".join(step.name for step in (*trail, file))
                raise GambolError(f"{include.where}: files include each other in a circle: {chain}")
            if file in taken or len(taken) > MOST_FILES:
                cure = f"{MOST_FILES} files may be" if file not in taken else "MuJoCo takes each file once"
                raise GambolError(f'{include.where}: "{name}" is included once more, but {cure}')
            try:
                found.size += file_size(file, "file")
                inner = read_markup(file)
            except GambolError as error:
                raise _placed(error, file, include) from error
            taken.add(file)
            found.documents.append(inner)
            found.included.append(name)
            found.within[id(include)] = inner
            waiting.append((inner, (*trail, file)))


def _resolved(path: Path, element: Element) -> Path:
    try:
        return path.resolve()
    except (OSError, ValueError, RuntimeError) as error:  # a null character, too long a name, links in a circle
        raise GambolError(f"{element.where}: <{element.tag}> names what can be no file: {error}") from error


def _attached(element: Element, path: Path, trail: tuple[Path, ...], known: dict[Path, Guarded]) -> Guarded:
    """The model of another file."""
    file = _resolved(path.parent / element.attributes["file"], element)
    if file in trail or len(trail) > DEEPEST:
        chain = " -> ".join(step.name for step in (*trail, file))
        what = "attach each other in a circle" if file in trail else f"attach each other more than {DEEPEST} deep"
        raise GambolError(f"{element.where}: models {what}: {chain}")
    try:
        if file not in known:
            known[file] = _read(file, read_markup(file), trail, known)
        return known[file]
    except GambolError as error:
        raise _placed(error, file, element) from error


def _placed(error: GambolError, file: Path, by: Element) -> GambolError:
    """An error of a file that an element names: as it is where it tells a place in that file, else with the element."""
    return error if str(error).startswith(file.name) else GambolError(f"{by.where}: {error}")


def _bases(found: Guarded) -> set[Path]:
    """The folders in which a file's meshes and textures may lie."""
    folder = found.path.parent
    compilers = (element for element in found.elements() if element.tag == "compiler")
    named = {compiler.attributes.get(key, "") for compiler in compilers for key in FOLDERS}
    return {folder, *(folder / name for name in named)}


def _named(element: Element, bases: set[Path]) -> int:
    """The size of the files that an element names [bytes]; those that are not there are left to MuJoCo."""
    size = 0
    for key, name in element.attributes.items():
        for way in {name, Path(name).name} if key.startswith("file") and name else ():
            for base in bases:
                if is_there(base / way):
                    try:
                        size += (found := file_size(base / way, "file"))
                    except GambolError as error:
                        raise GambolError(f"{element.where}: {error}") from error
                    if found > LARGEST:
                        raise GambolError(f"{element.where}: {way} has {found} bytes; {LARGEST} at most are read")
    return size


def _check(element: Element) -> None:
    """Raise GambolError for an attribute with a NaN, of which MuJoCo only warns, and for numbers beyond all bounds."""
    for name, value in element.attributes.items():
        if name not in ("name", "class", "file") and "nan" in value.lower().split():
            raise GambolError(f'{element.where}: <{element.tag} {name}="{value}"> has a NaN; give a number')
    for names, most in BOUNDS.get(element.tag, {}).items():
        given = [_whole(word) for name in names for word in element.attributes.get(name, "").split()]
        if math.prod(given) > most:
            told = " ".join(f'{name}="{element.attributes.get(name, "")[:40]}"' for name in names)
            raise GambolError(f"{element.where}: <{element.tag} {told}> asks for more than {most}; give less")


def _whole(word: str) -> int:
    """A number of an attribute, to be multiplied: 1 for one that is none, or asks for nothing."""
    unit = UNITS.get(word[-1:].lower(), 1)
    digits = word[:-1] if unit > 1 else word
    try:
        number = float(digits)
    except ValueError:
        return 1
    return 1 if math.isnan(number) else int(max(1.0, min(number, 1e18))) * unit


def _copies(found: Guarded, known: dict[int, int]) -> int:
    """How many elements MuJoCo makes of a file with all copies; known: of the models that were counted before."""
    counts = {
        element.attributes.get("name", ""): _known_copies(model, known)
        for element in found.elements()
        if isinstance(model := found.within.get(id(element)), Guarded)
    }
    count, waiting = 0, [(found.documents[0], 1)]
    while waiting:
        element, times = waiting.pop()
        count += times
        inside = found.within.get(id(element))
        if isinstance(inside, Element):
            waiting.append((inside, times))
        if isinstance(inside, Guarded):
            count += known[id(inside)]  # it is read for each element that names it
        if element.tag == "attach":
            count += times * counts.get(element.attributes.get("model", ""), sum(counts.values()))
        copied = times * _whole(element.attributes.get("count", "1")) if element.tag == "replicate" else times
        if count > MOST_COPIES and (times > 1 or element.tag in ("attach", "model")):
            raise GambolError(f"{element.where}: with all copies there are more than {MOST_COPIES} elements; copy less")
        waiting.extend((child, copied) for child in element.children)
    return count


def _known_copies(model: Guarded, known: dict[int, int]) -> int:
    if id(model) not in known:
        known[id(model)] = _copies(model, known)
    return known[id(model)]
