"""Feet that land one after the other: rocking blocks and rimless wheels, by energy between plastic impacts."""

import math

import numpy as np
from scipy.integrate import quad

from gambol.contact.complementarity import Support
from gambol.contact.impulse import struck
from gambol.dynamics import kinematics
from gambol.dynamics.quantities.operational import Contact
from gambol.figure import Triple
from gambol.spatial import Vector
from validation.contact.answer import Answer, ContactProblem, Sheet, sheets
from validation.contact.scene import LARGE, TIP, Scene, Track, flat, in_plane, leaning, tracked
from validation.given import given
from validation.problem import Array

G = 9.81
FRAME = 1e-3
LATE = "a landing counts up to a step late or early, with the velocities of before"
LIMITS = {
    name: dict.fromkeys(("turning after", "turning before", "time"), (LATE, 5e-3))
    for name in LARGE
    if name != "constraint"
}


def landings(track: Track, least: float) -> Array:
    """Frames after which the turning has jumped by more than told [rad/s]."""
    jumps = np.abs(np.diff(track.v[:, 0])) > least
    return np.flatnonzero(jumps & ~np.roll(jumps, 1))


def rocking_reference(half: float, high: float, begin: float) -> tuple[float, float, float]:
    """Time until a block let go on one corner lands on the other, its turning then, and the part of it that stays.

    Housner's equation without small angles: I w^2 / 2 = m g R (cos(alpha - begin) - cos(alpha - angle)), and the
    moments about the new corner before and after. [Housner 1963]
    """
    R, alpha = math.hypot(half, high), math.atan2(half, high)
    per = 2.0 * G / R * 0.75  # 2 m g R / I with I = 4/3 m R^2

    def rate(angle: float) -> float:
        return math.sqrt(per * (math.cos(alpha - begin) - math.cos(alpha - angle)) + 0.0)

    def slowness(s: float) -> float:
        angle = begin - begin * s * s
        return 2.0 * begin * s / rate(angle) if s > 0.0 else 0.0

    time = quad(slowness, 1e-9, 1.0, epsabs=1e-11, epsrel=1e-11)[0]
    return time, rate(0.0), 1.0 - 1.5 * math.sin(alpha) ** 2


def rocking() -> list[Answer]:
    """A block of 0.2 m by 1 m rocks from corner to corner; every landing takes the same part of its turning."""
    half, high, begin = 0.1, 0.5, 0.1
    time, turning, stays = rocking_reference(half, high, begin)
    corners: list[Triple] = [(half, 0.0, -high), (-half, 0.0, -high)]
    block = in_plane("block", flat(1.0, (half * half + high * high) / 3.0), corners)
    # turned from x to z by `begin`, it stands on its corner at -half
    c, s = math.cos(begin), math.sin(begin)
    q = np.array([begin, c * half - s * high, s * half + c * high + TIP])
    found: list[Answer] = []
    for sheet in sheets([(name, 1e-4) for name in LARGE]):
        track = tracked(Scene(block, 2.0), sheet.method, sheet.step, q, np.zeros(3), 3.0, FRAME)
        w, hits = track.v[:, 0], landings(track, 0.02)
        parts = [w[k + 2] / w[k - 1] for k in hits[:4]]
        k = hits[0]
        found.append(sheet.answer("time of the first landing [s]", track.t[k] - track.q[k, 0] / w[k], time, 1e-3))
        found.append(sheet.answer("turning when it lands [rad/s]", -w[k], turning, 1e-2))
        found.append(sheet.worst("part of the turning that stays", parts, [stays] * 4, 1e-2))
    return found


def wheel_reference(n: int, slope: float, J: float) -> tuple[float, float, float]:
    """Turning after and before a landing in the steady roll of a wheel of n spokes, and the time of a step.

    Per m and l: moments about the new foot give w+ = eta w-, eta = (J + cos 2a) / (J + 1), and energy
    w-^2 - w+^2 = 4 g sin a sin(slope) / (1 + J). [McGeer 1990]
    """
    a = math.pi / n
    eta = (J + math.cos(2.0 * a)) / (J + 1.0)
    gain = 4.0 * G * math.sin(a) * math.sin(slope) / (1.0 + J)
    after = math.sqrt(gain * eta * eta / (1.0 - eta * eta))

    def slowness(angle: float) -> float:
        """angle: of the spoke from the vertical, downhill positive."""
        return 1.0 / math.sqrt(after**2 + 2.0 * G / (1.0 + J) * (math.cos(slope - a) - math.cos(angle)))

    time = quad(slowness, slope - a, slope + a, epsabs=1e-12, epsrel=1e-12)[0]
    return after, after / eta, time


def wheel(n: int, slope: float, J: float, rounds: int = 40) -> Scene:
    """A wheel of n spokes of 1 m and 1 kg, with moment J about its hub, on a slope; its friction never slips."""
    a = math.pi / n
    tips: list[Triple] = [(math.sin((2 * k + 1) * a), 0.0, -math.cos((2 * k + 1) * a)) for k in range(n)]
    made = in_plane("wheel", flat(1.0, J), tips)
    return Scene(made, 3.0, gravity=leaning(math.degrees(slope)), rounds=rounds)


def wheel_begin(n: int, turning: float) -> tuple[Array, Array]:
    """Coordinates and velocities of a wheel of n spokes that stands on two feet and rolls clockwise, towards x."""
    a = math.pi / n
    q = np.array([0.0, 0.0, math.cos(a) + TIP])
    return q, np.array([-turning, turning * math.cos(a), turning * math.sin(a)])


def wheel_track(method: str, step: float, slope: float, J: float, seconds: float, turning: float) -> Track:
    """The track of a wheel of eight spokes on a slope, started on two feet."""
    return tracked(wheel(8, slope, J), method, step, *wheel_begin(8, turning), seconds, FRAME)


def steady(track: Track, slope: float, J: float, n: int = 8) -> tuple[float, float, float]:
    """Turning after and before a landing, from energies between the last two, and their time apart.

    Steps are dated by when half of them is turned, where nothing jumps: every step is an n-th of a turn.
    """
    a, turned = math.pi / n, -track.q[:, 0]
    count = int(turned[-1] / (2 * a))
    dates = np.interp([(count - 4.5) * 2 * a, (count - 0.5) * 2 * a], turned, track.t)
    k = int(np.flatnonzero(turned > (count - 0.5) * 2 * a)[0])
    angle = turned[k] - (count - 0.5) * 2 * a + slope
    squared = track.v[k, 0] ** 2
    after, before = (
        squared + 2.0 * G / (1.0 + J) * (math.cos(angle) - math.cos(end)) for end in (slope - a, slope + a)
    )
    return math.sqrt(after), math.sqrt(before), float(dates[1] - dates[0]) / 4.0


def rimless() -> list[Answer]:
    """On a slope of 0.08 rad it finds its steady roll from a faster one; on 0.02 rad it comes to rest on two feet."""
    J, found = 0.5, list[Answer]()
    names = ["turning after a landing [rad/s]", "turning before it [rad/s]", "time of a step [s]"]
    reference = wheel_reference(8, 0.08, J)
    for sheet in sheets([*((name, 1e-4) for name in LARGE), ("constraint", 5e-5)], LIMITS):
        track = wheel_track(sheet.method, sheet.step, 0.08, J, 20.0, 1.005 * reference[0])
        ours = steady(track, 0.08, J)
        found += [sheet.answer(*row, 1e-5) for row in zip(names, ours, reference, strict=True)]
        still = wheel_track(sheet.method, 1e-3, 0.02, J, 15.0, 1.0)
        found.append(sheet.answer("turning at last on 0.02 rad [rad/s]", still.v[-1, 0], 0.0, 1e-5))
    return found


def rimless_instants() -> list[Answer]:
    """The steady roll from impacts of the figure alone: energy carries it from one to the next.

    The given wheel has no moment about its hub; ours has a ten millionth of m l^2.
    """
    a, found, sheet = math.pi / 8, list[Answer](), Sheet("impact", 0.0, {})
    tips: list[Triple] = [(side * math.sin(a), 0.0, -math.cos(a)) for side in (1, -1)]
    for case in given("rimless_wheel_n8"):
        wheel = in_plane("wheel", flat(1.0, 1e-7), tips)
        feet = [Support(Contact(1, Vector(*tip)), Vector(0.0, 0.0, 1.0), 5.0) for tip in tips]
        gain, after = 4.0 * G * math.sin(a) * math.sin(case["slope_rad"]), 2.0
        for _ in range(60):
            before = math.sqrt(after * after + gain)
            v = [-before, before * math.cos(a), -before * math.sin(a)]  # about the foot behind, falling on that ahead
            after = -float(struck(kinematics(wheel, [0.0, 0.0, math.cos(a)], v), feet).v[0])
        of = f"on {case['slope_rad']:g} rad [rad/s]"
        found.append(sheet.answer(f"turning after a landing {of}", after, case["omega_plus"], 1e-5))
        found.append(sheet.answer(f"turning before it {of}", before, case["omega_minus"], 1e-5))
    return found


PROBLEMS = (
    ContactProblem(
        "Rocking block",
        "A block of 0.2 m by 1 m let go at 0.1 rad on one corner, plastic landings.",
        "energy and moments about the corner (Housner 1963)",
        rocking,
    ),
    ContactProblem(
        "Rimless wheel, impact by impact",
        "Eight spokes of 1 m, all mass in the hub, by Stronge's hypothesis.",
        "closed form (McGeer 1990)",
        rimless_instants,
    ),
    ContactProblem(
        "Rimless wheel", "Eight spokes, plastic landings.", "energy and moments about the foot (McGeer 1990)", rimless
    ),
)
