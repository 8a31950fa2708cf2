"""Whether gymnasium, an optional package, is installed, and the error if it is not."""

from importlib.util import find_spec

IS_INSTALLED = find_spec("gymnasium") is not None
"""True if gymnasium is installed."""


def missing_gymnasium() -> ModuleNotFoundError:
    """Return the error that says how to install gymnasium."""
    return ModuleNotFoundError(
        "environments need gymnasium; install it by: pip install 'gambol[gymnasium]'", name="gymnasium"
    )
