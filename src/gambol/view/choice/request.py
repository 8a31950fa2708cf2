"""The handler of HTTP requests to the choice server; it validates every request."""

import json
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler
from typing import Any, Protocol

MAX_BYTES = 4096
"""Largest size of a request body."""

HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'unsafe-inline' data:; style-src 'unsafe-inline'; connect-src 'self'; "
        "img-src data: blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
"""Headers of every response. The page cannot load from other hosts, and no other page may embed it."""


class ChoiceBackend(Protocol):
    """The interface of the choice server for its handler. hosts: accepted values of Host; page: the HTML page."""

    hosts: tuple[str, ...]
    page: bytes

    def is_token(self, text: str) -> bool:
        """Return True if a text is the secret token of the address."""
        ...

    def candidates_json(self) -> bytes:
        """Return the candidates as JSON."""
        ...

    def submit(self, generation: object, picks: object) -> str:
        """Submit a choice; return the reason if it is invalid, or ""."""
        ...


class ChoiceRequestHandler(BaseHTTPRequestHandler):
    """Handler of one request: GET /TOKEN/ and /TOKEN/generation, POST /TOKEN/choose; others get status 404."""

    server_version, sys_version = "gambol", ""
    timeout = 30.0  # s without data from the browser

    def __init__(self, backend: ChoiceBackend, *arguments: Any) -> None:
        self._backend = backend
        super().__init__(*arguments)

    def do_GET(self) -> None:
        """Send the page, or the candidates."""
        match self._requested_path():
            case "":
                self._send(HTTPStatus.OK, self._backend.page, "text/html; charset=utf-8")
            case "generation":
                self._send(HTTPStatus.OK, self._backend.candidates_json())
            case _:
                self._send_error(HTTPStatus.NOT_FOUND, "there is nothing here")

    def do_POST(self) -> None:
        """Submit a choice."""
        if self._requested_path() != "choose":
            self._send_error(HTTPStatus.NOT_FOUND, "there is nothing here")
        elif (message := self._read_json()) is not None:
            reason = self._backend.submit(message.get("generation"), message.get("picks"))
            if reason:
                self._send_error(HTTPStatus.CONFLICT, reason)
            else:
                self._send(HTTPStatus.OK, b"{}")

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
        self._send_error(HTTPStatus.BAD_REQUEST, 'send {"generation": N, "picks": [...]}')
        return None

    def _send_error(self, status: HTTPStatus, reason: str) -> None:
        self.close_connection = True  # the rest of the request is not read
        self._send(status, json.dumps({"error": reason}).encode())

    def _send(self, status: HTTPStatus, body: bytes, content_type: str = "application/json") -> None:
        self.send_response(status)
        for name, value in HEADERS.items():
            self.send_header(name, value)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Do not log, since the address contains the token."""
