"""Spatial inertias of rigid bodies, and articulated-body inertias, about the origin of their frame."""

from collections.abc import Sequence
from dataclasses import dataclass

from gambol.lanes import Scalar
from gambol.spatial.matrix import Matrix, Symmetric
from gambol.spatial.motion import NO_FORCE, Force, Motion
from gambol.spatial.rotation import Rotation
from gambol.spatial.vector import ZERO, Vector, centripetal


@dataclass(frozen=True, slots=True)
class Inertia:
    """A spatial inertia in blocks: [n; f] = [I H; H^T M] [w; v], I and M symmetric.

    For a rigid body I is the inertia about the origin [kg m2], H = m c x with c the centre of mass, M = m 1.
    """

    I: Symmetric
    H: Matrix
    M: Symmetric

    @staticmethod
    def rigid(mass: Scalar, com: Vector, about_com: Sequence[Sequence[Scalar]]) -> "Inertia":
        """Return the inertia of a rigid body about the origin of its frame. [Featherstone 2008, eq. 2.63]

        mass [kg]; com: centre of mass [m]; about_com: inertia about the centre of mass, 3 x 3 [kg m2], same axes.
        """
        h = com * mass
        x, y, z = com
        about_origin = Symmetric.of(about_com) + Symmetric(
            h.y * y + h.z * z, h.x * -y, h.x * -z, h.x * x + h.z * z, h.y * -z, h.x * x + h.y * y
        )
        H = Matrix(((0.0, -h.z, h.y), (h.z, 0.0, -h.x), (-h.y, h.x, 0.0)))
        return Inertia(about_origin, H, Symmetric(mass, 0.0, 0.0, mass, 0.0, mass))

    def __add__(self, other: "Inertia") -> "Inertia":
        return Inertia(self.I + other.I, self.H + other.H, self.M + other.M)

    def __matmul__(self, motion: Motion) -> Force:
        return self.times(motion)

    def times(self, motion: Motion, addend: Force = NO_FORCE) -> Force:
        """Return addend + self @ motion."""
        w, v = motion.w, motion.v
        return Force(self.H.times(v, self.I.times(w, addend.n)), self.M.times(v, self.H.transpose.times(w, addend.f)))

    def column(self, index: int) -> Force:
        """Return column `index` from 0 to 5: the force for a unit motion along that coordinate."""
        if index < 3:
            return Force(self.I.column(index), Vector.of(self.H.rows[index]))
        return Force(self.H.column(index - 3), self.M.column(index - 3))

    def minus_outer(self, u: Force, w: Force) -> "Inertia":
        """Return self - u w^T, where w is a multiple of u."""
        return Inertia(self.I.minus_outer(u.n, w.n), self.H.minus_outer(u.n, w.f), self.M.minus_outer(u.f, w.f))

    def cleared(self, index: int) -> "Inertia":
        """Return this inertia with exact zeros in row and column `index`, from 0 to 5."""
        if index < 3:
            return Inertia(self.I.cleared(index), self.H.cleared(row=index), self.M)
        return Inertia(self.I, self.H.cleared(column=index - 3), self.M.cleared(index - 3))

    def rotated(self, rotation: Rotation) -> "Inertia":
        """Return this inertia, given in axes B, in axes A. rotation: R_AB."""
        return Inertia(self.I.rotated(rotation), self.H.rotated(rotation), self.M.rotated(rotation))

    def shifted(self, r: Vector) -> "Inertia":
        """Return this inertia about a new origin, in the same axes. r: the old origin seen from the new one [m].

        With a = a' + alpha x r and n' = n + r x f: H' = H + r x M, I' = I + r x H'^T + (r x H^T)^T.
        The code calls H' N.
        """
        H = self.H.rows
        columns = [self.H.column(k).plus_cross(r, self.M.column(k)) for k in range(3)]
        N = [[column[i] for column in columns] for i in range(3)]
        x, y, z = r
        S = self.I
        return Inertia(
            Symmetric(
                S.xx + y * N[0][2] - z * N[0][1] + y * H[0][2] - z * H[0][1],
                S.xy + y * N[1][2] - z * N[1][1] + z * H[0][0] - x * H[0][2],
                S.xz + y * N[2][2] - z * N[2][1] + x * H[0][1] - y * H[0][0],
                S.yy + z * N[1][0] - x * N[1][2] + z * H[1][0] - x * H[1][2],
                S.yz + z * N[2][0] - x * N[2][2] + x * H[1][1] - y * H[1][0],
                S.zz + x * N[2][1] - y * N[2][0] + x * H[2][1] - y * H[2][0],
            ),
            Matrix.of(N),
            self.M,
        )


@dataclass(frozen=True, slots=True)
class RigidInertia:
    """The inertia of a rigid body as ten parameters: rotating and shifting it costs half as much as for blocks.

    m: mass [kg]; h: m c, with c the centre of mass from the origin [kg m]; I: inertia about the origin [kg m2].
    """

    m: Scalar
    h: Vector
    I: Symmetric

    @staticmethod
    def of(mass: Scalar, com: Vector, about_com: Sequence[Sequence[Scalar]]) -> "RigidInertia":
        """Return the inertia of a body about the origin of its frame; arguments: see Inertia.rigid()."""
        return RigidInertia(mass, com * mass, Inertia.rigid(mass, com, about_com).I)

    def __add__(self, other: "RigidInertia") -> "RigidInertia":
        return RigidInertia(self.m + other.m, self.h + other.h, self.I + other.I)

    def __matmul__(self, motion: Motion) -> Force:
        w, v = motion.w, motion.v
        return Force(self.I.times(w, self.h.cross(v)), (v * self.m).plus_cross(w, self.h))

    def rotated(self, rotation: Rotation) -> "RigidInertia":
        """Return this inertia, given in axes B, in axes A. rotation: R_AB."""
        return RigidInertia(self.m, rotation @ self.h, self.I.rotated(rotation))

    def shifted(self, r: Vector) -> "RigidInertia":
        """Return this inertia about a new origin, in the same axes. r: the old origin seen from the new one [m].

        h' = h + m r        I' = I + 2 (r . g) 1 - r g^T - g r^T,   g = h + m r / 2
        """
        g, S = self.h + r * (0.5 * self.m), self.I
        xx, yy, zz = (2.0 * (a * b) for a, b in zip(r, g, strict=True))
        about = Symmetric(
            S.xx + yy + zz,
            S.xy - r.x * g.y - r.y * g.x,
            S.xz - r.x * g.z - r.z * g.x,
            S.yy + xx + zz,
            S.yz - r.y * g.z - r.z * g.y,
            S.zz + xx + yy,
        )
        return RigidInertia(self.m, self.h + r * self.m, about)


NO_RIGID_INERTIA = RigidInertia(0.0, ZERO, Symmetric(0.0, 0.0, 0.0, 0.0, 0.0, 0.0))


def gyroscopic(rigid: Inertia, omega: Vector) -> Force:
    """Return the gyroscopic force of a rigid body: moment omega x I omega, force omega x (omega x m c).

    rigid: inertia of the body; omega: angular velocity [rad/s]. It is the force that keeps the body rotating at omega
    about its fixed origin. It is added to the force for the classical acceleration of the origin, not for the spatial
    acceleration, and does not depend on linear velocity. It has products in common with centripetal().
    """
    x, y, z = omega
    xx, yy, zz = x * x, y * y, z * z
    xy, xz, yz = x * y, x * z, y * z
    S, H = rigid.I, rigid.H.rows
    moment = Vector(
        (S.zz - S.yy) * yz + S.yz * (yy - zz) + S.xz * xy - S.xy * xz,
        (S.xx - S.zz) * xz + S.xz * (zz - xx) + S.xy * yz - S.yz * xy,
        (S.yy - S.xx) * xy + S.xy * (xx - yy) + S.yz * xz - S.xz * yz,
    )
    return Force(moment, centripetal(omega, Vector(H[2][1], H[0][2], H[1][0])))


NO_INERTIA = Inertia(
    Symmetric(0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
    Matrix(((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))),
    Symmetric(0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
)
