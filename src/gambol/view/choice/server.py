"""A booth where creatures stand to be chosen: a web server on 127.0.0.1 that only knows one page.

Whoever may use it has its address, in which there is a random word that no other page can guess; requests must name
this machine as their host, so a name that leads here from elsewhere does not do. The page loads nothing from anywhere.
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
from gambol.view.choice.request import Visit
from gambol.view.template import filled

HERE = "127.0.0.1"
PATIENCE = 0.05  # between looks at whether Ctrl-C was pressed [s]
MOST_CANDIDATES = 9


@dataclass(frozen=True)
class Candidate:
    """A creature to be chosen, or not: its number, what there is to say of it, its film as packed for the player.

    marked: why it cannot be chosen, or "".
    """

    number: int
    words: str
    film: str
    marked: str = ""


class Door(ThreadingHTTPServer):
    """A server that says nothing of visitors who leave before they are answered."""

    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Tell of errors in the booth itself alone."""
        if not isinstance(sys.exception(), (ConnectionError, TimeoutError)):
            super().handle_error(request, client_address)


class Booth:
    """The server of one page. title: of the page; port: 0 for any that is free. Use it as a context.

    Raises GambolError for a port that cannot be had.
    """

    def __init__(self, title: str, port: int = 0) -> None:
        if not 0 <= port < 2**16:
            raise GambolError(f"--port: there is no port {port}; give 0 for any that is free, or up to {2**16 - 1}")
        self._token = secrets.token_urlsafe(24)
        self._choices: SimpleQueue[list[int]] = SimpleQueue()
        self._lock = threading.Lock()
        self._generation = -1
        self._candidates: tuple[Candidate, ...] = ()
        self.page = filled("choice", {"title": html.escape(title)}).encode()
        try:
            self._server = Door((HERE, port), partial(Visit, self))
        except OSError as error:
            raise GambolError(f"--port: {port} cannot be had ({error.strerror}); give another, or 0") from error
        self.hosts = tuple(f"{name}:{self._server.server_port}" for name in (HERE, "localhost"))
        self._thread = threading.Thread(target=self._server.serve_forever, args=(PATIENCE,), daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    @property
    def address(self) -> str:
        """What to open in a browser."""
        return f"http://{self.hosts[0]}/{self._token}/"

    def chosen(self, generation: int, candidates: Sequence[Candidate]) -> list[int]:
        """Show a generation and wait until somebody has chosen: the places of the chosen, from 0; perhaps none.

        Ctrl-C ends the waiting.
        """
        with self._lock:
            self._generation, self._candidates = generation, tuple(candidates[:MOST_CANDIDATES])
        while True:
            try:
                return self._choices.get(timeout=PATIENCE)
            except Empty:
                continue

    def knows(self, word: str) -> bool:
        """Whether this is the word that opens the booth."""
        return secrets.compare_digest(word.encode(), self._token.encode())

    def told(self) -> bytes:
        """What there is to choose from, as JSON; nothing while the next generation grows."""
        with self._lock:
            shown = {"generation": self._generation, "creatures": [asdict(one) for one in self._candidates]}
        return json.dumps(shown).encode()

    def take(self, generation: object, picks: object) -> str:
        """Take what somebody has chosen; why it cannot be, or ""."""
        with self._lock:
            if not self._candidates or generation != self._generation:
                return "another generation is shown by now"
            if not isinstance(picks, list):
                return "picks are a list"
            places: list[object] = list(picks)  # pyright: ignore[reportUnknownArgumentType]
            taken = [k for k, one in enumerate(self._candidates) if k in places and not one.marked]
            if len(taken) != len(places) or any(type(place) is not int for place in places):
                return f"picks are different whole numbers below {len(self._candidates)}, of creatures that count"
            self._candidates = ()
        self._choices.put(taken)
        return ""
