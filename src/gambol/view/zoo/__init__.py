"""The first page of a site of creatures: pictures with links to their pages."""

from gambol.view.zoo.page import ZooEntry, write_zoo

__all__ = ["ZooEntry", "write_zoo"]
