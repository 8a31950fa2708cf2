"""The control law of the dog: phases of a gait, forces of standing legs, trajectories of swinging legs.

A standing foot pushes with its share of the weight in pulses, see reference.Pulse, along the line to a pivot near the
hip; feedback of height, attitude, speed and heading is shared out among the feet that stand, see feet_forces(). A
swinging foot goes to where the body will be above it in the middle of the next stance, with a correction of the speed
error [Raibert 1986, eq. 2.4]:

    x_landing = x_hip + v T_stance / 2 + k (v - v_wanted)

All joints have servos. That of a standing leg gets the target at which it gives a wanted torque, that of a swinging leg
the angle of the trajectory, by inverse kinematics in closed form.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gambol.creatures.dog import stance, swing
from gambol.creatures.dog.body import Body
from gambol.creatures.dog.figure import LEGS, dog_figure, joint_names
from gambol.creatures.dog.pace import Pace, blended
from gambol.creatures.dog.reference import pulse
from gambol.gait.mammals import GAITS
from gambol.gait.phases import advanced_phases
from gambol.lanes import Scalar, clamp, where
from gambol.spatial import Vector

if TYPE_CHECKING:
    from gambol.control import Senses

MAX_LAG = 0.5  # m, of the integral of the speed error


@dataclass(frozen=True, slots=True)
class DogMemory:
    """The law's memory.

    phases: of the legs [cycles]. lifted: place of each paw when it left the ground; place: target of each paw; both
    from the centre of mass along heading and left [m], and above the ground [m]. angles: targets of the leg joints one
    control step ago [rad]. lag: integral of the speed error [m].
    velocity: of the body without the ripple of the gait, smoothed [m/s].
    """

    phases: list[Scalar]
    lifted: list[Vector]
    place: list[Vector]
    angles: list[list[Scalar]]
    lag: Scalar
    velocity: Vector


@dataclass(frozen=True)
class DogLaw:
    """The law. before, after: how it moves at first and after the change of gait; gains: see stance.GAINS, swing.GAINS.

    change: start and duration of the change [s]. start: its memory at the start. others: targets of the joints of neck,
    head and tail [rad].
    """

    before: Pace
    after: Pace
    change: tuple[float, float]
    start: DogMemory
    gains: Mapping[str, float]
    others: tuple[float, ...]
    required_senses: tuple[str, ...] = ("q", "v", "contacts", "height")

    def numbers(self) -> dict[str, Any]:
        """Return the numbers of both paces, of the change, the gains, and the targets of other joints."""
        return {
            "before": self.before.numbers(),
            "after": self.after.numbers(GAITS[self.before.gait].offsets),
            "change": list(self.change),
            "gains": dict(self.gains),
            "others": list(self.others),
        }

    def memory(self) -> DogMemory:
        """Return its memory before the first control step."""
        return self.start

    def structure(self) -> tuple[Any, ...]:
        """Return nothing: all dogs share a program."""
        return ()

    def commands(
        self, numbers: Mapping[str, Any], memory: DogMemory, senses: Senses, dt: Scalar
    ) -> tuple[Sequence[Scalar], DogMemory]:
        """Return the targets of all servos [rad], and the new memory."""
        pace, gains = blended(numbers, senses.time), numbers["gains"]
        body = Body.of(senses)
        pulses = [pulse(p, b, pace["frequency"]) for p, b in zip(memory.phases, pace["duty"], strict=True)]
        wanted = stance.reference(pace, pulses, senses.time, gains)
        scheduled = [phase < duty for phase, duty in zip(memory.phases, pace["duty"], strict=True)]
        pushing = [down & (touch > 0.5) for down, touch in zip(scheduled, senses.contacts, strict=True)]
        forces = stance.forces(body, pace, gains, wanted, memory, pulses, pushing)
        commands: list[Scalar] = []
        lifted: list[Vector] = []
        places: list[Vector] = []
        angles: list[list[Scalar]] = []
        for i, leg in enumerate(LEGS):
            q, v = body.joints(leg)
            place = swing.place(body, i, pace, gains, wanted, memory, scheduled[i], dt)
            here = body.paws[i]
            places.append(Vector(*(where(pushing[i], a, b) for a, b in zip(here, place, strict=True))))
            lifted.append(
                Vector(*(where(scheduled[i], a, b) for a, b in zip(places[i], memory.lifted[i], strict=True)))
            )
            goal = body.angles_for(i, place)
            targets = swing.targets(goal, memory.angles[i], gains, dt)
            held = stance.targets(leg, q, v, body.into_trunk(forces[i]), gains, dt)
            commands += [where(pushing[i], a, b) for a, b in zip(held, targets, strict=True)]
            angles.append([where(pushing[i], a, b) for a, b in zip(q, goal, strict=True)])
        phases = advanced_phases(memory.phases, pace["offsets"], pace["frequency"], gains["coupling"], dt)
        lag = clamp(memory.lag + dt * (wanted.velocity.x - body.velocity.x), -MAX_LAG, MAX_LAG)
        slow = body.velocity - wanted.velocity + Vector(wanted.speed, 0.0, 0.0)
        velocity = memory.velocity + (slow - memory.velocity) * (dt * gains["filter"])
        return [*commands, *numbers["others"]], DogMemory(phases, lifted, places, angles, lag, velocity)


def actuated_joints() -> tuple[str, ...]:
    """Return the names of the links at whose joints the servos act, in the order of the commands."""
    legs = [name for leg in LEGS for name in joint_names(leg)]
    return *legs, *(link.name for link in dog_figure().links[1:5])
