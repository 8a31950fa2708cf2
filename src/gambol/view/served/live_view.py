"""A live view of a world: its state is in the running program, and a page on this machine shows it."""

import threading
from collections.abc import Callable, Mapping, Sequence
from html import escape
from time import perf_counter
from types import TracebackType
from typing import Any, Self

from gambol.errors import GambolError
from gambol.view.live.hills import HILLS
from gambol.view.local import POLL_INTERVAL, LocalServer
from gambol.view.served.clock import MAX_SLICE, Clock
from gambol.view.served.hand import hand_data
from gambol.view.served.message import answer_message, encoded
from gambol.view.served.page import shown_page
from gambol.view.served.simulation import Simulation
from gambol.view.served.widget import can_show_widgets, widget_of
from gambol.view.template import SERVER_SOURCES, content_policy
from gambol.world import State

MAX_POLL_TIME = 1.0
"""Maximum time for which the answer to a page is held back until something changes [s]."""

EMBEDDERS = "http://127.0.0.1:* http://localhost:*"
"""Pages that may show the view in a frame: notebooks on this machine."""

HEIGHT = 480
"""Height of the view in a notebook [pixels]."""


class LiveView:
    """A world that is shown in a page while the program changes it. show() makes one.

    simulation: the world; speed: its speed in multiples of real time; None: a speed that follows from its size. port:
    port of the server; 0: any free port. Methods may be called from any thread; they return when the world has changed.
    Close it, or use it in a with statement. Raises GambolError for a port that is not available, a speed that is not
    positive, and a figure with nothing to draw.
    """

    def __init__(self, simulation: Simulation, speed: float | None = None, port: int = 0) -> None:
        if speed is not None and not speed > 0.0:
            raise GambolError(f"speed is {speed}; it must be positive (1 is real time)")
        text, chosen = shown_page(simulation, speed)
        self._simulation, self._version, self._page = simulation, 0, text
        self._driving = threading.RLock()  # held by the thread that advances the world
        self._changed = threading.Condition(threading.RLock())  # held while the world changes, or is read
        self._failure: Exception | None = None
        self._closed = threading.Event()
        self._watches_contacts = False
        self._server = LocalServer(
            text,
            content_policy("live", SERVER_SOURCES),
            post_handlers={"ask": self._answer},
            port=port,
            embedders=EMBEDDERS,
        )
        self._clock = Clock(simulation.description["dt"], self._take, chosen)
        self._server.__enter__()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self.close()

    def __repr__(self) -> str:
        doing = "closed" if self._closed.is_set() else "playing" if self.playing else "paused"
        return f'<LiveView of "{self._simulation.description["name"]}": {self.time:.6g} s, {doing}, {self.address}>'

    def _repr_mimebundle_(self, **_: Any) -> Any:
        """Return the display in a notebook: a widget if anywidget is installed, else a frame from this machine."""
        if can_show_widgets():
            return widget_of(self._page, HEIGHT, self._answer)._repr_mimebundle_()
        return {"text/html": self._repr_html_()}

    def _repr_html_(self) -> str:
        """Return the display in a notebook: the view in a frame."""
        address = escape(self.address)
        frame = f'<iframe src="{address}" width="100%" height="{HEIGHT}" style="border:0"></iframe>'
        return f'{frame}<p><a href="{address}" target="_blank" rel="noreferrer">in a page of its own</a></p>'

    @property
    def address(self) -> str:
        """The address of the page, to open in a browser on this machine."""
        return self._server.address

    @property
    def playing(self) -> bool:
        """True while the world moves by itself."""
        return self._clock.playing

    @property
    def time(self) -> float:
        """The time of the world [s]."""
        with self._changed:
            return float(self._simulation.state.time[0])

    @property
    def state(self) -> State:
        """A copy of the state. Setting it pauses the world and continues from that state."""
        with self._changed:
            return self._simulation.state.copied()

    @state.setter
    def state(self, state: State) -> None:
        self._do(lambda: self._simulation.replace(state.rows), pausing=True)

    @property
    def speed(self) -> float:
        """The speed of play() in multiples of real time."""
        return self._clock.speed

    @speed.setter
    def speed(self, speed: float) -> None:
        if not 0.0 < speed < float("inf"):
            raise GambolError(f"speed is {speed}; it must be positive (1 is real time)")
        self._clock.speed = speed
        self._do(lambda: None)

    @property
    def numbers(self) -> Mapping[str, float]:
        """All settings and inputs of the world by name, as they are now."""
        with self._changed:
            return self._simulation.values

    def step(self, count: int = 1) -> None:
        """Pause, and take a number of control steps."""
        if count < 0:
            raise GambolError(f"step({count}): give a number of control steps")
        with self._driving:
            self.pause()
            while count > 0 and (taken := self._advance(count)):
                count -= taken

    def play(self) -> None:
        """Let the world move by itself, at `speed`."""
        self._failure = None
        self._clock.play()
        self._do(lambda: None)

    def pause(self) -> None:
        """Stop the motion: nothing moves any more when it returns."""
        self._do(lambda: None, pausing=True)

    def reset(self) -> None:
        """Return to the first state; changed numbers keep their values."""
        self._do(self._simulation.restart)

    def seek(self, time: float) -> None:
        """Pause, and return to the last stored state at or before a time [s]; later steps have the same bits."""
        self._do(lambda: self._simulation.seek(time), pausing=True)

    def set(self, name: str, value: float) -> None:
        """Change a setting of the page, such as "slowness", or an input of the world, such as "touch.friction".

        The first slope, limb that is cut off, medium or hill compiles a program, while the world goes on. Raises
        GambolError for a name that is not in `numbers`, and for a value that is not finite.
        """
        if self._simulation.disturbs(name):
            self._simulation.programs.prepare(hilly=name.startswith(HILLS))
        self._do(lambda: self._simulation.set(name, value))

    def push(self, force: Sequence[float], seconds: float) -> None:
        """Push the root's centre of mass by a force [N] in world axes from now on, instead of the push of the world."""
        x, y, z = force
        self._do(lambda: self._simulation.push((float(x), float(y), float(z)), seconds))

    def grab(self, link: str, point: Sequence[float], target: Sequence[float]) -> None:
        """Pull a point of a link, in its frame, by a spring to a target in world axes [m], until release().

        The first call compiles a program, while the world goes on. Raises GambolError for an unknown link.
        """
        self._simulation.programs.prepare()
        self._do(lambda: self._simulation.hand.grab(link, point, target))

    def aim(self, target: Sequence[float]) -> None:
        """Move the target of the grabbed point [m]."""
        self._do(lambda: self._simulation.hand.aim(target))

    def release(self) -> None:
        """Let the grabbed link go."""
        self._do(self._simulation.hand.release)

    def pose(self, link: str, point: Sequence[float], target: Sequence[float]) -> None:
        """Pause, and move the joints between a link and the root; all motion stops.

        A point of the link, in its frame, goes to a target in world axes [m], or as near as the joints and the limits
        of their springs allow. Raises GambolError for an unknown link, and for a figure with closed loops.
        """
        self._do(lambda: self._simulation.pose(link, point, target), pausing=True)

    def wait(self) -> None:
        """Wait until the view is closed, for scripts that have nothing else to do; Ctrl-C closes it, too.

        Raises the error of a control function that failed while the world was playing.
        """
        try:
            while not self._closed.wait(POLL_INTERVAL):
                if self._failure is not None:
                    raise self._failure
        except KeyboardInterrupt:
            pass
        finally:
            self.close()

    def close(self) -> None:
        """End the page; the world remains as it is."""
        if not self._closed.is_set():
            self._closed.set()
            self._clock.close()
            self._do(lambda: None)
            self._server.__exit__()

    def _do(self, action: Callable[[], None], *, pausing: bool = False) -> None:
        """Change the world between two control steps, and notify the page."""
        if pausing:
            self._clock.pause()
        with self._driving, self._changed:
            action()
            self._notify()

    def _take(self, count: int) -> int:
        """Take control steps for the clock, unless it was paused; a failure pauses it."""
        with self._driving:
            try:
                return self._advance(count) if self.playing else 0
            except Exception as error:  # of a control function: the thread must continue
                self._failure = error
                self._clock.pause()
                self._notify()
                return 0

    def _advance(self, count: int) -> int:
        """Take up to `count` control steps in about MAX_SLICE; return their number: 0 if the world has stopped."""
        end, taken = perf_counter() + MAX_SLICE, 0
        with self._changed:
            while taken < count and self._simulation.is_running and (not taken or perf_counter() < end):
                self._simulation.advance()
                taken += 1
            self._notify()
        return taken

    def _notify(self) -> None:
        """Notify waiting pages of a change."""
        with self._changed:
            self._version += 1
            self._changed.notify_all()

    def _answer(self, message: Mapping[str, Any]) -> bytes:
        """Execute a request of the page, and return the data to display. Raises GambolError for an invalid message."""
        options = answer_message(self, message)
        if "contacts" in options:
            self._watches_contacts = bool(options["contacts"])
        with self._changed:
            if "version" in options:
                self._changed.wait_for(
                    lambda: self._version != options["version"] or self._closed.is_set(), MAX_POLL_TIME
                )
            simulation, failure = self._simulation, self._failure
            return encoded(
                simulation.displayed(self._watches_contacts),
                {
                    "version": self._version,
                    "running": simulation.is_running,
                    "latestTime": simulation.history.last_step * simulation.description["dt"],
                    "playing": self.playing,
                    "speed": self.speed,
                    "rate": self._clock.rate,
                    "changed": simulation.changed,
                    "failure": "" if failure is None else str(failure),
                    "hand": hand_data(simulation.hand.grabbed),
                },
            )
