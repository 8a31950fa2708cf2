"""A page of several creatures, each with its film: the visitor chooses which one plays."""

from gambol.view.gallery.page import Exhibit, write_gallery

__all__ = ["Exhibit", "write_gallery"]
