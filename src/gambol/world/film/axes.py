"""Names of the numbers along the axes of signals: feet, coordinates of joints, and freedoms."""

from collections.abc import Iterator, Sequence

from gambol.figure import JOINTS, Figure

QUATERNION, POSITION = ("qw", "qx", "qy", "qz"), ("x", "y", "z")
ANGULAR, LINEAR = ("wx", "wy", "wz"), ("vx", "vy", "vz")
"""Names of coordinates and velocities of joints with a quaternion; their velocities are in coordinates of the link."""


def film_axes(figure: Figure, feet: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return the names along the axes "feet", "coordinates" and "freedoms" of a figure, see Film.axes.

    feet: names of links. A coordinate or freedom has the name of its link: "femur_fl1 [rad]"; columns of joints with
    several coordinates are "trunk.qw [1]", "trunk.x [m]", "trunk.vx [m]", or "link.0 [rad]" and so on.
    """
    coordinates = tuple(name for link in figure.links for name in _coordinates(link.name, link.joint.kind))
    freedoms = tuple(name for link in figure.links for name in _freedoms(link.name, link.joint.kind))
    return {"feet": tuple(feet), "coordinates": coordinates, "freedoms": freedoms}


def _coordinates(link: str, kind: str) -> Iterator[str]:
    units = JOINTS[kind].q_units
    yield from _labels(link, (*QUATERNION, *POSITION) if units[:4] == ("1",) * 4 else (), units)


def _freedoms(link: str, kind: str) -> Iterator[str]:
    row = JOINTS[kind]
    units = [unit.removesuffix("/s") for unit in row.v_units]
    yield from _labels(link, (*ANGULAR, *LINEAR) if row.nq > row.nv else (), units)


def _labels(link: str, parts: Sequence[str], units: Sequence[str]) -> Iterator[str]:
    for k, unit in enumerate(units):
        part = parts[k] if k < len(parts) else str(k)
        yield f"{link if len(units) == 1 else f'{link}.{part}'} [{unit}]"
