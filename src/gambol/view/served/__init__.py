"""A view of a world of the running program, in a page that the program serves to browsers on this machine."""

from gambol.view.served.live_view import LiveView
from gambol.view.served.opening import opened, show

__all__ = ["LiveView", "opened", "show"]
