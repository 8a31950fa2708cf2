"""Where the meshes lie that a URDF file names."""

from pathlib import Path


def mesh_file(name: str, beside: Path) -> Path | None:
    """Where a mesh lies that a file in the folder `beside` names; None when it cannot be found.

    package://NAME/REST: REST is looked for in every folder above that holds it, with and without NAME.
    """
    name = name.removeprefix("file://")
    if not name.startswith(("package://", "model://")):
        return _existing(beside / name)
    rest = name.partition("://")[2]
    inside = rest.partition("/")[2]
    folders = (beside.resolve(), *beside.resolve().parents)
    return next((found for folder in folders for way in (rest, inside) if (found := _existing(folder / way))), None)


def _existing(path: Path) -> Path | None:
    try:
        return path if path.is_file() else None
    except (OSError, ValueError):  # a name that is too long, or holds a null
        return None
