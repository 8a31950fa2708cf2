"""The contact method `stepping`: a problem on velocities in each large fixed step."""

from dataclasses import dataclass
from typing import ClassVar

from gambol.collide.broad import Pair
from gambol.contact.generation.contact_set import empty_cache
from gambol.contact.generation.scene import ConstraintScene
from gambol.contact.memory import ContactMemory
from gambol.contact.method import TIME_STEPPING, Scheme, TimeSteppingMethod, check_at_least_one
from gambol.contact.stepping.bounce import trees
from gambol.contact.stepping.problem import ITERATIONS, sweep_impulses
from gambol.contact.stepping.softness import Softness
from gambol.contact.surface import SurfaceProperties
from gambol.errors import WorldError
from gambol.figure import Figure


@dataclass(frozen=True)
class Stepping(TimeSteppingMethod):
    """Contacts, limits and loops as one problem on velocities, solved by sweeps over all contacts.

    max_contacts: number of simultaneous contacts; None: see default_max_contacts(). iterations: sweeps in a step.
    tree_contacts: number of simultaneous contacts of each tree of a forest with the ground; max_contacts then is that
    of contacts between parts, and must be given. None: all contacts share max_contacts. softness: softness of contacts
    and joint limits, as in MuJoCo; None: they are rigid. second_order_landings: True to evaluate each step at the time
    of an expected landing, which makes landings of second order, for figures of one tree and rigid contacts, see
    decision 031. accelerated: True to accelerate the further sweeps of steps that these iterations do not solve, for
    violent motion with many contacts and joint limits, see decision 018. explicit_servos: True to make servos explicit
    as far as that is stable, as springs are, which makes them of second order, see decision 036. landing_steps: n, if
    steps get shorter near landings, down to a part 1 / n, in each world by itself; it needs second_order_landings, and
    control steps longer than the step, see decision 038. extrapolated: True to extrapolate the middle of a smooth step
    from the acceleration of the step before, see decision 039. midpoint_springs: True to take springs and dampers of
    joints, and servos with explicit_servos, by the implicit midpoint rule, which is stable and of second order also
    where they are too stiff to be explicit, see decision 040. limited_servos: True to hold the limits of servos and
    motors within steps, also where contacts press them beyond, see decision 044. Raises WorldError for numbers below 1,
    for second_order_landings with softness, or in a forest, and for landing_steps without it.
    """

    max_contacts: int | None = None
    iterations: int = ITERATIONS
    tree_contacts: int | None = None
    softness: Softness | None = None
    second_order_landings: bool = False
    accelerated: bool = False
    explicit_servos: bool = False
    landing_steps: int = 1
    extrapolated: bool = False
    midpoint_springs: bool = False
    limited_servos: bool = False

    name: ClassVar[str] = "stepping"
    scheme: ClassVar[Scheme] = TIME_STEPPING
    figure_parameters: ClassVar[bool] = True
    anisotropic_friction: ClassVar[bool] = True

    def __post_init__(self) -> None:
        numbers = {"max_contacts": self.max_contacts, "tree_contacts": self.tree_contacts}
        check_at_least_one(**numbers, iterations=self.iterations, landing_steps=self.landing_steps)
        if self.tree_contacts is not None and self.max_contacts is None:
            raise WorldError(f"tree_contacts is {self.tree_contacts}; give max_contacts, too, for pairs of parts")
        if self.second_order_landings and self.softness is not None:
            raise WorldError("second_order_landings is for rigid contacts; leave it out, or softness")
        if self.landing_steps > 1 and not self.second_order_landings:
            raise WorldError(f"landing_steps is {self.landing_steps}; it needs second_order_landings=True")

    @property
    def contacts_of_tree(self) -> int | None:
        """The field tree_contacts."""
        return self.tree_contacts

    def capacity(self, figure: Figure, pairs: tuple[Pair, ...], has_ground: bool) -> int:
        """Return the number of simultaneous contacts of all trees, and of pairs of parts."""
        if self.tree_contacts is None or self.max_contacts is None:
            return TimeSteppingMethod.capacity(self, figure, pairs, has_ground)
        return self.tree_contacts * len(figure.roots) + self.max_contacts

    def memory(self, scene: ConstraintScene) -> ContactMemory:
        """Return a cache of impulses, of speeds of contacts and, with second_order_landings, of landings.

        Raises WorldError for a forest with second_order_landings.
        """
        if self.second_order_landings and len(trees(scene.figure)) > 1:
            raise WorldError("second_order_landings is for figures of one tree; leave it out")
        options = {"expects_landings": self.second_order_landings, "with_acceleration": self.extrapolated}
        return ContactMemory(cache=empty_cache(scene, with_speeds=True, **options))

    def may_add_energy(self, surface: SurfaceProperties) -> bool:
        """Return True for soft contacts, which give back what they store, and for a restitution above 1."""
        return self.softness is not None or TimeSteppingMethod.may_add_energy(self, surface)

    impulses = staticmethod(sweep_impulses)  # type: ignore[assignment]  # the function itself: a step compares it
