"""A single rigid body on light feet that trots: the model of fast planners of gaits. [Winkler et al. 2018]

Legs are replaced by three prismatic joints each, whose forces are the forces of the feet. The limits of these joints
are the box in which a leg can place its foot. The body has the mass and the moments of inertia of the quadruped in its
posture, so it moves nearly like the quadruped, with a fraction of the computation.
"""

from gambol.figure import Figure, Joint, Link, MassProperties
from gambol.plan.motion import Cost, Cycle, Mesh, Phase, PhaseTime, Plan, PointTarget, Pose
from gambol.plan.motion.spec.goals import Values
from gambol.plan.motion.spec.plan import Ranges
from gambol.plan.problems.quadruped import DIAGONAL, FOOT_RADIUS, LEGS
from gambol.plan.problems.rods import block, diagonal, foot

BODY = MassProperties(10.8, (0.0, 0.0, 0.0), diagonal(0.53, 0.9, 1.07))
FOOT = MassProperties(0.05, (0.0, 0.0, 0.0), diagonal(2e-5, 2e-5, 2e-5))
STANCE = (0.3, 0.23, 0.34)  # m, distances of a foot from the middle of the body along x, y and z
REACH = {"ahead": 0.15, "aside": 0.1, "foot": (-0.1, 0.15)}
"""The positions of a foot around its middle position along x, y and z of the body [m]."""

SWINGING = tuple(leg for leg in LEGS if leg not in DIAGONAL)

LIFT = 0.05  # m, of a swinging foot in the middle of its swing


def single_rigid_body() -> Figure:
    """Return a body of 10.8 kg with four feet of 50 g, each on prismatic joints along x, y and z of the body."""
    links = [Link("body", None, Joint("free"), (block((0.6, 0.2, 0.12)),), BODY)]
    ahead, aside, below = STANCE
    for leg in LEGS:
        side = 1.0 if "left" in leg else -1.0
        position = (ahead if "front" in leg else -ahead, side * aside, -below)
        links += [
            Link(f"ahead {leg}", "body", Joint("prismatic", (1.0, 0.0, 0.0), position=position)),
            Link(f"aside {leg}", f"ahead {leg}", Joint("prismatic", (0.0, 1.0, 0.0))),
            Link(f"foot {leg}", f"aside {leg}", Joint("prismatic"), (foot(FOOT_RADIUS, (0.0, 0.0, 0.0)),), FOOT),
        ]
    return Figure("single rigid body", tuple(links))


def single_rigid_body_trot(speed: float = 0.8, period: float = 0.5, intervals: int = 4) -> Plan:
    """Return the plan of a cyclic trot [m/s, s]: half a stride on one diagonal pair of feet, then its mirror image.

    intervals: intervals of half a stride.
    """
    half = 0.5 * period
    limits: dict[str, Ranges] = {f"{part} {leg}": reach for leg in LEGS for part, reach in REACH.items()}
    pairs = tuple((f"{part} {end} left", f"{part} {end} right") for end in ("front", "hind") for part in REACH)
    middle = PhaseTime("stance", 0.5)
    high = (None, None, FOOT_RADIUS + LIFT)
    return Plan(
        single_rigid_body(),
        (Phase("stance", half, tuple(f"foot {leg}" for leg in DIAGONAL), landing="smooth", intervals=intervals),),
        "trot of a single rigid body",
        torques=dict.fromkeys(limits, 300.0),
        limits=limits,
        cycle=Cycle(speed * half, mirrored=True, pairs=pairs),
        start=Pose(positions={"body": (None, None, None, None, 0.0, None, None)}),
        targets=tuple(PointTarget(f"foot {leg}", high, middle, relation="above") for leg in SWINGING),
        guess=(Pose(PhaseTime("stance", 0.0), _standing(0.0)), Pose(PhaseTime("stance", 1.0), _standing(speed * half))),
        costs=(Cost("effort"), Cost("acceleration", 1e-3)),
        mesh=Mesh(intervals=intervals),
    )


def _standing(x: float) -> dict[str, Values]:
    """Return the positions of a body that stands at x [m]."""
    feet: dict[str, Values] = {f"{part} {leg}": 0.0 for leg in LEGS for part in REACH}
    return {"body": (1.0, 0.0, 0.0, 0.0, x, 0.0, STANCE[2] + FOOT_RADIUS)} | feet
