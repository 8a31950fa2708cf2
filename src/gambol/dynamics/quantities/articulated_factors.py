"""The factors of a mass matrix by articulated bodies: at a cost of O(n), without the matrix.

    A = R^T R = L^T D L     D: inertias of the articulated bodies along their directions     R = D^(1/2) L
    R^T y = b     inward    u = b + S.p     y = u / D^(1/2)     p_P = X (p - W u)
    R x = z       outward   a = X^-1 a_P     x = z / D^(1/2) - W.a     a += S x
    z = R x       outward   a = X^-1 a_P     z = D^(1/2) (x + W.a)     a += S x

The passes of articulated.py eliminate one joint after the other, as factors of the matrix do, and have the same D. So
these are the root factors of forward/systems.py, except that joints of several directions are eliminated in another
order. [Rodriguez, Jain and Kreutz-Delgado 1991]
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from gambol.dynamics.kinematics import Kinematics
from gambol.dynamics.quantities.articulated import Articulated, articulated
from gambol.lanes import Scalar, Subprogram, split_point, sqrt
from gambol.spatial.motion import NO_FORCE, ZERO_MOTION, Force, Motion
from gambol.spatial.rotation import is_constant


@dataclass(frozen=True, slots=True)
class ArticulatedFactors:
    """Root factors of a mass matrix, see RootFactors.

    bodies: the articulated bodies; scale: square roots of the inverses of D. Each pass is one subprogram for all its
    uses.
    """

    bodies: Articulated
    scale: tuple[Scalar, ...]
    passes: tuple[Subprogram, Subprogram, Subprogram]

    @staticmethod
    def of(state: Kinematics, added: Sequence[Scalar] | None = None) -> "ArticulatedFactors":
        """Return the factors at the positions of a state.

        added: inertias added to the diagonal (nv) [kg m2 or kg].
        """
        bodies = articulated(state, added)
        scale = tuple(sqrt(x.D_inverse) for each in bodies.directions for x in each)
        inward, outward, multiply = (partial(each, bodies, scale) for each in (_inward, _outward, _multiply))
        return ArticulatedFactors(bodies, scale, (Subprogram(inward), Subprogram(outward), Subprogram(multiply)))

    @property
    def D_inverse(self) -> tuple[Scalar, ...]:
        """Ones, since A = R^T R has no D."""
        return (1.0,) * len(self.scale)

    def inward(self, b: Sequence[Scalar]) -> list[Scalar]:
        """Return y of R^T y = b; only ancestors of nonzero entries of b become nonzero."""
        reached, figure = set[int](), self.bodies.state.figure
        for link in figure.inward():
            span = range(link.v.start, link.v.stop)
            if link.index in reached or not all(is_constant(b[k], 0.0) for k in span):
                reached |= {link.index, link.parent_index}
        y = self.passes[0](list(b))
        for link in figure.links:
            if link.index not in reached:
                y[link.v] = [0.0] * (link.v.stop - link.v.start)
        return y

    def outward(self, z: Sequence[Scalar]) -> list[Scalar]:
        """Return x of R x = z."""
        return self.passes[1](list(z))

    def multiply(self, x: Sequence[Scalar]) -> list[Scalar]:
        """Return R x: the inverse of outward()."""
        return self.passes[2](list(x))


def _inward(bodies: Articulated, scale: Sequence[Scalar], b: list[Scalar]) -> list[Scalar]:
    """Return y of R^T y = b."""
    state, y = bodies.state, list(b)
    forces: list[Force] = [NO_FORCE] * len(state.joints)
    for link in state.figure.inward():
        split_point()
        joint = state.joints[link.index]
        force = joint.to_joint(forces[link.index])
        for k, direction in enumerate(bodies.directions[link.index], start=link.v.start):
            u = direction.S.dot(force, b[k])
            force = force - direction.W * u
            y[k] = u * scale[k]
        forces[link.parent_index] += joint.X_PJ @ force
    return y


def _outward(bodies: Articulated, scale: Sequence[Scalar], z: list[Scalar]) -> list[Scalar]:
    """Return x of R x = z."""
    x = [y * s for y, s in zip(z, scale, strict=True)]
    motions = [ZERO_MOTION] * len(bodies.state.joints)
    for link in bodies.state.figure.outward():
        split_point()
        responses = {link.index: x[link.v]}
        x[link.v], motions[link.index] = bodies.outward(link, responses, motions[link.parent_index])
    return x


def _multiply(bodies: Articulated, scale: Sequence[Scalar], x: list[Scalar]) -> list[Scalar]:
    """Return R x."""
    state, z = bodies.state, list(x)
    motions: list[Motion] = [ZERO_MOTION] * len(state.joints)
    for link in state.figure.outward():
        split_point()
        joint = state.joints[link.index]
        a = joint.X_PJ.apply_inverse(motions[link.parent_index])
        for k, direction in reversed([*enumerate(bodies.directions[link.index], start=link.v.start)]):
            z[k] = a.dot(direction.W, x[k]) / scale[k]
            a = a + direction.S * x[k]
        motions[link.index] = joint.to_link(a)
    return z
