"""A particle system: emitters, fields and obstacles."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from gambol.collide import Ground, Plane
from gambol.errors import WorldError
from gambol.figure import Figure
from gambol.matter.particles.emitter import Emitter, check_emitters
from gambol.matter.particles.fields import Field, Gravity

CAPACITY = 2_000_000
"""Default limit of living particles: 200 MB of numbers."""


@dataclass(frozen=True)
class ParticleSystem:
    """Emitters with the fields that move their particles and the obstacles that these touch.

    emitters: emitters by name. fields: fields that act on all particles. ground: the ground; level by default. figure:
    figure with colliding parts as obstacles. seed: seed of all random numbers. capacity: limit of living particles;
    more particles are not created, see ParticleState.not_created. Raises WorldError for an emitter without particles
    and for unknown names.
    """

    emitters: Mapping[str, Emitter]
    fields: tuple[Field, ...] = (Gravity(),)
    ground: Ground = field(default_factory=Plane)
    figure: Figure | None = None
    seed: int = 0
    capacity: int = CAPACITY

    def __post_init__(self) -> None:
        if not self.emitters:
            raise WorldError("a particle system without emitters has no particles; give one emitter or more")
        if self.capacity < 1:
            raise WorldError(f"a particle system with a capacity of {self.capacity} has no particles; give 1 or more")
        check_emitters(list(self.emitters.items()), [link.name for link in self.figure.links] if self.figure else [])
