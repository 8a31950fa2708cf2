"""The handler of HTTP requests to a local server; it validates every request."""

import json
from collections.abc import Callable, Mapping
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler
from typing import Any, Protocol, TypeAlias

from gambol.errors import GambolError

MessageHandler: TypeAlias = Callable[[Mapping[str, Any]], bytes]
"""A function that takes a message and returns a response as JSON; it may raise GambolError to refuse the message."""

MAX_BYTES = 4096
"""Maximum size of a request body."""

HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "{policy}; frame-ancestors {embedders}",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
"""Headers of every response. Only pages of `embedders` may embed the page."""


class LocalBackend(Protocol):
    """The interface of the local server for its handler. hosts: accepted values of Host; for others see LocalServer."""

    hosts: tuple[str, ...]
    page: bytes
    policy: str
    get_handlers: dict[str, Callable[[], bytes]]
    post_handlers: dict[str, MessageHandler]
    embedders: str

    def is_token(self, text: str) -> bool:
        """Return True if a text is the secret token of the address."""
        ...


class LocalRequestHandler(BaseHTTPRequestHandler):
    """Handler of one request: GET /TOKEN/, and GET or POST /TOKEN/PATH of the server's functions; others get 404."""

    server_version, sys_version = "gambol", ""
    timeout = 30.0  # s without data from the browser

    def __init__(self, backend: LocalBackend, *arguments: Any) -> None:
        self._backend = backend
        super().__init__(*arguments)

    def do_GET(self) -> None:
        """Send the page, or the response of a function."""
        path = self._requested_path()
        if path == "":
            self._send(HTTPStatus.OK, self._backend.page, "text/html; charset=utf-8")
        elif path in self._backend.get_handlers:
            self._send(HTTPStatus.OK, self._backend.get_handlers[path]())
        else:
            self._send_error(HTTPStatus.NOT_FOUND, "there is nothing here")

    def do_POST(self) -> None:
        """Give a message to a function, and send its response."""
        path = self._requested_path()
        if path not in self._backend.post_handlers:
            self._send_error(HTTPStatus.NOT_FOUND, "there is nothing here")
        elif (message := self._read_json()) is not None:
            try:
                self._send(HTTPStatus.OK, self._backend.post_handlers[path](message))
            except GambolError as error:
                self._send_error(HTTPStatus.CONFLICT, str(error))

    def _requested_path(self) -> str | None:
        """Return the path after the token; None for a wrong token, host or origin."""
        parts = self.path.split("/")
        origin = self.headers.get("Origin", "")
        if (
            self.headers.get("Host") not in self._backend.hosts
            or len(parts) != 3
            or not self._backend.is_token(parts[1])
        ):
            return None
        if origin and origin.removeprefix("http://") not in self._backend.hosts:
            return None
        return parts[2]

    def _read_json(self) -> dict[str, Any] | None:
        """Return the JSON object of the request body; None, after an error response, if it is invalid."""
        size = self.headers.get("Content-Length", "")
        if not size.isdecimal() or len(size) > 8 or int(size) > MAX_BYTES:
            self._send_error(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"send at most {MAX_BYTES} bytes, and say how many")
            return None
        if self.headers.get_content_type() != "application/json":
            self._send_error(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "send application/json")
            return None
        try:
            message: Any = json.loads(self.rfile.read(int(size)))
        except (ValueError, RecursionError):
            message = None
        if isinstance(message, dict):
            return message  # pyright: ignore[reportUnknownVariableType]
        self._send_error(HTTPStatus.BAD_REQUEST, "send a JSON object")
        return None

    def _send_error(self, status: HTTPStatus, reason: str) -> None:
        self.close_connection = True  # the rest of the request is not read
        self._send(status, json.dumps({"error": reason}).encode())

    def _send(self, status: HTTPStatus, body: bytes, content_type: str = "application/json") -> None:
        self.send_response(status)
        for name, value in HEADERS.items():
            self.send_header(name, value.format(policy=self._backend.policy, embedders=self._backend.embedders))
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Do not log, since the address contains the token."""
