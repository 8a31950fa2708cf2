"""The simulation of a live view: state, inputs and history of one world."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from gambol.errors import GambolError, WorldError, did_you_mean
from gambol.view.live.description import world_description
from gambol.view.live.disturbance import live_world
from gambol.view.live.hills import HILLS
from gambol.view.live.interaction import interaction_data
from gambol.view.live.page import first_posture
from gambol.view.live.setting_values import numbers_of
from gambol.view.scene.framing import frame_film
from gambol.view.served.hand import Hand, vector_of
from gambol.view.served.history import History
from gambol.view.served.posing import coordinates_of, posed
from gambol.view.served.programs import Programs
from gambol.world import ControlFunction, State
from gambol.world.own_control import Advancer, ControlLoop, control_steps_per_call
from gambol.world.step import RUNNING
from gambol.world.timing import MIN_PUSH_STEPS


class Simulation:
    """A world that is advanced by control steps, or set back to an earlier state, while its inputs may change.

    state: its state, of one world, with closed loops; it is changed in place. numbers: inputs (rows, 1), see
    Engine.numbers(); None: the inputs of the world. control, control_rate: see run(). `numbers` are then those of the
    disturbed world, see Programs. Raises GambolError for several worlds, and for numbers of another shape.
    """

    def __init__(
        self,
        state: State,
        numbers: NDArray[Any] | None = None,
        control: ControlFunction | None = None,
        control_rate: float | None = None,
    ) -> None:
        if state.rows.shape[1] != 1:
            raise GambolError(f"a live view has one world; this state has {state.rows.shape[1]}")
        live = live_world(state, None if numbers is None else numbers.copy(), grab=True, lanes=1)
        self.engine, world = live.undisturbed, live.numbered_world
        self.state, self._initial = state, state.rows.copy()
        self.posture = first_posture(state, None)
        self.size = frame_film(self.posture).size
        hills = dict.fromkeys(live.number_names[len(live.numbers) :], 0.0)
        self.description = world_description(live.engine, state, live.numbers, more=hills)
        self.description |= interaction_data(world, self.size, grab=True)
        place = self.description["positions"], self.description["quaternions"]
        self.hand = Hand(self.description["hand"], world.timing.control_step, *place)
        self.programs = Programs(live, self.hand)
        self.numbers, self._first_numbers = self.programs.numbers, self.programs.numbers.copy()
        self._advancer: Advancer = self.programs
        if control is not None:
            hold = control_steps_per_call(state.world, control_rate)
            self._advancer = ControlLoop(self.engine, self.programs.own_numbers, control, self._advancer, hold)
        self.changed: dict[str, float] = {}
        self.history = History(self.control_step, state.rows)

    @property
    def control_step(self) -> int:
        """The number of control steps that have been taken."""
        return int(self.state.rows[cast("int", self.engine.state_rows.clock.control_steps), 0])

    @property
    def is_running(self) -> bool:
        """False after the world stopped: its motion became infinite, or its step too small."""
        return float(self.state.rows[cast("int", self.engine.state_rows.clock.status), 0]) <= RUNNING

    @property
    def names(self) -> list[str]:
        """Names of all settings and inputs."""
        return list(dict.fromkeys([*self._settings, *self.description["numbers"]]))

    @property
    def values(self) -> dict[str, float]:
        """All settings and inputs by name, as they are now."""
        settings = {name: float(setting["value"]) for name, setting in self._settings.items()}
        inputs = {name: float(self.numbers[row, 0]) for name, row in self.description["numbers"].items()}
        return settings | inputs | {name: value for name, value in self.changed.items() if name in settings}

    @property
    def _settings(self) -> Mapping[str, dict[str, Any]]:
        return {setting["name"]: setting for setting in self.description["settings"]}

    def advance(self) -> None:
        """Take one control step, unless the world has stopped."""
        if self.is_running:
            self._advancer.advance(self.state, self.control_step + 1)
            self.history.add(self.control_step, self.state.rows)

    def restart(self) -> None:
        """Return to the first state; changed inputs keep their values."""
        self.replace(self._initial)

    def replace(self, rows: NDArray[Any]) -> None:
        """Continue from other rows of the state. Raises GambolError for another shape, and numbers that are not finite.

        rows: rows of a state of this world, (rows, 1).
        """
        if rows.shape != self.state.rows.shape:
            raise GambolError(f"a state of this world has rows of shape {self.state.rows.shape}, not {rows.shape}")
        if not np.isfinite(rows).all():
            raise GambolError("the state has numbers that are not finite")
        self.hand.release()
        self.state.rows[:] = rows
        self.history = History(self.control_step, self.state.rows)

    def seek(self, time: float) -> None:
        """Return to the last stored state at or before a time [s]."""
        if not math.isfinite(time):
            raise GambolError(f"seek({time}): give a time in seconds")
        self.hand.release()
        _, rows = self.history.at(math.floor(time / self.description["dt"] * (1.0 + 1e-12) + 1e-9))
        self.state.rows[:] = rows

    def set(self, name: str, value: float) -> None:
        """Change a setting or an input. Raises GambolError for an unknown name, and for a value that is not finite."""
        if name not in self.names:
            raise GambolError(f'"{name}" is not a number of this world; {did_you_mean(name, self.names)}')
        if not math.isfinite(value):
            raise GambolError(f"{name} cannot be {value}; give a finite number")
        settings, rows = self._settings, self.description["numbers"]
        self.programs.check(name, value)
        first = settings[name]["value"] if name in settings else self._first_numbers[rows[name], 0]
        self.changed.pop(name, None)
        if value != first:
            self.changed[name] = value
        ordered = self.description["settings"]
        values = numbers_of(ordered, self.changed, name) if name in settings else {name: value}
        changed = [number for number, x in values.items() if self.numbers[rows[number], 0] != x]
        moves, cuts = (any(number.startswith(start) for number in changed) for start in (HILLS, "cuts."))
        before, below = self._energy(self.state.rows) if moves or cuts else 0.0, self._ground_below(moves)
        for number, x in values.items():
            self.programs.set(rows[number], x)
        if moves and not self._lift(below):
            self.restart()
        elif moves or cuts:
            self._add_work(self._energy(self.state.rows) - before)
            self.history.replace(self.control_step, self.state.rows)

    def _ground_below(self, moves: bool = True) -> NDArray[Any]:
        """Return the heights of the ground below all links [m]. moves: False for none, if the ground does not move."""
        hills = self.programs.hills
        return np.zeros(0) if hills is None or not moves else hills.below(self.programs.observe(self.state.rows))

    def _lift(self, below: NDArray[Any]) -> bool:
        """Lift the roots, so that no link is deeper in the ground than before; return False if they cannot be lifted.

        below: heights of the ground before [m].
        """
        assert self.programs.hills is not None
        roots: list[int] = self.programs.hills.grid["roots"]
        self.state.rows[roots] += float(np.max(self._ground_below() - below))
        return bool(roots)

    def disturbs(self, name: str) -> bool:
        """Return True if a setting or an input needs the program of the disturbed world."""
        settings, rows = self._settings, self.description["numbers"]
        sets = [entry["name"] for entry in settings[name]["sets"]] if name in settings else [name]
        disturbing = self.programs.live.disturbing
        return name == "slope" or name.startswith(HILLS) or any(rows.get(number) in disturbing for number in sets)

    def pose(self, name: str, point: Sequence[float], target: Sequence[float]) -> None:
        """Move the joints between a link and the root, and stop all motion; the ledger gets the work.

        A point of the link, in its frame [m], goes to a target in world axes [m], or as near as the joints allow.
        Raises GambolError for a figure whose joints cannot be moved one by one, for an unknown link, and for points
        that are not three finite numbers.
        """
        if self.description["pose"] is None:
            raise GambolError(f'"{self.description["name"]}" cannot be posed: its joints cannot be moved one by one')
        link, goal, local = self.hand.link_of(name, "posed"), vector_of(target), vector_of(point)
        self.hand.release()

        def position_of(rows: NDArray[Any]) -> NDArray[Any]:
            origin, arm = self.hand.place(self.programs.observe(rows[:, None]), link, local)
            return origin + arm

        before, rows = self._energy(self.state.rows), self.state.rows[:, 0].copy()
        coordinates = coordinates_of(self.description["pose"]["joints"], link)
        self.state.rows[:, 0] = posed(rows, coordinates, position_of, goal, self.size)
        self.state.v[:] = 0.0
        self._add_work(self._energy(self.state.rows) - before)
        self.history.replace(self.control_step, self.state.rows)

    def _energy(self, rows: NDArray[Any]) -> float:
        """Return the energy of a state [J]."""
        return float(np.sum(self.programs.observe(rows)[self.description["energies"]]))

    def _add_work(self, work: float) -> None:
        """Add work of the visitor to the ledger [J]."""
        entry = self.description["ledger"][self.description["outside"]]
        self.state.rows[entry["row"]] += entry["sign"] * work

    def push(self, force: tuple[float, float, float], seconds: float) -> None:
        """Push the root's centre of mass by a force [N] in world axes from now on, instead of the push of the world.

        Raises WorldError for a force that is not finite, and for a time shorter than the shortest push.
        """
        shortest, now = MIN_PUSH_STEPS * self.description["dt"], float(self.state.time[0])
        if not (seconds >= shortest and math.isfinite(seconds) and all(map(math.isfinite, force)) and len(force) == 3):
            raise WorldError(f"push({force}, {seconds}): give three forces, and a time of {shortest:.3g} s or more")
        row = self.description["numbers"]["push[0]"]
        for k, x in enumerate((*force, now, now + seconds)):
            self.programs.set(row + k, x)

    def displayed(self, contacts: bool) -> dict[str, NDArray[Any] | None]:
        """Return the arrays that the page displays by name, each with one column.

        contacts: True to include contacts. "state", "snapshot", "contacts" (None if not requested), "numbers".
        """
        self.programs.copy_commands()
        rows = self.state.rows
        points = self.programs.contacts(rows) if contacts and self.description["contactsOf"]["links"] else None
        return {"state": rows, "snapshot": self.programs.observe(rows), "contacts": points, "numbers": self.numbers}
