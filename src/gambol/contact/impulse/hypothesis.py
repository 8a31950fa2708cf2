"""When a collision is over: what Newton, Poisson and Stronge say of restitution.

    Newton    u_z' = -e u_z                    speeds [Newton 1687]
    Poisson   p_r = e p_c                      impulses of restitution and of compression [Poisson 1831]
    Stronge   W_r = e^2 W_c                    work given back and work taken in [Stronge 1990]

Each is told as what is left to do, which restitution brings down to 0, so that a collision may be compressed again
after it has begun to come apart: p_c and W_c then grow, and so does what is left. The three agree where the slip does
not stop. Where it does, Newton's may create energy [Kane 1984]; Stronge's never does, as friction only takes work.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from gambol.errors import WorldError, did_you_mean
from gambol.lanes import Scalar, maximum, sqrt, where

NEVER = 1e18
"""An impulse that nothing comes after, where those of a collision are of the order of 1; a float32 holds its square."""


@dataclass(frozen=True, slots=True)
class Account:
    """What a collision has done so far: work taken in and given back, and normal impulses of both kinds."""

    stored: Scalar = 0.0
    released: Scalar = 0.0
    pressed: Scalar = 0.0
    given: Scalar = 0.0

    def with_part(self, compressing: Scalar, work: Scalar, impulse: Scalar) -> "Account":
        """This account after a part of a collision in which normal impulse did work on the bodies."""
        return Account(
            self.stored - where(compressing, work, 0.0),
            self.released + where(compressing, 0.0, work),
            self.pressed + where(compressing, impulse, 0.0),
            self.given + where(compressing, 0.0, impulse),
        )


Left: TypeAlias = Callable[[Account, Scalar, Scalar, Scalar], Scalar]
"""What is left to do, from an account, e, the normal velocity before the collision and the one now."""
Reach: TypeAlias = Callable[[Scalar, Scalar, Scalar], Scalar]
"""The impulse that does it, from what is left, the normal velocity, and its change per impulse."""


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """A law of restitution.

    measure: which of the change of velocity, the impulse and the work of a part it counts. lossy: whether it never
    raises the energy, so that what rounding might raise is taken back.
    """

    left: Left
    reach: Reach
    measure: Callable[[Any, Any, Any], Any]
    lossy: bool = False


def _speed_reach(left: Scalar, w: Scalar, rate: Scalar) -> Scalar:
    return where(rate > 0.0, left / where(rate > 0.0, rate, 1.0), NEVER)


def _work_reach(left: Scalar, w: Scalar, rate: Scalar) -> Scalar:
    """The first root x of w x + rate x^2 / 2 = left."""
    square = w * w + 2.0 * rate * left
    pace = w + sqrt(maximum(square, 0.0))
    found = (square >= 0.0) & (pace > 0.0)
    return where(found, 2.0 * left / where(found, pace, 1.0), where(left > 0.0, NEVER, 0.0))


def _newton_left(account: Account, e: Scalar, before: Scalar, now: Scalar) -> Scalar:
    return -e * before - now


def _poisson_left(account: Account, e: Scalar, before: Scalar, now: Scalar) -> Scalar:
    return e * account.pressed - account.given


def _stronge_left(account: Account, e: Scalar, before: Scalar, now: Scalar) -> Scalar:
    return e * e * account.stored - account.released


HYPOTHESES: dict[str, Hypothesis] = {
    "newton": Hypothesis(_newton_left, _speed_reach, lambda velocity, impulse, work: velocity),
    "poisson": Hypothesis(_poisson_left, lambda left, w, rate: left, lambda velocity, impulse, work: impulse),
    "stronge": Hypothesis(_stronge_left, _work_reach, lambda velocity, impulse, work: work, lossy=True),
}


def hypothesis_named(name: str) -> Hypothesis:
    """The law of restitution of this name. Raises WorldError where there is none."""
    if name not in HYPOTHESES:
        raise WorldError(f'hypothesis "{name}" of restitution is unknown; {did_you_mean(name, HYPOTHESES)}')
    return HYPOTHESES[name]


def may_add_energy(name: str) -> bool:
    """Whether one collision with friction under the law of restitution of this name may raise the energy."""
    return not hypothesis_named(name).lossy
