"""The world of a figure with adaptive dynamics, and its film."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.collide import Ground, NoGround
from gambol.contact import CompliantGround, Penalty, RigidGround, Stepping
from gambol.dynamics.adaptive import AdaptiveDynamics
from gambol.dynamics.states import kinematics
from gambol.errors import GambolError, WorldError
from gambol.world.external import External
from gambol.world.film import Film
from gambol.world.record import film_ground, film_shapes, film_visuals
from gambol.world.world import World

Array = NDArray[np.float64]


def adaptive_dynamics(
    world: World, *, error: float | None = None, joints: int | None = None, interval: int = 20
) -> AdaptiveDynamics:
    """Return the adaptive dynamics of a world's figure, springs, ground and gravity.

    error, joints, interval: see AdaptiveDynamics, with which steps are of semi-implicit Euler. A world with the method
    "penalty" has compliant contacts and soft joint limits, one with "stepping" rigid contacts and hard limits. Raises
    WorldError for a world with parts that adaptive dynamics does not simulate: controllers, actuators, contacts between
    links, external actions, bristles, soft constraints, and other contact methods; and as AdaptiveDynamics does.
    """
    subject = f'adaptive dynamics of "{world.figure.name}"'
    refused = {
        "a controller": world.controller is not None,
        "actuators": bool(world.actuators),
        "contacts between links": bool(world.pairs),
        "external actions": world.external != External(),
        "sensors": bool(world.sensors),
    }
    for name, present in refused.items():
        if present:
            raise WorldError(f"{subject}: it has no {name}; leave them out, or use gambol.run")
    contact, rigid = None, isinstance(world.method, Stepping)
    if world.has_ground and isinstance(world.method, Stepping):
        if world.method.softness:
            raise WorldError(f"{subject}: rigid contacts have no softness; take Stepping() without it")
        iterations = world.method.iterations
        contact = RigidGround(world.figure, world.surface, world.ground, iterations=iterations)
    elif world.has_ground:
        if not isinstance(world.method, Penalty):
            known = 'contact="penalty" for compliant contacts, or "stepping" for rigid ones'
            raise WorldError(f'{subject}: it has no contact method "{world.method.name}"; take {known}')
        if world.surface.gripping(world.figure):
            raise WorldError(f'{subject}: links cannot grip the ground; take SurfaceProperties(..., grip="none")')
        contact = CompliantGround(world.figure, world.surface, world.ground)
    return AdaptiveDynamics(
        world.figure,
        error=error,
        joints=joints,
        interval=interval,
        gravity=world.gravity,
        springs=world.springs,
        contact=contact,
        limits="hard" if rigid else "soft",
    )


def adaptive_film(
    motion: AdaptiveDynamics,
    seconds: float,
    *,
    step: float = 1e-3,
    rate: float = 60.0,
    ground: Ground | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Film:
    """Advance adaptive dynamics, and return the film of its motion.

    motion: adaptive dynamics after start(). seconds: duration [s]; step: largest step [s], a whole number of which
    make a frame; rate: frames per second. ground: the drawn ground; None: none. progress: called after each frame with
    the number of frames done and of all frames. The film has the signals "active" (F, 1, L), 1 for links whose joint is
    active, which pictures and videos colour; "active_joints" and "held_error" (F, 1), see ActiveJoints; "status" is 0.
    Raises GambolError for impossible numbers.
    """
    if not (seconds > 0.0 and rate > 0.0 and step > 0.0 and np.isfinite([seconds, rate, step]).all()):
        raise GambolError(f"a film of {seconds:g} s in steps of {step:g} s at {rate:g} frames/s cannot be made")
    figure, frames = motion.figure, round(seconds * rate) + 1
    per_frame = int(np.ceil(1.0 / (rate * step) - 1e-9))
    rows: list[Sequence[Any]] = []
    for frame in range(frames):
        if frame:
            motion.advance(1.0 / (rate * per_frame), per_frame)
        states, active = kinematics(figure, motion.q), set(motion.active_links)
        choice = motion.choices[-1] if motion.choices else None
        moves = [link.name in active for link in figure.links]
        numbers = (choice.joints, choice.error) if choice else (motion.joint_count, 0.0)
        rows.append((states.position, states.quaternion, np.array(moves, float), *numbers))
        progress(frame + 1, frames)
    position, quaternion, moves, joints, error = (
        np.array(column, float)[:, None] for column in zip(*rows, strict=True)
    )
    return Film(
        name=figure.name,
        time=np.arange(frames) / rate,
        position=position,
        quaternion=quaternion,
        link_names=tuple(link.name for link in figure.links),
        parents=tuple(link.parent_index - 1 for link in figure.links),
        shapes=tuple(shape for link in figure.links for shape in film_shapes(link)),
        visuals=tuple(visual for link in figure.links for visual in film_visuals(link)),
        ground=film_ground(ground or NoGround()),
        signals={"active": moves, "active_joints": joints, "held_error": error, "status": np.zeros((frames, 1))},
    )
