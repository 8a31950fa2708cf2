"""Problems of one rotating body: free bodies and tops."""

import numpy as np
from scipy.integrate import quad
from scipy.optimize import brentq

from gambol.figure import Figure, Joint, Link, MassProperties
from validation.problem import Array, Problem, Row, motion, rows_of
from validation.reference_data import reference_data


def body(kind: str, mass: float, moments: Array, com: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> Figure:
    """Return one body on one joint; moments: principal moments about its centre of mass, along the axes."""
    I = np.diag(moments).tolist()
    inertia = (tuple(I[0]), tuple(I[1]), tuple(I[2]))
    return Figure("body", (Link("body", None, Joint(kind), (), MassProperties(mass, com, inertia)),))


def torque_free() -> list[Row]:
    data = reference_data("torque_free")
    samples = np.array(data["samples"])
    figure = body("spherical", 1.0, np.array(data["I"]))
    _, v = motion(figure, np.array([1.0, 0.0, 0.0, 0.0]), np.array(data["w0"]), samples[:, 0].tolist(), gravity=0.0)
    names = [f"{axis} at {t:g} s [rad/s]" for t in samples[:, 0] for axis in ("wx", "wy", "wz")]
    return rows_of(names, v, samples[:, 1:], 1e-8)


def spinning_box() -> list[Row]:
    """Return rows on the conserved quantities of a free rotating box."""
    data = reference_data("spinning_box_simple")
    I, start = np.array(data["I"]), data["simple"]
    figure = body("free", data["m"], I)
    v0 = np.array([*start["w0"], *start["v0"]])
    q, v = motion(figure, np.array([1.0, 0, 0, 0, 0, 0, 0]), v0, [1.0], gravity=0.0)
    w, x = v[0, :3], q[0, 4:]
    energy = 0.5 * (w @ (I * w) + data["m"] * v[0, 3:] @ v[0, 3:])
    return [
        Row("energy after 1 s [J]", float(energy), start["E0"], 1e-6 * start["E0"]),
        *rows_of([f"{a} after 1 s [m]" for a in "xyz"], x, np.array(start["v0"]), 1e-6),
    ]


def upright(theta: float) -> Array:
    """Return the quaternion of a top inclined by theta."""
    return np.array([np.cos(theta / 2), np.sin(theta / 2), 0.0, 0.0])


def top(data: dict[str, float]) -> Figure:
    """Return a heavy symmetric top on its tip; It in data is its transverse moment about the tip."""
    about_com = data["It"] - data["m"] * data["l"] ** 2
    return body("spherical", data["m"], np.array([about_com, about_com, data["Ia"]]), (0.0, 0.0, data["l"]))


def axis_of(q: Array) -> Array:
    """Return the axis of a top (times, 3) for quaternions (times, 4)."""
    w, x, y, z = q.T
    return np.stack([2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)], axis=1)


def steady_top() -> list[Row]:
    """Return rows on a top started at its precession rate: constant inclination, and precession at that rate."""
    data = reference_data("steady_top")
    theta, rows = np.radians(data["theta_deg"]), list[Row]()
    for name in ("precession_slow", "precession_fast"):
        rate, seconds = data[name], 0.5
        w = np.array([0.0, rate * np.sin(theta), data["omega3"]])
        q, _ = motion(top(data), upright(theta), w, [0.01, seconds])
        axes = axis_of(q)
        turned = np.unwrap(np.arctan2(axes[:, 1], axes[:, 0]))
        whole = rate * (seconds - 0.01)
        turned = turned[1] - turned[0] + 2 * np.pi * np.round((whole - turned[1] + turned[0]) / (2 * np.pi))
        rows.append(Row(f"{name} [rad/s]", float(turned / (seconds - 0.01)), rate, 1e-6))
        rows.append(Row(f"lean after 0.5 s at {name} [rad]", float(np.arccos(axes[1, 2])), float(theta), 1e-6))
    return rows


def nutating_top() -> list[Row]:
    """Return rows on a top released with spin only: its nutation between two angles, with a period by quadrature.

    With u = cos theta: u'^2 = (2 m g l / It) (u0 - u) (1 - u^2) - (L / It)^2 (u0 - u)^2. [Goldstein 2002, section 5.7]
    """
    data = reference_data("steady_top")
    theta0, L = np.radians(data["theta_deg"]), data["Ia"] * data["omega3"]
    a, b = 2 * data["m"] * 9.81 * data["l"] / data["It"], (L / data["It"]) ** 2
    u0 = np.cos(theta0)
    low = brentq(lambda u: a * (1 - u * u) - b * (u0 - u), -1.0, u0, xtol=1e-15)
    other = -(low - b / a)  # the roots of a u^2 - b u + b u0 - a add up to b / a

    def slowness(s: float) -> float:
        """Return dt/ds with u = middle + half sin s, without singularities at the ends."""
        u = 0.5 * (u0 + low) + 0.5 * (u0 - low) * np.sin(s)
        return 1.0 / np.sqrt(a * (other - u))

    period = 2.0 * quad(slowness, -np.pi / 2, np.pi / 2, epsabs=1e-13, epsrel=1e-13)[0]
    times = [round(0.01 * k, 2) for k in range(1, 101)]
    figure = top(data)
    q, v = motion(figure, upright(theta0), np.array([0.0, 0.0, data["omega3"]]), times)
    u = axis_of(q)[:, 2]
    phase = np.array(times) / period
    expected = np.array([_lean(p, a, other, u0, low, period) for p in phase])
    worst = int(np.argmax(np.abs(u - expected)))
    return [
        Row(f"cos theta at {times[worst]:g} s, the worst of 100 times", float(u[worst]), float(expected[worst]), 1e-6),
        Row("spin after 1 s [rad/s]", float(v[-1, 2]), data["omega3"], 1e-6),
    ]


def _lean(phase: float, a: float, other: float, u0: float, low: float, period: float) -> float:
    """Return cos theta at a phase of the nutation, by inverting the quadrature."""
    part = abs(phase - np.round(phase)) * period  # time since or until the nearest maximum of the nutation

    def time_error(s: float) -> float:
        def slowness(x: float) -> float:
            return 1.0 / np.sqrt(a * (other - 0.5 * (u0 + low) - 0.5 * (u0 - low) * np.sin(x)))

        return quad(slowness, s, np.pi / 2, epsabs=1e-13, epsrel=1e-13)[0] - part

    s = brentq(time_error, -np.pi / 2 - 1e-9, np.pi / 2, xtol=1e-14)
    return float(0.5 * (u0 + low) + 0.5 * (u0 - low) * np.sin(s))


PROBLEMS = (
    Problem(
        "Torque-free body",
        "A body with moments of inertia of 1, 2 and 3 kg m2 rotates at (1, 0, 1.5) rad/s. RKF45, tolerance 1e-12.",
        "Euler's equations, solved by Jacobi's elliptic functions",
        torque_free,
        method="rkf45",
    ),
    Problem(
        "Spinning box",
        "A box of 10 kg is thrown without gravity.",
        "conservation laws; the simple case of SimBenchmark",
        spinning_box,
        method="rkf45",
    ),
    Problem(
        "Steady top",
        "A top leans by 30 degrees and spins at 60 rad/s. It starts with its slow or its fast precession. RKF45, "
        "tolerance 1e-12.",
        "roots of the quadratic for the precession rate",
        steady_top,
        method="rkf45",
    ),
    Problem(
        "Nutating top",
        "The same top is released with spin only. RKF45, tolerance 1e-12.",
        "quadrature of the top's cubic equation (scipy, 1e-13)",
        nutating_top,
        method="rkf45",
    ),
)
