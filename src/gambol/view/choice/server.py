"""The choice server: a web server on 127.0.0.1 with one page, on which a person chooses creatures.

Its address contains a random token that other pages cannot guess. Requests must name this machine in their Host header,
which prevents DNS rebinding. The page loads no external resources.
"""

import html
import json
import secrets
import sys
import threading
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import partial
from http.server import ThreadingHTTPServer
from queue import Empty, SimpleQueue
from typing import Any, Self

from gambol.errors import GambolError
from gambol.view.choice.request import ChoiceRequestHandler
from gambol.view.template import fill_template

LOOPBACK = "127.0.0.1"
POLL_INTERVAL = 0.05  # between checks for Ctrl-C [s]
MAX_CANDIDATES = 9  # three rows of three on the page


@dataclass(frozen=True)
class Candidate:
    """A creature on the page.

    number: number of the creature; words: its caption; film: the film, encoded for the player. marked: the reason why
    the creature cannot be chosen, or "".
    """

    number: int
    words: str
    film: str
    marked: str = ""


class ChoiceHttpServer(ThreadingHTTPServer):
    """An HTTP server that ignores clients that disconnect before the response."""

    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Report errors other than lost connections."""
        if not isinstance(sys.exception(), (ConnectionError, TimeoutError)):
            super().handle_error(request, client_address)


class ChoiceServer:
    """The server of the page. title: title of the page; port: port of the server; 0: any free port.

    Use it in a with statement. Raises GambolError for a port that is not available.
    """

    def __init__(self, title: str, port: int = 0) -> None:
        if not 0 <= port < 2**16:
            raise GambolError(f"--port: there is no port {port}; give 0 for any free port, or at most {2**16 - 1}")
        self._token = secrets.token_urlsafe(24)
        self._choices: SimpleQueue[list[int]] = SimpleQueue()
        self._lock = threading.Lock()
        self._generation = -1
        self._candidates: tuple[Candidate, ...] = ()
        self.page = fill_template("choice", {"title": html.escape(title)}).encode()
        try:
            self._server = ChoiceHttpServer((LOOPBACK, port), partial(ChoiceRequestHandler, self))
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

    def chosen(self, generation: int, candidates: Sequence[Candidate]) -> list[int]:
        """Show a generation, wait for the choice, and return the indices of the chosen candidates, or an empty list.

        generation: number of the generation; candidates: its creatures, of which the first MAX_CANDIDATES are shown.
        Ctrl-C ends the wait.
        """
        with self._lock:
            self._generation, self._candidates = generation, tuple(candidates[:MAX_CANDIDATES])
        while True:
            try:
                return self._choices.get(timeout=POLL_INTERVAL)
            except Empty:
                continue

    def is_token(self, text: str) -> bool:
        """Return True if a text is the secret token of the address."""
        return secrets.compare_digest(text.encode(), self._token.encode())

    def candidates_json(self) -> bytes:
        """Return the candidates as JSON; the list is empty while the next generation is simulated."""
        with self._lock:
            data = {"generation": self._generation, "creatures": [asdict(candidate) for candidate in self._candidates]}
        return json.dumps(data).encode()

    def submit(self, generation: object, picks: object) -> str:
        """Submit a choice; return the reason if it is invalid, or ""."""
        with self._lock:
            if not self._candidates or generation != self._generation:
                return "the page shows another generation now"
            if not isinstance(picks, list):
                return "picks must be a list"
            indices: list[object] = list(picks)  # pyright: ignore[reportUnknownArgumentType]
            chosen = [k for k, candidate in enumerate(self._candidates) if k in indices and not candidate.marked]
            if len(chosen) != len(indices) or any(type(index) is not int for index in indices):
                return (
                    f"picks must be different integers below {len(self._candidates)}, of creatures that can be chosen"
                )
            self._candidates = ()
        self._choices.put(chosen)
        return ""
