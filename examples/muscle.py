"""Two antagonists hold a forearm level. The more both pull, the stiffer is the elbow; their energy balances.

The extensor wraps around the elbow. Prints, for two levels of excitation, how far the forearm's weight bends the elbow,
and what the muscles took from their source.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from gambol import Capsule, FeedbackController, Figure, Joint, Link, NoGround, Part, Timing, make_world, run, start
from gambol.actuation.muscle import Metabolism, Muscle, PathPoint, PointPath, WrapCylinder

Y, LEVEL = (0.0, 1.0, 0.0), ((0.0, 0.0, 1.0), (0.0, 1.0, 0.0), (-1.0, 0.0, 0.0))
UPPER = Link("upper arm", None, Joint("fixed"), (Part(Capsule(0.04, 0.3), (0.0, 0.0, -0.15)),))
BONE = Part(Capsule(0.025, 0.24), (0.13, 0.0, 0.0), LEVEL, density=1100.0)
FOREARM = Link("forearm", "upper arm", Joint("revolute", Y, position=(0.0, 0.0, -0.3)), (BONE,))
ARM = Figure("arm", (UPPER, FOREARM))
BEHIND = PathPoint("upper arm", (-0.1, 0.0, -0.3))
ELBOW = WrapCylinder("upper arm", (0.0, 0.0, -0.3), Y, 0.02, BEHIND)
FRONT = PointPath((PathPoint("upper arm", (0.03, 0.0, 0.0)), PathPoint("forearm", (0.05, 0.0, 0.0))))
BACK = PointPath((PathPoint("upper arm", (-0.03, 0.0, -0.05)), ELBOW, PathPoint("forearm", (-0.02, 0.0, 0.01))))
SECONDS, EXCITATIONS = 3.0, (0.05, 0.4)


def muscle(path: PointPath, slack_length: float) -> Muscle:
    """Return a muscle of the forearm, with Millard's curves and a compliant tendon."""
    return Muscle(
        joints=("forearm",),
        path=path,
        max_force=600.0,
        optimal_length=0.12,
        slack_length=slack_length,
        curves="millard 2012",
        metabolism=Metabolism("umberger 2003"),
    )


@dataclass(frozen=True)
class Excite:
    """A law that holds the excitations of both muscles."""

    level: float
    required_senses: tuple[str, ...] = ()

    def numbers(self) -> dict[str, float]:
        """Return the level, which may differ between worlds."""
        return {"level": self.level}

    def memory(self) -> tuple[()]:
        """Return an empty memory."""
        return ()

    def commands(self, numbers: Any, memory: Any, senses: Any, dt: Any) -> tuple[list[Any], Any]:
        """Return the excitations of flexor and extensor."""
        return [numbers["level"], numbers["level"]], memory

    def structure(self) -> tuple[()]:
        """Return nothing: all such laws share a program."""
        return ()


def settled(level: float, gravity: float) -> tuple[float, float, float]:
    """Return the angle of the elbow at rest [rad], the energy that the muscles took, and what is unaccounted [J]."""
    muscles = {"flexor": muscle(FRONT, 0.18), "extensor": muscle(BACK, 0.16)}
    timing = Timing(0.005, 0.005, "rosenbrock", tolerance=1e-7)
    law = FeedbackController(Excite(level), muscles)
    world = make_world(ARM, controller=law, contact="penalty", ground=NoGround(), gravity=gravity, timing=timing)
    signals = run(world, state := start(world), SECONDS, rate=200.0).signals
    assert abs(float(state.v[0, 0])) < 0.01, "the elbow has come to rest"
    return float(state.q[0, 0]), float(signals["motors"][-1, 0]), float(np.abs(signals["unaccounted"]).max())


def main() -> None:
    """Bend the elbow by its weight at both levels of excitation."""
    bends: list[float] = []
    for level in EXCITATIONS:
        (light, *_), (heavy, taken, lost) = (settled(level, gravity) for gravity in (0.0, 9.81))
        bends.append(abs(heavy - light))
        print(
            f"excitation {level:.2f}: the weight bends the elbow by {math.degrees(bends[-1]):.1f} degrees; "
            f"the muscles took {taken:.1f} J in {SECONDS:.0f} s, of which {lost:.1e} J are unaccounted"
        )
        assert lost < 1e-4 * taken
    assert bends[1] < 0.5 * bends[0], "the elbow is stiffer where both muscles pull more"


if __name__ == "__main__":
    main()
