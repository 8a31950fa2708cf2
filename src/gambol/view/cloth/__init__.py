"""A page that simulates a cloth: its steps run in the browser as WebAssembly."""

from gambol.view.cloth.page import write_cloth_page

__all__ = ["write_cloth_page"]
