"""The choice server: a local server with one page, on which a person chooses creatures."""

import html
import json
import threading
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from queue import Empty, SimpleQueue
from typing import Any

from gambol.errors import GambolError
from gambol.view.live.encoded import SharedPrograms, worker_script
from gambol.view.local import POLL_INTERVAL, LocalServer
from gambol.view.template import SERVER_SOURCES, WORKER_SOURCES, content_policy, fill_template

ALLOWED = SERVER_SOURCES | WORKER_SOURCES
MAX_CANDIDATES = 9  # three rows of three on the page


@dataclass(frozen=True)
class Candidate:
    """A creature on the page.

    number: number of the creature; caption: text below the film; film: the film, encoded for the player; marked: the
    reason why the creature cannot be chosen, or ""; world: its world as text, see SharedPrograms, or "" if the page
    plays the film; motion_note: the reason why the page plays the film, or "".
    """

    number: int
    caption: str
    film: str
    marked: str = ""
    world: str = ""
    motion_note: str = ""


class ChoiceServer(LocalServer):
    """The server of the page. title: title of the page; port: port of the server; 0: any free port.

    Use it in a with statement. Raises GambolError for a port that is not available.
    """

    def __init__(self, title: str, port: int = 0) -> None:
        self._choices: SimpleQueue[list[int]] = SimpleQueue()
        self._lock = threading.Lock()
        self._generation = -1
        self._candidates: tuple[Candidate, ...] = ()
        self._programs = SharedPrograms().text()
        parts = {"title": html.escape(title), "worker": worker_script()}
        page = fill_template("choice", parts, ALLOWED)
        super().__init__(
            page,
            content_policy("choice", ALLOWED),
            get_handlers={"generation": self.candidates_json, "programs": self.programs_json},
            post_handlers={"choose": self._answer},
            port=port,
        )

    def chosen(self, generation: int, candidates: Sequence[Candidate], programs: str | None = None) -> list[int]:
        """Show a generation, wait for the choice, and return the indices of the chosen candidates, or an empty list.

        generation: number of the generation; candidates: its creatures, of which the first MAX_CANDIDATES are shown.
        programs: the programs of their worlds, see SharedPrograms.text(); None if no creature has a world. Ctrl-C
        ends the wait.
        """
        with self._lock:
            self._programs = self._programs if programs is None else programs
            self._generation, self._candidates = generation, tuple(candidates[:MAX_CANDIDATES])
        while True:
            try:
                return self._choices.get(timeout=POLL_INTERVAL)
            except Empty:
                continue

    def candidates_json(self) -> bytes:
        """Return the candidates as JSON; the list is empty while the next generation is simulated."""
        with self._lock:
            data = {"generation": self._generation, "creatures": [asdict(candidate) for candidate in self._candidates]}
        return json.dumps(data).encode()

    def programs_json(self) -> bytes:
        """Return the programs of the worlds of the candidates, as text in JSON."""
        with self._lock:
            return json.dumps(self._programs).encode()

    def submit(self, generation: object, picks: object) -> None:
        """Submit a choice. Raises GambolError if it is invalid."""
        with self._lock:
            if not self._candidates or generation != self._generation:
                raise GambolError("the page shows another generation now")
            if not isinstance(picks, list):
                raise GambolError("picks must be a list")
            indices: list[object] = list(picks)  # pyright: ignore[reportUnknownArgumentType]
            chosen = [k for k, candidate in enumerate(self._candidates) if k in indices and not candidate.marked]
            if len(chosen) != len(indices) or any(type(index) is not int for index in indices):
                count = len(self._candidates)
                raise GambolError(f"picks must be different integers below {count}, of creatures that can be chosen")
            self._candidates = ()
        self._choices.put(chosen)

    def _answer(self, message: Mapping[str, Any]) -> bytes:
        """Answer a message of the page with a choice."""
        self.submit(message.get("generation"), message.get("picks"))
        return b"{}"
