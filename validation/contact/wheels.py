"""Successive landings: rocking blocks and rimless wheels, with energy conserved between plastic impacts."""

import math

import numpy as np
from scipy.integrate import quad

from gambol.contact.complementarity import FrictionalContact
from gambol.contact.impulse import resolve_impacts
from gambol.dynamics import kinematics
from gambol.dynamics.quantities.operational import Contact
from gambol.figure import Triple
from gambol.spatial import Vector
from validation.contact.answer import Answer, ContactProblem, MethodAnswers, method_answers
from validation.contact.scene import TIME_STEPPING, TIP, Scene, Trajectory, flat, in_plane, simulate, slope_gravity
from validation.problem import Array
from validation.reference_data import reference_data

G = 9.81
CONTROL_STEP = 1e-3
LATE = "a landing is up to one step late or early, and uses the velocities before it"
LIMITS = {
    name: dict.fromkeys(("turning after", "turning before", "time"), (LATE, 5e-3))
    for name in TIME_STEPPING
    if name != "constraint"
}


def landings(trajectory: Trajectory, least: float) -> Array:
    """Return the indices of the samples after which the angular velocity jumps by more than `least` [rad/s]."""
    jumps = np.abs(np.diff(trajectory.v[:, 0])) > least
    return np.flatnonzero(jumps & ~np.roll(jumps, 1))


def rocking_reference(half: float, high: float, begin: float) -> tuple[float, float, float]:
    """Return the time of the first landing of a block released on one corner, its angular velocity, and the share kept.

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
    """Return answers on a rocking block of 0.2 m by 1 m; every landing takes the same part of its angular velocity."""
    half, high, begin = 0.1, 0.5, 0.1
    time, turning, kept_part = rocking_reference(half, high, begin)
    corners: list[Triple] = [(half, 0.0, -high), (-half, 0.0, -high)]
    block = in_plane("block", flat(1.0, (half * half + high * high) / 3.0), corners)
    # rotated from x to z by `begin`, it stands on its corner at -half
    c, s = math.cos(begin), math.sin(begin)
    q = np.array([begin, c * half - s * high, s * half + c * high + TIP])
    answers: list[Answer] = []
    for run in method_answers([(name, 1e-4) for name in TIME_STEPPING]):
        trajectory = simulate(Scene(block, 2.0), run.method, run.step, q, np.zeros(3), 3.0, CONTROL_STEP)
        w, hits = trajectory.v[:, 0], landings(trajectory, 0.02)
        parts = [w[k + 2] / w[k - 1] for k in hits[:4]]
        k = hits[0]
        answers.append(
            run.answer("time of the first landing [s]", trajectory.t[k] - trajectory.q[k, 0] / w[k], time, 1e-3)
        )
        answers.append(run.answer("turning when it lands [rad/s]", -w[k], turning, 1e-2))
        answers.append(run.worst("part of the turning that stays", parts, [kept_part] * 4, 1e-2))
    return answers


def wheel_reference(n: int, slope: float, J: float) -> tuple[float, float, float]:
    """Return the angular velocity after and before a landing in the steady roll of n spokes, and the time of a step.

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


def wheel(n: int, slope: float, J: float, iterations: int = 40) -> Scene:
    """Return a wheel of n spokes of 1 m and 1 kg, with moment J about its hub, on a slope, with very high friction."""
    a = math.pi / n
    tips: list[Triple] = [(math.sin((2 * k + 1) * a), 0.0, -math.cos((2 * k + 1) * a)) for k in range(n)]
    made = in_plane("wheel", flat(1.0, J), tips)
    return Scene(made, 3.0, gravity=slope_gravity(math.degrees(slope)), iterations=iterations)


def wheel_begin(n: int, turning: float) -> tuple[Array, Array]:
    """Return coordinates and velocities of a wheel of n spokes on two feet that rolls clockwise, towards x."""
    a = math.pi / n
    q = np.array([0.0, 0.0, math.cos(a) + TIP])
    return q, np.array([-turning, turning * math.cos(a), turning * math.sin(a)])


def wheel_trajectory(method: str, step: float, slope: float, J: float, seconds: float, turning: float) -> Trajectory:
    """Simulate a wheel of eight spokes on a slope, started on two feet."""
    return simulate(wheel(8, slope, J), method, step, *wheel_begin(8, turning), seconds, CONTROL_STEP)


def steady(trajectory: Trajectory, slope: float, J: float, n: int = 8) -> tuple[float, float, float]:
    """Return the angular velocity after and before a landing, from energies between the last two, and the step time.

    The time of a step is that of its middle, where velocities are continuous: every step is an n-th of a turn.
    """
    a, turned = math.pi / n, -trajectory.q[:, 0]
    count = int(turned[-1] / (2 * a))
    dates = np.interp([(count - 4.5) * 2 * a, (count - 0.5) * 2 * a], turned, trajectory.t)
    k = int(np.flatnonzero(turned > (count - 0.5) * 2 * a)[0])
    angle = turned[k] - (count - 0.5) * 2 * a + slope
    squared = trajectory.v[k, 0] ** 2
    after, before = (
        squared + 2.0 * G / (1.0 + J) * (math.cos(angle) - math.cos(end)) for end in (slope - a, slope + a)
    )
    return math.sqrt(after), math.sqrt(before), float(dates[1] - dates[0]) / 4.0


def rimless() -> list[Answer]:
    """Return answers on slopes of 0.08 rad, where it slows down to the steady roll, and 0.02 rad, where it stops."""
    J, answers = 0.5, list[Answer]()
    names = ["turning after a landing [rad/s]", "turning before it [rad/s]", "time of a step [s]"]
    reference = wheel_reference(8, 0.08, J)
    for run in method_answers([*((name, 1e-4) for name in TIME_STEPPING), ("constraint", 5e-5)], LIMITS):
        trajectory = wheel_trajectory(run.method, run.step, 0.08, J, 20.0, 1.005 * reference[0])
        ours = steady(trajectory, 0.08, J)
        answers += [run.answer(*row, 1e-5) for row in zip(names, ours, reference, strict=True)]
        still = wheel_trajectory(run.method, 1e-3, 0.02, J, 15.0, 1.0)
        answers.append(run.answer("turning at last on 0.02 rad [rad/s]", still.v[-1, 0], 0.0, 1e-5))
    return answers


def rimless_instants() -> list[Answer]:
    """Return answers on the steady roll from impacts of the figure alone, with energy conserved between them.

    The reference wheel has no moment about its hub; ours has 1e-7 m l^2.
    """
    a, answers, run = math.pi / 8, list[Answer](), MethodAnswers("impact", 0.0, {})
    tips: list[Triple] = [(side * math.sin(a), 0.0, -math.cos(a)) for side in (1, -1)]
    for case in reference_data("rimless_wheel_n8"):
        wheel = in_plane("wheel", flat(1.0, 1e-7), tips)
        feet = [FrictionalContact(Contact(1, Vector(*tip)), Vector(0.0, 0.0, 1.0), 5.0) for tip in tips]
        gain, after = 4.0 * G * math.sin(a) * math.sin(case["slope_rad"]), 2.0
        for _ in range(60):
            before = math.sqrt(after * after + gain)
            v = [
                -before,
                before * math.cos(a),
                -before * math.sin(a),
            ]  # about the rear foot, falling onto the front foot
            after = -float(resolve_impacts(kinematics(wheel, [0.0, 0.0, math.cos(a)], v), feet).v[0])
        of = f"on {case['slope_rad']:g} rad [rad/s]"
        answers.append(run.answer(f"turning after a landing {of}", after, case["omega_plus"], 1e-5))
        answers.append(run.answer(f"turning before it {of}", before, case["omega_minus"], 1e-5))
    return answers


PROBLEMS = (
    ContactProblem(
        "Rocking block",
        "A block of 0.2 m by 1 m is released on one corner at 0.1 rad. Landings are plastic.",
        "energy, and angular momentum about the new corner (Housner 1963)",
        rocking,
    ),
    ContactProblem(
        "Rimless wheel, impact by impact",
        "A wheel of eight spokes of 1 m, with all mass in the hub. Impacts follow Stronge's hypothesis.",
        "closed form (McGeer 1990)",
        rimless_instants,
    ),
    ContactProblem(
        "Rimless wheel",
        "A wheel of eight spokes. Landings are plastic.",
        "energy, and angular momentum about the new foot (McGeer 1990)",
        rimless,
    ),
)
