"""USD: reading the rigid bodies of a stage as a model, through OpenUSD in a separate process."""

from gambol.formats.usd.reading import read_usd

__all__ = ["read_usd"]
