"""The local server: a web server on 127.0.0.1 with one page.

Its address contains a random token that other pages cannot guess. Requests must name this machine in their Host header,
which prevents DNS rebinding. The page loads no external resources.
"""

import secrets
import sys
import threading
from collections.abc import Callable, Mapping
from functools import partial
from http.server import ThreadingHTTPServer
from typing import Any, Self

from gambol.errors import GambolError
from gambol.view.local.request import LocalRequestHandler, MessageHandler

LOOPBACK = "127.0.0.1"
"""The address of this machine, which other machines cannot reach."""

POLL_INTERVAL = 0.05
"""Time between checks for Ctrl-C [s]."""


class QuietHttpServer(ThreadingHTTPServer):
    """An HTTP server that ignores clients that disconnect before the response."""

    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Report errors other than lost connections."""
        if not isinstance(sys.exception(), (ConnectionError, TimeoutError)):
            super().handle_error(request, client_address)


class LocalServer:
    """The server of a page.

    page: the HTML page; policy: its content security policy; get_handlers: functions that return a response as JSON, by
    their path below the address; post_handlers: functions that take a message, a JSON object, and return a response as
    JSON, by path; a GambolError that they raise is sent as the reason of a refusal. port: port of the server; 0: any
    free port. embedders: sources, as in a content security policy, of pages that may show the page in a frame. Use it
    in a with statement. Raises GambolError for a port that is not available.
    """

    def __init__(
        self,
        page: str,
        policy: str,
        *,
        get_handlers: Mapping[str, Callable[[], bytes]] | None = None,
        post_handlers: Mapping[str, MessageHandler] | None = None,
        port: int = 0,
        embedders: str = "'none'",
    ) -> None:
        if not 0 <= port < 2**16:
            raise GambolError(f"--port: there is no port {port}; give 0 for any free port, or at most {2**16 - 1}")
        self._token = secrets.token_urlsafe(24)
        self.page, self.policy, self.get_handlers, self.post_handlers, self.embedders = (
            page.encode(),
            policy,
            dict(get_handlers or {}),
            dict(post_handlers or {}),
            embedders,
        )
        try:
            self._server = QuietHttpServer((LOOPBACK, port), partial(LocalRequestHandler, self))
        except OSError as error:
            raise GambolError(f"--port: {port} is not available ({error.strerror}); give another, or 0") from error
        self.hosts = tuple(f"{name}:{self._server.server_port}" for name in (LOOPBACK, "localhost"))
        self._thread = threading.Thread(target=self._server.serve_forever, args=(POLL_INTERVAL,), daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    @property
    def address(self) -> str:
        """The address of the page, to open in a browser."""
        return f"http://{self.hosts[0]}/{self._token}/"

    def is_token(self, text: str) -> bool:
        """Return True if a text is the secret token of the address."""
        return secrets.compare_digest(text.encode(), self._token.encode())
