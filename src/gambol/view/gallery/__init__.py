"""A page of several creatures, each with its film: the visitor chooses which one plays."""

from gambol.view.gallery.page import GalleryEntry, write_gallery

__all__ = ["GalleryEntry", "write_gallery"]
