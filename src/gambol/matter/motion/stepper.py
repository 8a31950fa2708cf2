"""Time stepping of one spring mesh: contacts with itself, the method's step, the limit of stretch, and tearing."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gambol.errors import WorldError
from gambol.matter.forces.elements import broken_triangles
from gambol.matter.forces.field import Conditions, ForceField
from gambol.matter.forces.layout import ordered_sum
from gambol.matter.forces.surroundings import Surroundings
from gambol.matter.mesh import SpringMesh
from gambol.matter.mesh.topology import lengths_of
from gambol.matter.motion.explicit import ExplicitMethod, check_step
from gambol.matter.motion.methods import METHODS, method
from gambol.matter.motion.projections import StretchLimit
from gambol.matter.motion.stages import Stages
from gambol.matter.motion.state import MeshState, start_state
from gambol.matter.motion.step_frame import FLOWS, Frame, query_at
from gambol.matter.particles.obstacles import PlacedShape
from gambol.matter.touch.link_response import VELOCITY, LinkResponse
from gambol.matter.touch.self_pairs import SelfPairs
from gambol.matter.touch.surface_gaps import SurfacePairs
from gambol.matter.touch.tether import Tethers

Array = NDArray[np.float64]

MAX_STRETCH = 1.1
"""Ratio of length and rest length that threads of cloth do not exceed: 10 % of stretch. [Provot 1995]"""

MAX_SWEEPS = 50
"""Maximum number of sweeps of the limit in a step; a cloth under its weight takes a few."""


@dataclass(frozen=True, slots=True)
class StretchRule:
    """The limit of stretch.

    limit: largest ratio of length and rest length. kinds: kinds of springs; empty: all. sweeps: maximum number of
    sweeps in a step. Raises WorldError for a limit below 1.
    """

    limit: float = MAX_STRETCH
    kinds: tuple[str, ...] = ()
    sweeps: int = MAX_SWEEPS

    def __post_init__(self) -> None:
        if not 1.0 <= self.limit < np.inf or self.sweeps < 1:
            raise WorldError(f"{self} is impossible; the limit and the sweeps must be 1 or more")


@dataclass(frozen=True)
class StepRule:
    """The time stepping of a mesh.

    method: a key of METHODS. step: length of a step [s]. options: options of the method, or None. stretch: limit of
    stretch after each step, or None. Raises WorldError for an unknown method and a step that is not above 0.
    """

    method: str = "implicit euler"
    step: float = 1.0 / 120.0
    options: Any = None
    stretch: StretchRule | None = None

    def __post_init__(self) -> None:
        if not 0.0 < self.step < np.inf:
            raise WorldError(f"a step of {self.step} s is impossible; it must be above 0")


class MeshStepper:
    """Time stepping of a mesh.

    mesh: the mesh. surroundings: external actions on it. rule: its method of integration. shapes, tethers: shapes of
    links that may touch it, and tethers that hold it. lanes, threads: see Program; the bits of the result do not depend
    on them. Raises WorldError for a method that cannot move this mesh, and for a step too long for an explicit method.
    """

    def __init__(
        self,
        mesh: SpringMesh,
        surroundings: Surroundings | None = None,
        rule: StepRule | None = None,
        *,
        shapes: Sequence[PlacedShape] = (),
        tethers: Tethers | None = None,
        lanes: int | None = None,
        threads: int = 1,
    ) -> None:
        self.mesh, self.rule = mesh, rule or StepRule()
        self.field = ForceField(mesh, surroundings, tuple(shapes), tethers, lanes, threads)
        self.method = method(self.rule.method, self.field, self.rule.options)
        touching = self.field.surroundings.self_touch
        self.pairs = SelfPairs(mesh, touching.diameter) if touching and not touching.surfaces else None
        self.limit = self._stretch_limit(lanes)
        self.can_tear = bool(np.isfinite(mesh.springs.tears_at).any())
        if METHODS[self.rule.method].explicit and isinstance(self.method, ExplicitMethod):
            check_step(self.method, self._frame(self.start()), self.rule.step)
        self.stages = self._stages()

    def _stages(self) -> Stages | None:
        """Return the compiled steps of a mesh that has springs and bends only, or None."""
        name, field = self.rule.method, self.field
        whole = METHODS[name].explicit and not self.can_tear and self.limit is None
        return Stages(name, field, self.rule.step) if whole and Stages.possible(name, field) else None

    def _stretch_limit(self, lanes: int | None) -> StretchLimit | None:
        rule, springs = self.rule.stretch, self.mesh.springs
        if rule is None or not len(springs):
            return None
        kinds = set(springs.kind.tolist())
        for kind in rule.kinds:
            if kind not in kinds:
                raise WorldError(f'"{self.mesh.name}" has no springs of kind "{kind}"; it has {sorted(kinds)}')
        self._limited = np.isin(springs.kind, rule.kinds) if rule.kinds else np.ones(len(springs), bool)
        chosen = springs.ends[self._limited], springs.rest[self._limited]
        inverse_mass = self.field.free / self.field.mass
        return StretchLimit(*chosen, rule.limit, inverse_mass, rule.sweeps, lanes)

    def start(self, positions: ArrayLike | None = None, velocities: ArrayLike | None = None) -> MeshState:
        """Return the state at time 0.

        positions: positions of the points (n, 3) [m]; None: at rest. velocities: (n, 3) or (3,) [m/s]; None: 0; pinned
        points stay at rest. Raises WorldError for arrays of another shape and numbers that are not finite.
        """
        return start_state(self.mesh, positions, velocities)

    def advance(self, state: MeshState, steps: int = 1, motions: Array | None = None) -> MeshState:
        """Return the state after several steps.

        motions: motions of links at the start of the first step (links, 13), or None.
        """
        return self.advance_with_links(state, steps, motions)[0]

    def advance_with_links(
        self,
        state: MeshState,
        steps: int = 1,
        motions: Array | None = None,
        response: LinkResponse | None = None,
    ) -> tuple[MeshState, Array]:
        """Return the state after several steps, and the impulses of the mesh on links (links, 6) [N m s, N s].

        motions: motions of links at the start of the first step. response: response of links to the impulses of the
        mesh; None: their velocities are constant. An impulse is a moment about the origin of the link, and a force, in
        world axes, over all steps. Raises WorldError if the motion becomes infinite or NaN.
        """
        links = np.zeros((0, 13)) if motions is None else np.asarray(motions, float)
        if self._links_needed() > len(links):
            raise WorldError(f'"{self.mesh.name}" touches or is held by links; give the motions of all links')
        frame = replace(self._frame(state, links), impulses=np.zeros((len(links), 6)))
        frame = replace(frame, conditions=replace(frame.conditions, response=response))
        time, ledger, n = state.time, state.ledger, self.field.count
        if self.stages is not None and state.intact.all():
            frame, changes = self.stages.advance(frame, steps)
            time, ledger = sum([self.rule.step] * steps, time), ledger.plus(**changes)
        else:
            for _ in range(steps):
                frame, changes = self._step(frame)
                time, ledger = time + self.rule.step, ledger.plus(**changes)
        if not (np.isfinite(frame.x[:, :n]).all() and np.isfinite(frame.v[:, :n]).all()):
            raise WorldError(
                f'the motion of "{self.mesh.name}" became infinite or NaN before {time:g} s; take shorter steps'
            )
        x, v = (np.ascontiguousarray(a[:, :n].T) for a in (frame.x, frame.v))
        now = frame.conditions
        return MeshState(x, v, now.intact > 0.5, time, ledger, frame.history, now.twist), frame.impulses

    def _links_needed(self) -> int:
        shapes = max((shape.link + 1 for shape in self.field.shapes), default=0)
        return max(shapes, int(self.field.tethers.links.max(initial=-1)) + 1)

    def _frame(self, state: MeshState, motions: Array | None = None) -> Frame:
        links = np.zeros((0, 13)) if motions is None else motions
        if motions is None and self._links_needed():
            links = np.zeros((self._links_needed(), 13))
            links[:, 3] = 1.0
        broken = broken_triangles(self.mesh, state.intact) if not state.intact.all() else None
        whole = np.ones(len(self.mesh.triangles)) if broken is None else (~broken).astype(float)
        now = Conditions(state.intact.astype(float), whole, links, twist=state.twist)
        x, v = self.field.column_array(state.position), self.field.column_array(state.velocity) * self.field.free
        return Frame(x, v, now, history=state.history)

    def _step(self, frame: Frame) -> tuple[Frame, dict[str, float]]:
        """Return the frame after a step, and the changes of the ledger's entries [J]."""
        h = self.rule.step
        frame = replace(frame, conditions=self._touching(frame, h), flows=np.zeros(len(FLOWS)))
        frame = _with_free_links(frame, h)
        after = _with_links(frame, self.method.step(frame, h), h)
        changes: dict[str, float] = dict(zip(FLOWS, after.flows.tolist(), strict=True))
        if not METHODS[self.rule.method].explicit:
            gained = self._frame_energy(after) - self._frame_energy(frame)
            changes["numerical"] = gained - sum(changes.values())
        after, changes["limit"] = self._limited_stretch(after, h)
        if self.field.rods:
            twist = self.field.rods.angles(after.x, after.conditions.twist)
            after = replace(after, conditions=replace(after.conditions, twist=twist))
        after, changes["torn"] = self._torn(after)
        return after, changes

    def _touching(self, frame: Frame, h: float) -> Conditions:
        """Return the conditions of a step of h [s] with the pairs of points, or of surfaces, that may touch."""
        n, now = self.field.count, frame.conditions
        if self.pairs:
            return replace(now, pairs=self.field.pairs_of(self.pairs.find(frame.x[:, :n].T)))
        if self.field.surfaces:
            positions = [x[:, :n].T for x in (frame.x, frame.x + h * frame.v)]
            near_pairs = self.field.surfaces.pairs(positions, (now.whole > 0.5, now.intact > 0.5))
            return replace(now, surfaces=SurfacePairs(near_pairs, frame.x))
        return now

    def _limited_stretch(self, frame: Frame, h: float) -> tuple[Frame, float]:
        """Return the frame within the limit of stretch, and the energy that this added [J]."""
        if self.limit is None:
            return frame, 0.0
        x, _ = self.limit.limited(frame.x, frame.conditions.intact[self._limited])
        if np.array_equal(x, frame.x):
            return frame, 0.0
        moved = replace(frame, x=x, v=frame.v + (x - frame.x) * (1.0 / h))
        return moved, self._frame_energy(moved) - self._frame_energy(frame)

    def _torn(self, frame: Frame) -> tuple[Frame, float]:
        """Return the frame without springs that are too long, and minus their energy [J]."""
        if not self.can_tear:
            return frame, 0.0
        springs, n, intact = self.mesh.springs, self.field.count, frame.conditions.intact
        lengths = lengths_of(frame.x[:, :n].T, springs.ends)
        breaks = (lengths > springs.tears_at * springs.rest) & (intact > 0.5)
        if not breaks.any():
            return frame, 0.0
        stretch = (lengths - springs.rest)[breaks]
        energy = ordered_sum(0.5 * springs.stiffness[breaks] * stretch * stretch)
        still_intact = np.where(breaks, 0.0, intact)
        whole = (~broken_triangles(self.mesh, still_intact > 0.5)).astype(float)
        return replace(frame, conditions=replace(frame.conditions, intact=still_intact, whole=whole)), -energy

    def energy(self, state: MeshState, motions: Array | None = None) -> float:
        """Return the sum of energies() [J]."""
        return sum(self.energies(state, motions).values())

    def energies(self, state: MeshState, motions: Array | None = None) -> dict[str, float]:
        """Return the energies of a state by kind [J].

        They are "kinetic", "gravity" (0 at z = 0), and for what the mesh has and touches "springs", "hinges", "bends",
        "gas", "twist", "tethers", "contacts" and "touching" (points that touch each other). motions: motions of links
        (links, 13), if links touch or hold the mesh.
        """
        frame = self._frame(state, motions)
        return self._energies_of(replace(frame, conditions=self._touching(frame, 0.0)))

    def _frame_energy(self, frame: Frame) -> float:
        return sum(self._energies_of(frame).values())

    def _energies_of(self, frame: Frame) -> dict[str, float]:
        field = self.field
        forces = field.forces(query_at(field, frame.x, frame.v), frame.conditions)
        is_point = np.arange(field.columns) < field.count
        kinetic = 0.5 * ordered_sum(field.mass * is_point * frame.v * frame.v)
        stored = {name: ordered_sum(rows) for name, rows in forces.energies.items()}
        return {"kinetic": kinetic, "gravity": -ordered_sum(field.weight * frame.x), **stored}


def _with_free_links(frame: Frame, h: float) -> Frame:
    """Return a frame in which links have the velocities of the step's end, without their response to the mesh."""
    now = frame.conditions
    if now.response is None:
        return frame
    motions = now.motions.copy()
    motions[:, VELOCITY] += now.response.acceleration * h
    return replace(frame, conditions=replace(now, motions=motions))


def _with_links(before: Frame, after: Frame, h: float) -> Frame:
    """Return the frame after a step, with the motions of links at that time if they respond to the mesh."""
    now = before.conditions
    if now.response is None:
        return after
    motions = now.response.moved(now.motions, after.impulses - before.impulses, h)
    return replace(after, conditions=replace(after.conditions, motions=motions, elapsed=0.0))
