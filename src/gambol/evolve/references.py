"""Tasks, terms, searches, controls and bodies of the user, by reference: "module:name", or the name of an entry point.

Importing a module executes its code, and an archive may come from an unknown source. So a reference is followed only if
its module is allowed in this process: by allow_modules(), or because the user's command line or settings name it. An
entry point needs no permission, because the user installed its package.
"""

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any, cast

from gambol.errors import EvolveError, GambolError, did_you_mean
from gambol.own_code import load_object

REFERENCE = re.compile(r"([^\W\d]\w*(?:\.[^\W\d]\w*)*):([^\W\d]\w*)")
"""A reference: a module with its packages, a colon, and a name in the module."""

MODULE = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*")

MAX_LENGTH = 200
"""The largest number of characters of a reference or a module."""

_allowed: set[str] = set()


def allow_modules(*modules: str) -> None:
    """Allow references to import modules, and the modules inside them, in this process; nothing is imported yet.

    modules: full names of the modules, such as "mylab.tasks". Raises EvolveError for a text that is not a module name.
    """
    for module in modules:
        if len(module) > MAX_LENGTH or not MODULE.fullmatch(module):
            raise EvolveError(f'"{module}" is not a module; give its name as after `import`, such as mylab.tasks')
    _allowed.update(modules)


def allowed_modules() -> tuple[str, ...]:
    """Return the modules that references may import in this process, sorted."""
    return tuple(sorted(_allowed))


def is_reference(name: object) -> bool:
    """True for a text "module:name"."""
    return isinstance(name, str) and len(name) <= MAX_LENGTH and REFERENCE.fullmatch(name) is not None


def allow_references(value: Any) -> None:
    """Allow the modules of all references in plain data that the user gave; keys of mappings do not count."""
    allow_modules(*(reference.partition(":")[0] for reference in _references(value)))


def source_digests(value: Any) -> dict[str, str]:
    """Return a digest of the source of each module to which plain data refers: the version of its code.

    value: plain data, such as the settings of a run. The keys are "module NAME". Modules that are not allowed, or that
    cannot be imported, are left out; the error is raised when such a reference is followed.
    """
    modules = sorted({reference.partition(":")[0] for reference in _references(value)})
    digests = {f"module {module}": _source_digest(module) for module in modules if _is_allowed(module)}
    return {name: digest for name, digest in digests.items() if digest}


def _references(value: Any) -> Iterator[str]:
    """Yield the references in plain data; keys of mappings do not count."""
    if is_reference(value):
        yield value
    elif isinstance(value, Mapping):
        yield from _references(list(cast("Mapping[str, Any]", value).values()))
    elif isinstance(value, (list, tuple)):
        for item in cast("Sequence[Any]", value):
            yield from _references(item)


def _source_digest(module: str) -> str:
    """Return 16 hexadecimal digits of the SHA-256 of a module's file; "" for a module without a file."""
    try:
        file = getattr(import_module(module), "__file__", None)
        return hashlib.sha256(Path(file).read_bytes()).hexdigest()[:16] if file else ""
    except Exception:  # code of the user, which may raise anything; load_object() names it where it is used
        return ""


def _is_allowed(module: str) -> bool:
    """True for an allowed module, and for modules inside it."""
    return any(f"{module}.".startswith(f"{allowed}.") for allowed in _allowed)


def reference_of(function: Callable[..., Any], kind: str) -> str:
    """Return the reference of a function, and allow its module.

    kind: kind of the function, such as "term", for the message. Raises EvolveError for a function that other processes
    cannot import.
    """
    module, name = function.__module__, getattr(function, "__qualname__", "")
    if module == "__main__" or not is_reference(f"{module}:{name}"):
        raise EvolveError(
            f"other processes cannot import the {kind} {name or function!r} of {module}; "
            "put it at the top of a module of its own"
        )
    allow_modules(module)
    return f"{module}:{name}"


@dataclass(frozen=True)
class Kind:
    """A kind of objects that settings refer to by name, such as tasks.

    name: name of the kind, such as "task". table: the objects of this kind in gambol, by name.
    """

    name: str
    table: Mapping[str, Any]

    @property
    def group(self) -> str:
        """The group of its entry points: "gambol." and the plural of its name."""
        if self.name.endswith("y"):
            return f"gambol.{self.name[:-1]}ies"
        return f"gambol.{self.name}{'es' if self.name.endswith('ch') else 's'}"

    def is_known(self, name: object) -> bool:
        """Return True for a name in the table, a reference "module:name", and the name of an entry point."""
        if not isinstance(name, str):
            return False
        return name in self.table or is_reference(name) or self._entry_point(name) is not None

    def load(self, name: str) -> Any:
        """Return the user's object of a name that is not in the table.

        Raises EvolveError for an unknown name, for a module that is not allowed or cannot be imported, and for a name
        that the module lacks.
        """
        if is_reference(name):
            return self._attribute(*name.split(":"))
        if (point := self._entry_point(name)) is not None:
            try:
                return point.load()
            except (Exception, SystemExit) as error:  # the code of the package may raise anything
                package = f" of the package {point.dist.name}" if point.dist else ""
                raise EvolveError(
                    f'the {self.name} "{name}" is the entry point {point.value}{package}, which cannot be loaded: '
                    f"{type(error).__name__}: {error}; repair the package"
                ) from error
        hint = did_you_mean(name, self.table)
        raise EvolveError(
            f'there is no {self.name} "{name}"; {hint} (name one of your own as module:name, '
            "or install the package that has it as an entry point)"
        )

    def _entry_point(self, name: str) -> EntryPoint | None:
        return _entry_points(self.group).get(name)

    def _attribute(self, module: str, name: str) -> Any:
        """Return the object of a name in a module; see load()."""
        where = f'the {self.name} "{module}:{name}"'
        if not _is_allowed(module):
            raise EvolveError(
                f"{where} is code of the module {module}, which is not allowed here; if you trust it, give "
                f'--allow {module}, or in Python gambol.evolve.allow_modules("{module}")'
            )
        try:
            return load_object(module, name)
        except GambolError as error:
            raise EvolveError(
                f"{where}: {error}; its module must be installed, or in a folder of PYTHONPATH, on each machine that "
                "evaluates creatures"
            ) from error


@lru_cache
def _entry_points(group: str) -> dict[str, EntryPoint]:
    """Return the entry points of a group by name, from packages that were installed at the first call."""
    return {point.name: point for point in entry_points(group=group)}
