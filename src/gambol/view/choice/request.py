"""One visit to a booth: what is asked for, checked to the last word, and answered."""

import json
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler
from typing import Any, Protocol

MOST_BYTES = 4096
"""Of what a visitor may send."""

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


class Host(Protocol):
    """What a visit needs of a booth. hosts: by which names it may be called; page: its only one."""

    hosts: tuple[str, ...]
    page: bytes

    def knows(self, word: str) -> bool:
        """Whether a word opens it."""
        ...

    def told(self) -> bytes:
        """The candidates as JSON."""
        ...

    def take(self, generation: object, picks: object) -> str:
        """A choice; why it cannot be."""
        ...


class Visit(BaseHTTPRequestHandler):
    """Answers one request: GET /WORD/ and /WORD/generation, POST /WORD/choose; nothing else is there."""

    server_version, sys_version = "gambol", ""
    timeout = 30.0

    def __init__(self, host: Host, *words: Any) -> None:
        self._host = host
        super().__init__(*words)

    def do_GET(self) -> None:
        """The page, or what there is to choose from."""
        match self._place():
            case "":
                self._answer(HTTPStatus.OK, self._host.page, "text/html; charset=utf-8")
            case "generation":
                self._answer(HTTPStatus.OK, self._host.told())
            case _:
                self._refuse(HTTPStatus.NOT_FOUND, "there is nothing here")

    def do_POST(self) -> None:
        """A choice."""
        if self._place() != "choose":
            self._refuse(HTTPStatus.NOT_FOUND, "there is nothing here")
        elif (said := self._said()) is not None:
            why = self._host.take(said.get("generation"), said.get("picks"))
            if why:
                self._refuse(HTTPStatus.CONFLICT, why)
            else:
                self._answer(HTTPStatus.OK, b"{}")

    def _place(self) -> str | None:
        """What comes after the word, None for whoever does not know it or calls us by another name."""
        parts = self.path.split("/")
        origin = self.headers.get("Origin", "")
        if self.headers.get("Host") not in self._host.hosts or len(parts) != 3 or not self._host.knows(parts[1]):
            return None
        if origin and origin.removeprefix("http://") not in self._host.hosts:
            return None
        return parts[2]

    def _said(self) -> dict[str, Any] | None:
        """What was sent, a mapping; None if that cannot be read, which was answered then."""
        size = self.headers.get("Content-Length", "")
        if not size.isdecimal() or len(size) > 8 or int(size) > MOST_BYTES:
            self._refuse(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"send at most {MOST_BYTES} bytes, and say how many")
            return None
        if self.headers.get_content_type() != "application/json":
            self._refuse(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "send application/json")
            return None
        try:
            said: Any = json.loads(self.rfile.read(int(size)))
        except (ValueError, RecursionError):
            said = None
        if isinstance(said, dict):
            return said  # pyright: ignore[reportUnknownVariableType]
        self._refuse(HTTPStatus.BAD_REQUEST, 'send {"generation": N, "picks": [...]}')
        return None

    def _refuse(self, status: HTTPStatus, why: str) -> None:
        self.close_connection = True  # whatever else was sent is not read
        self._answer(status, json.dumps({"error": why}).encode())

    def _answer(self, status: HTTPStatus, body: bytes, kind: str = "application/json") -> None:
        self.send_response(status)
        for name, value in HEADERS.items():
            self.send_header(name, value)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing: the address has the word in it."""
