"""The film of a planned motion, with its forces."""

import numpy as np
from numpy.typing import NDArray

from gambol.collide import Ground, Plane
from gambol.dynamics import STANDARD_GRAVITY, centre_of_mass, kinematics, kinetic_energy, potential_energy
from gambol.dynamics.bodies import gravity_scalar_or_vector
from gambol.errors import PlanError
from gambol.figure import Triple
from gambol.plan.track.interpolation import columns, sampled
from gambol.plan.trajectory import Trajectory
from gambol.world import Film
from gambol.world.film.axes import film_axes
from gambol.world.observe import quaternion_of
from gambol.world.record import film_ground, film_shapes, film_visuals

Array = NDArray[np.float64]

RATE = 240.0
"""Frames per second of the film of a plan: the rate of a page."""


def trajectory_film(
    trajectory: Trajectory,
    rate: float = RATE,
    *,
    name: str | None = None,
    gravity: float | Triple = STANDARD_GRAVITY,
    ground: Ground | None = None,
) -> Film:
    """Return the film of one world that moves as planned.

    rate [frames/s]; the last frame is at the last time, or less than a frame before it. name: name of the film; None:
    name of the figure. gravity: gravity, for the potential energy. ground: None for a plane at z = 0. Signals: "q" (F,
    1, nq), "v" and "torques" (F, 1, nv), "contact_forces" and "contact_points" (F, 1, contacts, 3) as in the
    trajectory, "centre" (F, 1, 3) of mass, "kinetic" and "potential" energy (F, 1). Raises PlanError for a rate that is
    not positive.
    """
    if not rate > 0.0:
        raise PlanError(f"a film cannot have {rate} frames/s; give a positive rate")
    start, duration = trajectory.times[0], trajectory.times[-1] - trajectory.times[0]
    frames = int(np.floor(duration * rate * (1.0 + 1e-12) + 1e-9)) + 1  # includes the last time despite rounding
    motion = sampled(trajectory, start + np.arange(frames) / rate)
    figure = trajectory.figure
    state = kinematics(figure, list(motion.q.T), list(motion.v.T))
    poses = [state.poses[link.index] for link in figure.links]
    signals = {
        "q": motion.q[:, None],
        "v": motion.v[:, None],
        "torques": motion.torques[:, None],
        "contact_forces": motion.contact_forces[:, None],
        "contact_points": motion.contact_points[:, None],
        "centre": columns(list(centre_of_mass(state)), frames)[:, None],
        "kinetic": columns([kinetic_energy(state)], frames),
        "potential": columns([potential_energy(state, gravity_scalar_or_vector(gravity))], frames),
    }
    return Film(
        name=figure.name if name is None else name,
        time=motion.times,
        position=columns([x for pose in poses for x in pose.position], frames).reshape(frames, 1, -1, 3),
        quaternion=columns([x for pose in poses for x in quaternion_of(pose.rotation)], frames).reshape(
            frames, 1, -1, 4
        ),
        link_names=tuple(link.name for link in figure.links),
        parents=tuple(link.parent_index - 1 for link in figure.links),
        shapes=tuple(shape for link in figure.links for shape in film_shapes(link)),
        visuals=tuple(visual for link in figure.links for visual in film_visuals(link)),
        ground=film_ground(ground or Plane()),
        signals=signals,
        axes=film_axes(figure, ()),
    )
