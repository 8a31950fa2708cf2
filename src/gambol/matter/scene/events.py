"""Events of a scene at which particles are born: springs that tear, links that touch, and attachments that break."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from gambol.errors import WorldError, did_you_mean
from gambol.matter.mesh import SpringMesh
from gambol.matter.scene.state import SceneState
from gambol.matter.touch.tether import link_motion
from gambol.spatial import Vector
from gambol.world import Engine
from gambol.world.contacts import contacts_of

Array = NDArray[np.float64]

EventKind: TypeAlias = Literal["tear", "contact", "break"]
"""Kinds of events: a spring of a mesh tears, a link begins to touch something, an attachment of the world breaks."""


@dataclass(frozen=True, slots=True)
class ParticleEvent:
    """Events at which particles of an emitter are born.

    kind: "tear": a spring of a mesh breaks; particles are born in its middle. "contact": a link begins to touch the
    ground or another link; particles are born at each of its contacts. "break": an attachment of the world breaks;
    particles are born at both of its ends. emitter: name of the emitter. count: number of particles at each point.
    names: names of meshes or links; empty for all. Raises WorldError for an unknown kind and a count below 1.
    """

    kind: EventKind
    emitter: str
    count: int = 1
    names: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        kinds = get_args(EventKind)
        if self.kind not in kinds:
            raise WorldError(f'there are no events of kind "{self.kind}"; {did_you_mean(self.kind, kinds)}')
        if self.count < 1:
            raise WorldError(f'an event gives birth to {self.count} particles of "{self.emitter}"; give 1 or more')


def check_events(
    events: Sequence[ParticleEvent], emitters: Sequence[str], meshes: Sequence[str], links: Sequence[str]
) -> None:
    """Raise WorldError for events of emitters, meshes or links that do not exist."""
    for event in events:
        if event.emitter not in emitters:
            raise WorldError(f'an event has the emitter "{event.emitter}"; {did_you_mean(event.emitter, emitters)}')
        known = meshes if event.kind == "tear" else links
        for name in event.names:
            if name not in known:
                raise WorldError(f'an event of kind "{event.kind}" names "{name}"; {did_you_mean(name, known)}')


@dataclass(frozen=True, eq=False)
class SceneStep:
    """A control step of a scene, from which events follow.

    engine: programs of the figure's world. meshes: meshes by name. before, after: states of the scene. motions: motions
    of all links after the step (links, 13).
    """

    engine: Engine
    meshes: Mapping[str, SpringMesh]
    before: SceneState
    after: SceneState
    motions: Array

    def points(self, event: ParticleEvent) -> Array:
        """Return the points at which particles of an event are born, each `count` times (n, 3) [m]."""
        return np.repeat(POINTS[event.kind](self, event.names), event.count, axis=0)


def _torn(step: SceneStep, names: Sequence[str]) -> Array:
    """Return the middles of springs that broke (n, 3) [m]."""
    middles = [np.zeros((0, 3))]
    for name in names or step.meshes:
        before, after = step.before.meshes[name], step.after.meshes[name]
        ends = step.meshes[name].springs.ends[before.intact & ~after.intact]
        middles.append(0.5 * (after.position[ends[:, 0]] + after.position[ends[:, 1]]))
    return np.concatenate(middles)


def _touching(step: SceneStep, names: Sequence[str]) -> Array:
    """Return the contacts of links that touch something now and did not before (n, 3) [m]."""
    was, now = (contacts_of(step.engine, state.figure) for state in (step.before, step.after))
    touched = set(was.link.tolist())
    new = [k not in touched and (not names or now.link_names[k] in names) for k in now.link.tolist()]
    return np.asarray(now.point[np.array(new, bool)], float)


def _broken(step: SceneStep, names: Sequence[str]) -> Array:
    """Return both ends of attachments that broke (n, 3) [m].

    names: names of links; only attachments at one of them are returned.
    """
    world = step.engine.world
    links = [link.name for link in world.figure.links]
    flags = (np.array(s.figure.step_state.memory.intact, float).reshape(-1) for s in (step.before, step.after))
    was, now = flags
    points = list[Array]()
    for k in np.flatnonzero((was > 0.5) & (now < 0.5)).tolist():
        broken = world.external.attachments[k]
        if names and not {broken.link, broken.other} & set(names):
            continue
        for link, point in ((broken.link, broken.point), (broken.other, broken.other_point)):
            place = Vector(*point)
            if link is not None:
                place = link_motion(step.motions[links.index(link)]).pose() @ place
            points.append(np.array(list(place), float))
    return np.reshape(points, (-1, 3))


POINTS: dict[str, Callable[[SceneStep, Sequence[str]], Array]] = {"tear": _torn, "contact": _touching, "break": _broken}
"""The function that finds the points of the events of each kind."""
