"""A warning of a compliant ground that is too stiff for a light part and for the least step of a world.

    T = min(m / b, sqrt(m / k))        m = 1 / largest eigenvalue of J M^-1 J^T

m: least effective mass of a contact point, in any direction; b, k: damping and stiffness of the ground for this point.
Explicit steps longer than about 3 T are unstable [Hairer and Wanner 1996, section IV.2]. So a world whose steps adapt,
and whose min_step is longer, stops where the point touches the ground. Implicit methods may need such steps, too.
"""

import math
import warnings
from collections.abc import Iterator

import numpy as np

from gambol.contact.penalty.hunt_crossley import HuntCrossley
from gambol.contact.surface import SurfaceProperties
from gambol.dynamics import STANDARD_GRAVITY, kinematics
from gambol.dynamics.quantities import articulated, inverse_operational_inertia
from gambol.world.events.ground import GroundWarning
from gambol.world.state import State
from gambol.world.world import World

STABLE_STEPS = 3.0
"""Longest stable step over T: limits on the real axis of explicit Runge-Kutta methods of order 4 and 5 are 2.8 to 4."""


def warn_of_stiff_ground(world: World, state: State) -> None:
    """Warn of a contact point that is too light for the ground and the least step, by a GroundWarning.

    world: world of the state; its first lane is examined. Only compliant contact with adaptive steps is examined.
    """
    if not world.method.scheme.compliant or not world.timing.integrator.adaptive or not world.has_ground:
        return
    time, name = min(_time_constants(world, state.q[0].astype(float).tolist()), default=(math.inf, ""))
    if STABLE_STEPS * time < world.timing.min_step:
        warnings.warn(
            f'the ground is too stiff for the light points of "{name}": it changes their speed in {time:.1e} s, and '
            f"steps are at least {world.timing.min_step:g} s long. The world may stop where they touch the ground. "
            "Give the surface less stiffness or damping, or Timing(min_step=...) a smaller value, or take the contact "
            'method "stepping"',
            GroundWarning,
            stacklevel=3,
        )


def _time_constants(world: World, q: list[float]) -> Iterator[tuple[float, str]]:
    """Return T of the lightest contact point of each link that can touch the ground [s], and the link's name.

    q: coordinates (nq).
    """
    figure = world.figure
    bodies = articulated(kinematics(figure, q, [0.0] * figure.nv))
    gripping = world.surface.gripping(figure)
    for link in figure.links:
        points = np.array([point.position for point in link.contact_points()], float)
        if not len(points) or not figure.can_move(link.index):
            continue
        inverse = np.array(inverse_operational_inertia(bodies, link.index), float)
        turn = np.array(bodies.state.poses[link.index].rotation.rows, float)
        to_points = np.array([np.hstack([-_cross(turn @ point), np.eye(3)]) for point in points])
        inverse_mass = np.linalg.eigvalsh(to_points @ inverse @ to_points.transpose(0, 2, 1)).max()
        damping, stiffness = _ground_rates(world.surface, link.name in gripping, figure.mass * STANDARD_GRAVITY)
        if inverse_mass > 0.0:
            yield 1.0 / max(inverse_mass * damping, math.sqrt(inverse_mass * stiffness), 1e-300), link.name


def _cross(r: np.ndarray) -> np.ndarray:
    """Return the matrix of the cross product with r (3,)."""
    x, y, z = r
    return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])


def _ground_rates(surface: SurfaceProperties, grips: bool, weight: float) -> tuple[float, float]:
    """Return damping [N s/m] and stiffness [N/m] of the ground at a point, the largest in any direction.

    grips: True if the point has a bristle. weight: weight of the figure, on which friction without bristles depends
    [N].
    """
    ground = surface.parameters
    if isinstance(ground, HuntCrossley):
        return float(ground.friction * weight / ground.stiction_speed), 0.0
    stiffness = ground.stiffness + ground.alpha * ground.beta
    if not grips:
        return float(max(ground.damping, ground.skid_damping)), float(stiffness)
    return float(max(ground.damping, ground.bristle_damping)), float(max(stiffness, ground.bristle_stiffness))
