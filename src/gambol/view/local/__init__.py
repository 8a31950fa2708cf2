"""A web server for browsers on this machine: one page at a secret address, and handlers for its requests."""

from gambol.view.local.server import LOOPBACK, POLL_INTERVAL, LocalServer

__all__ = ["LOOPBACK", "POLL_INTERVAL", "LocalServer"]
