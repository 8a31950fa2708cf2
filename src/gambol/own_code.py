"""Functions and classes of the user, by name: `module:name` or `path/file.py:name`.

Loading executes the module. Therefore names come only from the command line or from a call, never from a file.
"""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

from gambol.errors import GambolError, did_you_mean


def load_callable(address: str) -> Callable[..., Any]:
    """Return a function or class of a module, which is executed here.

    address: "module:name", where modules of the current folder are found, too, or "path/file.py:name". Raises
    GambolError for an address of another form, a missing module or name, a name that cannot be called, and an error in
    the module, with its line.
    """
    source, _, name = address.rpartition(":")
    if not (source and name.isidentifier()):
        raise GambolError(f'"{address}" is neither MODULE:NAME nor FILE.py:NAME, such as law.py:balance')
    is_file = source.endswith(".py")
    if is_file and not Path(source).is_file():
        raise GambolError(f'there is no file "{source}"')
    found = _named(_executed(source, _module_of_file if is_file else _module_here), source, name)
    if not callable(found):
        raise GambolError(f'"{name}" of "{source}" is a {type(found).__name__}, not a function')
    return found


def load_object(module: str, name: str) -> Any:
    """Return an object of an installed module, which is executed here if it is not imported yet.

    module: full name of the module. name: name of the object. Raises GambolError for a missing module or name, and for
    an error in the module, with its line.
    """
    return _named(_executed(module, import_module), module, name)


def line_of(error: BaseException) -> str:
    """Return " in line N of FILE" for the last line of the user's code in which an error was raised, or ""."""
    if isinstance(error, SyntaxError) and error.filename:
        return f" in line {error.lineno} of {error.filename}"
    frames = [frame for frame in traceback.extract_tb(error.__traceback__)[1:] if _is_of_user(frame.filename)]
    return f" in line {frames[-1].lineno} of {frames[-1].filename}" if frames else ""


def _is_of_user(filename: str) -> bool:
    return "site-packages" not in filename and not filename.startswith("<frozen") and filename != __file__


def _named(module: ModuleType, source: str, name: str) -> Any:
    """Return an object of a module by its name. Raises GambolError, with the nearest name, if there is none."""
    if not hasattr(module, name):
        known = [other for other in vars(module) if not other.startswith("_")]
        raise GambolError(f'"{source}" has no object "{name}"; {did_you_mean(name, known)}')
    return getattr(module, name)


def _executed(source: str, load: Callable[[str], ModuleType]) -> ModuleType:
    """Return a module by its name or the path of its file. Raises GambolError if it cannot be executed."""
    try:
        return load(source)
    except ModuleNotFoundError as error:
        if error.name and (source == error.name or source.startswith(f"{error.name}.")):
            raise GambolError(
                f'there is no module "{source}", here or installed; a file is named FILE.py:NAME'
            ) from error
        raise GambolError(f'"{source}" imports the missing module "{error.name}"{line_of(error)}') from error
    except (Exception, SystemExit) as error:
        raise GambolError(f'"{source}" raised {type(error).__name__}{line_of(error)}: {error}') from error


def _module_of_file(path: str) -> ModuleType:
    name = str(Path(path).resolve())  # no other module has this name
    spec = spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[name] = module_from_spec(spec)  # dataclasses need their module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def _module_here(name: str) -> ModuleType:
    """Return a module that is installed or in the current folder."""
    here = str(Path.cwd())
    sys.path.insert(0, here)
    try:
        return import_module(name)
    finally:
        sys.path.remove(here)
