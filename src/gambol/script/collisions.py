"""Collisions between bodies of a script: which bodies, by which contact method, and with which parameters."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from gambol.collide.broad import Pair
from gambol.contact import CONTACT_METHODS, ContactMethod, ContactParameters, Penalty, contact_method
from gambol.errors import GambolError
from gambol.figure import Figure

BodyName = tuple[str, str]
"""The name of a corpus, and the name of one of its bodies."""

SPRINGS, IMPULSES = "penalty", "impulse"
"""The contact methods of the thesis: springs, and an analysis that resolves collisions by impulses."""


@dataclass(slots=True)
class Collisions:
    """The collisions of a world, as set by `collide`, `collision...` and `contactmethod`.

    bodies: pairs of bodies that may touch, each with the line of the script. on: True if these pairs collide. method:
    name of the contact method of the whole world. one: restitution; fric: friction; ea [N, per kg], eB [1/m]:
    parameters of the exponential spring; emaxz: depth beyond which its force is constant [m]. The defaults are the
    ground's values.
    """

    bodies: dict[tuple[BodyName, BodyName], str] = field(default_factory=dict[tuple[BodyName, BodyName], str])
    on: bool = True
    method: str = SPRINGS
    one: float = 0.5
    fric: float = 0.7
    ea: float = 17.5
    eB: float = 3000.0
    emaxz: float = 0.01

    def add(self, first: BodyName, second: BodyName, line: str) -> None:
        """Add a pair of bodies. Raises GambolError for a body and itself."""
        if first == second:
            raise GambolError(f'"{first[1]}" cannot collide with itself; name two bodies')
        self.bodies[min((first, second), (second, first))] = line

    def pairs(self, figure: Figure, links: Mapping[str, Mapping[str, str]]) -> tuple[Pair, ...]:
        """Return the pairs of parts that may touch each other.

        figure: figure of the world. links: names of its links, by corpus and body. Pairs with a corpus that is not
        simulated are left out. Raises GambolError for a body without a part that collides.
        """
        pairs: list[Pair] = []
        for (first, second), line in self.bodies.items() if self.on else ():
            if first[0] not in links or second[0] not in links:
                continue
            a, b = sorted((figure.link(links[corpus][body]) for corpus, body in (first, second)), key=lambda x: x.index)
            parts = [[k for k, part in enumerate(link.parts) if part.colliding] for link in (a, b)]
            for link, indices in zip((a, b), parts, strict=True):
                if not indices:
                    raise GambolError(f'{line}: collide: "{link.name}" has no part that collides; give it one')
            pairs += [Pair(a.index, i, b.index, k) for i in parts[0] for k in parts[1]]
        return tuple(pairs)

    def contact(
        self, scale: float, ground: ContactParameters, factors: Mapping[str, float], pairs: tuple[Pair, ...]
    ) -> ContactMethod:
        """Return the contact method.

        scale: factor of the forces between parts, such as the mass of the figure [kg]. ground: parameters of the
        ground; collisions have the same transition speed and slow friction. factors: factors of the forces on links, by
        name, for several corpora. pairs: parts that may touch each other.
        """
        if self.method != SPRINGS:
            return contact_method(self.method)
        return Penalty(parts=self._parameters(scale, ground) if pairs else None, scales=tuple(factors.items()))

    def _parameters(self, scale: float, ground: ContactParameters) -> ContactParameters:
        return ContactParameters(
            stiffness=0.0,
            alpha=scale * self.ea,
            beta=self.eB,
            damping=0.0,
            deepest=self.emaxz,
            restitution=self.one,
            restitution_speed=ground.restitution_speed,
            friction=self.fric,
            bristle_stiffness=ground.bristle_stiffness,
            bristle_damping=0.0,
            skid_damping=ground.skid_damping,
        )


METHODS = tuple(CONTACT_METHODS)
"""Names of the contact methods."""
