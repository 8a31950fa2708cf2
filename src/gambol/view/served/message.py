"""The messages between a live view and its page: requests of the page, and answers as JSON."""

import base64
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from numpy.typing import NDArray

from gambol.errors import GambolError

MAX_STEPS = 100_000
"""Maximum number of control steps in one request of a page."""


class Actions(Protocol):
    """The methods of a live view that its page can call."""

    @property
    def speed(self) -> float:
        """The speed of play()."""
        ...

    @speed.setter
    def speed(self, speed: float) -> None: ...

    def step(self, count: int = 1) -> None:
        """Pause, and take control steps."""
        ...

    def play(self) -> None:
        """Let the world move."""
        ...

    def pause(self) -> None:
        """Stop the motion."""
        ...

    def reset(self) -> None:
        """Return to the first state."""
        ...

    def seek(self, time: float) -> None:
        """Return to a time [s]."""
        ...

    def set(self, name: str, value: float) -> None:
        """Change a setting or an input."""
        ...

    def push(self, force: Sequence[float], seconds: float) -> None:
        """Push the root by a force [N]."""
        ...

    def grab(self, link: str, point: Sequence[float], target: Sequence[float]) -> None:
        """Pull a point of a link to a target [m]."""
        ...

    def aim(self, target: Sequence[float]) -> None:
        """Move the target [m]."""
        ...

    def release(self) -> None:
        """Let the link go."""
        ...

    def pose(self, link: str, point: Sequence[float], target: Sequence[float]) -> None:
        """Pause, and move joints so that a point of a link goes to a target [m]."""
        ...


def answer_message(view: Actions, message: Mapping[str, Any]) -> Mapping[str, Any]:
    """Execute a request of the page; return options of the answer, empty for most requests.

    message: "name" of the request, and its "argument", an object. "poll" returns the version that the page shows,
    "watch" returns a flag to include contacts. Raises GambolError for an unknown name or an argument that does not fit.
    """
    name, argument = str(message.get("name")), message.get("argument")
    if name not in ACTIONS or not isinstance(argument, dict):
        raise GambolError(f"a page cannot ask for {name!r} with {argument!r}")
    try:
        return ACTIONS[name](view, argument) or {}  # pyright: ignore[reportUnknownArgumentType]
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        if isinstance(error, GambolError):
            raise
        raise GambolError(f"{name} does not take {argument!r}") from error


def _set_speed(view: Actions, argument: Mapping[str, Any]) -> None:
    view.speed = float(argument["speed"])


def _step(view: Actions, argument: Mapping[str, Any]) -> None:
    count = argument["count"]
    if type(count) is not int or not 0 <= count <= MAX_STEPS:
        raise GambolError(f"step({count}): give a number of control steps, up to {MAX_STEPS}")
    view.step(count)


def _three(numbers: Any) -> list[float]:
    return [float(x) for x in numbers]


ACTIONS: Mapping[str, Callable[[Actions, Mapping[str, Any]], Mapping[str, Any] | None]] = {
    "load": lambda view, argument: {},
    "poll": lambda view, argument: {"version": int(argument["version"])},
    "watch": lambda view, argument: {"contacts": bool(argument["contacts"])},
    "step": _step,
    "play": lambda view, argument: view.play(),
    "pause": lambda view, argument: view.pause(),
    "reset": lambda view, argument: view.reset(),
    "seek": lambda view, argument: view.seek(float(argument["time"])),
    "set": lambda view, argument: view.set(str(argument["name"]), float(argument["value"])),
    "push": lambda view, argument: view.push([float(x) for x in argument["force"]], float(argument["seconds"])),
    "grab": lambda view, argument: view.grab(argument["name"], _three(argument["point"]), _three(argument["target"])),
    "aim": lambda view, argument: view.aim(_three(argument["target"])),
    "release": lambda view, argument: view.release(),
    "pose": lambda view, argument: view.pose(argument["name"], _three(argument["point"]), _three(argument["target"])),
    "speed": _set_speed,
}
"""The requests that a page can make, by name."""


def encoded(arrays: Mapping[str, NDArray[Any] | None], facts: Mapping[str, Any]) -> bytes:
    """Return an answer as JSON. arrays: columns of numbers, sent as float64 in base64, so that no bit changes."""
    columns = {
        name: None if array is None else base64.b64encode(array[:, 0].astype("<f8").tobytes()).decode()
        for name, array in arrays.items()
    }
    return json.dumps({**facts, "columns": columns}).encode()
