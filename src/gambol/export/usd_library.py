"""OpenUSD's modules, which have no types, imported where they are used."""

from importlib import import_module
from typing import Any

from gambol.errors import GambolError


def usd_modules(*names: str) -> list[Any]:
    """Return modules of OpenUSD, such as "UsdGeom". Raises GambolError if usd-core is not installed."""
    try:
        return [import_module(f"pxr.{name}") for name in names]
    except ImportError as error:
        raise GambolError('USD needs usd-core; install it by: pip install "gambol[export]"') from error
