"""The public names of the library, read from its source: what each package exports, and what has no docstring."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import griffe

DEEPEST = 4  # parts of a public path: gambol.a.b.c


@dataclass(frozen=True)
class PublicName:
    """A name in the `__all__` of a package.

    path: under which it is imported. package: the path of the package. definition: the object, or None where the name
    cannot be resolved without running the code. hidden: a module of the package has the same name.
    """

    path: str
    package: str
    definition: griffe.Object | None
    hidden: bool = False

    @property
    def documented(self) -> bool:
        """Whether the definition is found and has a docstring."""
        return self.definition is not None and self.definition.docstring is not None

    @property
    def identifier(self) -> str:
        """The path by which the reference shows it: where a module has its name, that of the definition."""
        return self.definition.path if self.hidden and self.definition else self.path

    @property
    def summary(self) -> str:
        """The first line of the docstring."""
        docstring = self.definition.docstring if self.definition else None
        return docstring.value.splitlines()[0] if docstring else ""


def load(source: Path, root: str) -> griffe.Module:
    """Return the package `root` in the folder `source`, parsed and not imported."""
    package = griffe.load(root, search_paths=[source], resolve_aliases=True)
    if not isinstance(package, griffe.Module):
        raise TypeError(f"{root} is no package")
    return package


def public_packages(package: griffe.Module) -> Iterator[griffe.Module]:
    """Yield the package and the packages in it that export names, parents first, in alphabetical order."""
    if package.exports is not None:
        yield package
    for name in sorted(package.modules):
        child = package.members[name]
        if isinstance(child, griffe.Module) and child.is_init_module and child.path.count(".") < DEEPEST:
            yield from public_packages(child)


def public_names(package: griffe.Module) -> list[PublicName]:
    """Return the names in the `__all__` of one package, in its order."""
    return [_public_name(package, str(name)) for name in package.exports or ()]


def homes(root: griffe.Module) -> dict[str, PublicName]:
    """Return where each definition is explained, by its path: in the highest package below `root` that exports it."""
    below = [package for package in public_packages(root) if package is not root]
    found: dict[str, PublicName] = {}
    for package in [*sorted(below, key=lambda package: package.path.count(".")), root]:
        for name in public_names(package):
            if name.definition is not None:
                found.setdefault(name.definition.path, name)
    return found


def undocumented(root: griffe.Module) -> list[str]:
    """Return the paths of public names without a docstring, and of those that cannot be found in the source."""
    names = (name for package in public_packages(root) for name in public_names(package))
    return [name.path for name in names if not name.documented]


def _public_name(package: griffe.Module, name: str) -> PublicName:
    definition = _definition(package, name)
    try:
        member = package.members.get(name)
        hidden = (member.final_target if isinstance(member, griffe.Alias) else member) is not definition
    except (griffe.AliasResolutionError, griffe.CyclicAliasError):
        hidden = True
    return PublicName(f"{package.path}.{name}", package.path, definition, hidden)


def _definition(module: griffe.Module, name: str) -> griffe.Object | None:
    """Return the object that a name of a module is, found by its imports, since a submodule may have the same name."""
    if name not in module.imports:
        member = module.members.get(name)
        return None if isinstance(member, griffe.Alias) else member
    source, _, original = module.imports[name].rpartition(".")
    found: griffe.Object | griffe.Alias | None = module.package
    for part in source.split(".")[1:]:
        found = found.members.get(part) if found else None
    if isinstance(found, griffe.Module):
        return _definition(found, original)
    return None
