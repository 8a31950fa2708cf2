"""Soft bodies: a closed surface with internal springs that keep its volume. [Parent, virtual springs]"""

import math

import numpy as np

from gambol.errors import WorldError
from gambol.matter.mesh.parts import Springs
from gambol.matter.mesh.spring_mesh import SpringMesh
from gambol.matter.mesh.topology import lengths_of


def soft_body(
    surface: SpringMesh, *, stiffness: float, damping: float = 0.0, core_mass: float | None = None
) -> SpringMesh:
    """Return a closed surface with a core: a point in its middle, joined to every point by an internal spring.

    surface: surface of triangles. stiffness: stiffness of internal springs [N/m]. damping: damping of internal springs,
    as a time [s]. core_mass: mass of the added point [kg]; None: the mean mass of a point. The core is the last point.
    Raises WorldError for a surface with holes and impossible numbers.
    """
    if not (0.0 < stiffness < math.inf and 0.0 <= damping < math.inf):
        raise WorldError(f"internal springs of {stiffness} N/m and a damping of {damping} s are impossible")
    surface.check_closed()
    points = np.concatenate([surface.points, surface.points.mean(axis=0, keepdims=True)])
    n = len(surface.points)
    ends = np.stack([np.arange(n), np.full(n, n)], axis=1)
    inner = Springs(
        ends, lengths_of(points, ends), np.array(stiffness), np.array(stiffness * damping), kind=np.array("internal")
    )
    mass = float(surface.masses.mean()) if core_mass is None else core_mass
    return SpringMesh(
        points,
        np.append(surface.masses, mass),
        Springs.joined(surface.springs, inner),
        surface.hinges,
        surface.bends,
        surface.triangles,
        surface.pins,
        surface.gas,
        surface.name,
    )
