"""Collocation: equations that advance the state over each interval by the scheme's table.

    y_t - y_0 - h sum_j A_tj y'_j = 0

A unit quaternion advances to p = q_0 + h sum_j A_tj N(q_j) v_j and is then projected to length 1: the new quaternion is
parallel to p, so conj(p) q has no vector part, and |q|^2 = 1. [Hairer, Lubich and Wanner 2006, IV.4] The projection
does not change the order of the scheme.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from gambol.figure import JOINTS
from gambol.lanes import Scalar, total
from gambol.plan.motion.transcription.elements import EQUATION, Inputs, Named, NamedFunction, element, with_units
from gambol.plan.motion.transcription.layout import Indices, Layout
from gambol.plan.motion.transcription.scales import freedom_labels
from gambol.plan.motion.transcription.schemes import Row
from gambol.plan.program import Element
from gambol.spatial.vector import Vector


@dataclass(frozen=True)
class TargetNodes:
    """A target node in every interval of a phase: indices of the first nodes of the intervals, and rows of A for it."""

    phase: int
    firsts: Indices
    target: int
    position: Row
    velocity: Row


def target_nodes(layout: Layout) -> Iterator[TargetNodes]:
    """Iterate over the target nodes of the scheme, phase by phase."""
    scheme = layout.scheme
    for phase, block in enumerate(layout.blocks):
        firsts = np.arange(0, block.nodes - 1, scheme.steps)
        for target in range(1, scheme.steps + 1):
            yield TargetNodes(phase, firsts, target, scheme.position[target - 1], scheme.velocity[target - 1])


def collocation(layout: Layout) -> list[Element]:
    """Return the equations of collocation of all phases."""
    return [
        equation
        for part in target_nodes(layout)
        for equation in (*_velocities(layout, part), *_positions(layout, part))
    ]


def advanced(start: Scalar, h: Scalar, row: Row, rates: Sequence[Scalar]) -> Scalar:
    """Return start + h sum of A_tj y'_j; rates: rates with A_tj other than 0."""
    terms = zip((a for a in row if a), rates, strict=True)
    return start + h * total(rate * a for a, rate in terms)


def _velocities(layout: Layout, part: TargetNodes) -> Iterator[Element]:
    """Return v_t - v_0 - h sum A a for each freedom: one element for each unit."""
    block, scales = layout.blocks[part.phase], layout.scales
    text = freedom_labels(layout.figure)
    for columns in _by_unit(scales.v):
        equation = _scalar_element(
            layout, part, "collocation of velocities", block.v[:, columns], block.a[:, columns], part.velocity
        )
        yield _labelled(equation, columns.tolist(), text.speeds, text.names)


def _positions(layout: Layout, part: TargetNodes) -> Iterator[Element]:
    """Return the equations of coordinates: of simple coordinates together, of others joint by joint."""
    block, figure = layout.blocks[part.phase], layout.figure
    text = freedom_labels(figure)
    simple = [link for link in figure.links if JOINTS[link.joint.kind].has_plain_rates]
    q = np.array([k for link in simple for k in range(figure.nq)[link.q]], np.intp)
    v = np.array([k for link in simple for k in range(figure.nv)[link.v]], np.intp)
    for columns in _by_unit(layout.scales.q[q]):
        equation = _scalar_element(
            layout,
            part,
            "collocation of positions",
            block.q[:, q[columns]],
            block.v[:, v[columns]],
            part.position,
        )
        yield _labelled(equation, v[columns].tolist(), [unit.removesuffix("/s") for unit in text.speeds], text.names)
    for link in figure.links:
        if link not in simple:
            yield _joint_element(layout, part, link.name)


def _labelled(equation: Element, freedoms: list[int], units: Sequence[str], names: Sequence[str]) -> Element:
    """Return an element with texts for messages.

    freedoms: freedom of each instance of an interval. units, names: unit and name of each freedom of the figure.
    """
    names_of_freedoms = [names[k] for k in freedoms]
    return with_units(
        equation, units[freedoms[0]], instances=names_of_freedoms * (len(equation.times) // len(freedoms))
    )


def _by_unit(scales: NDArray[np.float64]) -> list[NDArray[np.intp]]:
    return [np.flatnonzero(scales == value) for value in np.unique(scales)]


def _scalar_element(layout: Layout, part: TargetNodes, name: str, values: Indices, rates: Indices, row: Row) -> Element:
    """Return the equations of one coordinate for each interval and column of values (nodes, columns)."""
    firsts, columns = part.firsts, values.shape[1]
    used = [j for j, a in enumerate(row) if a]
    inputs: Inputs = {
        "start": values[firsts].reshape(-1, 1),
        "end": values[firsts + part.target].reshape(-1, 1),
        "rates": np.stack([rates[firsts + j] for j in used], axis=-1).reshape(-1, len(used)),
        **_step_inputs(layout, part, columns),
    }
    unit = float(layout.unknowns.scale[values[0, 0]])
    times = _times(layout, part, columns)
    return element(name, _coordinate_defect(row), inputs, times, layout.unknowns.scale, (unit,), EQUATION)


@lru_cache
def _coordinate_defect(row: Row) -> NamedFunction:
    """Return the function end - start - h sum A y'."""
    return lambda x: [x["end"][0] - advanced(x["start"][0], x["T"][0] * x["ds"][0], row, x["rates"])]


def _step_inputs(layout: Layout, part: TargetNodes, columns: int) -> dict[str, NDArray[np.intp] | NDArray[np.float64]]:
    """Return the inputs "T" and "ds", repeated for each column; their product is the length of each interval."""
    fractions = layout.blocks[part.phase].fractions
    ds = fractions[part.firsts + layout.scheme.steps] - fractions[part.firsts]
    return {
        "T": layout.duration_input(part.phase, len(ds) * columns),
        "ds": np.repeat(ds, columns)[:, None],
    }


def _times(layout: Layout, part: TargetNodes, columns: int) -> NDArray[np.float64]:
    return np.repeat(layout.guessed_times(part.phase)[part.firsts + part.target], columns)


def _joint_element(layout: Layout, part: TargetNodes, name: str) -> Element:
    """Return the equations of a joint with q_dot different from v."""
    block, link = layout.blocks[part.phase], layout.figure.link(name)
    firsts, row = part.firsts, part.position
    q, v, used = block.q[:, link.q], block.v[:, link.v], [j for j, a in enumerate(row) if a]
    nodes = sorted({0, part.target, *used})
    states = {f"q{j}": q[firsts + j] for j in nodes} | {f"v{j}": v[firsts + j] for j in used}
    inputs: Inputs = {**states, **_step_inputs(layout, part, 1)}

    scales, times = [float(layout.unknowns.scale[k]) for k in q[0]], _times(layout, part, 1)
    function = _joint_defect(link.joint.kind, row, part.target)
    equation = element(f'collocation of "{name}"', function, inputs, times, layout.unknowns.scale, scales, EQUATION)
    return with_units(equation, ["m" if unit == "m" else "rad" for unit in JOINTS[link.joint.kind].q_units])


@lru_cache
def _joint_defect(kind_name: str, row: Row, target: int) -> NamedFunction:
    """Return the function that is 0 if the coordinates of a joint of this kind advance by the scheme."""
    kind, used = JOINTS[kind_name], [j for j, a in enumerate(row) if a]

    def defect(x: Named) -> list[Scalar]:
        h = x["T"][0] * x["ds"][0]
        rates = zip(*(kind.q_dot(x[f"q{j}"], x[f"v{j}"]) for j in used), strict=True)
        p = [advanced(start, h, row, r) for start, r in zip(x["q0"], rates, strict=True)]
        return joint_difference(kind.has_quaternion, p, x[f"q{target}"])

    return defect


def joint_difference(has_quaternion: bool, p: Sequence[Scalar], q: Sequence[Scalar]) -> list[Scalar]:
    """Return the residual (nq) of q = p, projected: for a quaternion, the vector part of conj(p) q and |q|^2 - 1."""
    if not has_quaternion:
        return [b - a for a, b in zip(p, q, strict=True)]
    rest = (b - a for a, b in zip(p[4:], q[4:], strict=True))
    return [*rotation_between(p, q), total(x * x for x in q[:4]) - 1.0, *rest]


def rotation_between(p: Sequence[Scalar], q: Sequence[Scalar]) -> list[Scalar]:
    """Return the vector part of conj(p) q of two quaternions: 0 if they are parallel.

    p, q: unit quaternions. The length of the vector is the sine of half the angle between them.
    """
    w, r = p[0], Vector.of(p[1:4])
    vector = Vector.of(q[1:4]) * w - r * q[0] - r.cross(Vector.of(q[1:4]))
    return list(vector)
