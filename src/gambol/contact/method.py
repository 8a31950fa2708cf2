"""The protocol of contact methods: options, checks, memory, capacity and their part of a step.

A world moves by one of three schemes. Each scheme calls other functions of its methods:

    smooth          contact forces as a function of the state; an integrator takes the steps
    time-stepping   contact impulses of a large fixed step, from one problem on velocities
    event-driven    contact forces of an integrator's step, from conditions on accelerations, and impulses of impacts
"""

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import astuple, dataclass, field, replace
from typing import Any, ClassVar, Protocol, cast

from gambol.collide.broad import Pair
from gambol.contact.generation.contact_set import empty_cache
from gambol.contact.generation.max_contacts import default_max_contacts
from gambol.contact.generation.scene import ConstraintScene, StepScene
from gambol.contact.generation.sources import ContactSource, contact_sources, has_anisotropic_friction
from gambol.contact.memory import ContactMemory
from gambol.contact.near_points import near_points, points_by_law, with_first_tangent
from gambol.contact.penalty.patch import ContactForce, PointForce
from gambol.contact.penalty.point_forces import PointForces, PointLaw
from gambol.contact.stepping.problem import ImpulseProblem
from gambol.contact.stepping.softness import Softness
from gambol.contact.stepping.sweep import ImpulseSolution
from gambol.contact.surface import SurfaceProperties
from gambol.dynamics import Kinematics
from gambol.errors import WorldError
from gambol.figure import Figure
from gambol.figure.template import has_variable_topology
from gambol.integrate import INTEGRATORS, Integrator
from gambol.lanes import Scalar


@dataclass(frozen=True, slots=True)
class Scheme:
    """A way of taking steps with contact.

    name: name in messages. needs: attributes that its methods have in addition to those of ContactMethod. compliant:
    True if contacts and joint limits are springs. fixed_step: True if it has its own fixed steps and needs no
    integrator. step: of a scheme from outside the package: returns the step function of a world's StepContext, see
    docs/extend/contact-method.md; None for the schemes below, whose steps are in gambol.world.step.
    """

    name: str
    needs: tuple[str, ...]
    compliant: bool = False
    fixed_step: bool = False
    step: Callable[[Any], Callable[[Any, Any, Scalar], Any]] | None = None


SMOOTH = Scheme("smooth", ("forces", "normal_forces", "after_step"), compliant=True)
"""Contact forces as functions of the state; an integrator takes the steps."""

TIME_STEPPING = Scheme("time-stepping", ("max_contacts", "iterations", "impulses"), fixed_step=True)
"""Contact impulses in large fixed steps."""

EVENT_DRIVEN = Scheme("event-driven", ("max_contacts", "solver"))
"""Contact forces in an integrator's steps, which end where contacts close, and impulses of impacts."""


@dataclass(frozen=True, slots=True)
class MethodUse:
    """The setting in which a contact method is used, for its checks.

    figure: the figure. dynamics: name of the method of forward dynamics. integrator: integrator of the world.
    restitution: restitution of the ground. parameters: names of the figure parameters that are inputs of the program.
    """

    figure: Figure
    dynamics: str
    integrator: Integrator
    restitution: Scalar
    parameters: tuple[str, ...]


class ContactMethod(Protocol):
    """A contact method with its options: a frozen dataclass whose fields are the options.

    name: name in files, options and messages. scheme: SMOOTH, TIME_STEPPING, EVENT_DRIVEN or one of your own.
    figure_parameters: True if figure parameters may be inputs of its program. anisotropic_friction: True if the
    friction of parts may depend on the direction of slip. A class that inherits from this one has no memory, and its
    options are compiled in.
    """

    name: ClassVar[str]
    scheme: ClassVar[Scheme]
    figure_parameters: ClassVar[bool]
    anisotropic_friction: ClassVar[bool] = False

    def check(self, use: MethodUse) -> None:
        """Raise WorldError for a figure, an integrator or parameters that the method does not support."""
        if not self.figure_parameters:
            check_compiled_in(self, use)
        if has_anisotropic_friction(use.figure) and not self.anisotropic_friction:
            raise WorldError(
                f'"{use.figure.name}" has parts whose friction depends on the direction, which the contact method '
                f'"{self.name}" does not support; take "stepping" or "penalty"'
            )

    def capacity(self, figure: Figure, pairs: tuple[Pair, ...], has_ground: bool) -> int:
        """Return the largest number of contacts of a step; 0 for a method without a limit.

        figure: the figure with its parts. pairs: parts that may touch each other. has_ground: True if there is a
        ground.
        """
        return 0

    @property
    def contacts_of_tree(self) -> int | None:
        """The largest number of contacts of each tree of a forest with the ground; None: there is no such limit."""
        return None

    def memory(self, scene: ConstraintScene) -> ContactMemory:
        """Return the method's memory before the first step of a scene."""
        return ContactMemory()

    def check_pairs(self, count: int, surface: SurfaceProperties) -> None:
        """Raise WorldError if pairs of parts would pass through each other, see World.pairs; by default they cannot.

        count: number of the pairs, more than 0. surface: surfaces of the world.
        """

    def may_add_energy(self, surface: SurfaceProperties) -> bool:
        """Return True if contacts may add energy: by default, if the restitution of the surface is above 1."""
        return surface.parameters.restitution > 1.0

    def possible_contacts(self, scene: ConstraintScene) -> list[tuple[int, int]]:
        """Return the indices of both links of each contact of point_forces(), in its order; 0 is the ground."""
        return [(source.link, source.other) for source in contact_sources(scene) for _ in range(source.count)]

    def point_forces(self, scene: StepScene, state: Kinematics, memory: ContactMemory) -> list[PointForce]:
        """Return all possible contacts, each with its present force, for films and sensors.

        By default for methods with a cache of impulses: with the first tangent in place of the force.
        """
        sources = contact_sources(scene)
        return [x for source in sources for x in near_points(scene, state, memory, source, with_first_tangent)]

    def numbers(self) -> Mapping[str, Scalar]:
        """Return the options that are inputs of the program, so that they may differ between worlds."""
        return {}

    def structure(self) -> tuple[Any, ...]:
        """Return the options that are compiled in, as plain data. Methods of equal structure share a program."""
        return astuple(cast("Any", self))


class SmoothMethod(ContactMethod, Protocol):
    """A method of the scheme SMOOTH: it computes forces."""

    def check(self, use: MethodUse) -> None:
        """Raise WorldError as ContactMethod does, and for a variable topology without "crba"."""
        ContactMethod.check(self, use)
        if has_variable_topology(use.figure) and not (use.dynamics == "crba" and is_explicit(use.integrator)):
            raise variable_topology_error(self, use)

    def law(self, scene: StepScene, source: ContactSource) -> PointLaw:
        """Return the law of forces at the contact points of a source; by default an error that asks for it."""
        raise WorldError(
            f'films with contacts, and sensors, need the forces at contact points; the contact method "{self.name}" '
            "lacks law() or point_forces(); see docs/extend/contact-method.md"
        )

    def point_forces(self, scene: StepScene, state: Kinematics, memory: ContactMemory) -> list[PointForce]:
        """Return all possible contacts with their forces: by default by the law of each source."""
        return points_by_law(scene, state, memory, contact_sources(scene), self.law)

    @abstractmethod
    def forces(self, scene: StepScene, state: Kinematics, memory: ContactMemory) -> "SmoothForces":
        """Return all contact forces; scene: the scene with the inputs of the step; state: kinematics of its figure."""
        ...

    def normal_forces(
        self, scene: StepScene, state: Kinematics, memory: ContactMemory, links: Sequence[int]
    ) -> dict[int, Scalar]:
        """Return the ground's normal force on some links [N], by link index. Other arguments: see forces()."""
        total = self.forces(scene, state, memory).normal_forces
        return {link: total[link] for link in links if link in total}

    def after_step(
        self, scene: StepScene, state: Kinematics, memory: ContactMemory, stance_of: Callable[[str], Scalar]
    ) -> tuple[ContactMemory, Scalar]:
        """Return the memory after an accepted step, and the energy that it released [J].

        stance_of: returns 1 for a foot, given by name, whose leg stands, else 0. Other arguments: see forces().
        """
        return memory, 0.0


class RigidMethod(ContactMethod, Protocol):
    """A method that solves for impulses. max_contacts: number of simultaneous contacts, or None for a default."""

    max_contacts: int | None

    def check(self, use: MethodUse) -> None:
        """Raise WorldError as ContactMethod does, for a prescribed base, and for bounces that would add energy."""
        ContactMethod.check(self, use)
        if use.figure.prescribed:
            raise WorldError(f'the contact method "{self.name}" does not support a prescribed base; take "penalty"')
        if use.restitution > 1.0:
            raise WorldError(
                f"the ground's restitution is {use.restitution}; give 0 to 1: above 1 each bounce would add energy"
            )

    def capacity(self, figure: Figure, pairs: tuple[Pair, ...], has_ground: bool) -> int:
        """Return max_contacts, or its default."""
        return self.max_contacts or default_max_contacts(figure, pairs, has_ground)

    def memory(self, scene: ConstraintScene) -> ContactMemory:
        """Return a cache of impulses and of speeds of contacts."""
        return ContactMemory(cache=empty_cache(scene, with_speeds=True))


class TimeSteppingMethod(RigidMethod, Protocol):
    """A method of the scheme TIME_STEPPING: it computes the impulses of a step.

    iterations: iterations of its solver. softness: softness of contacts and joint limits, None if they are rigid.
    landing_steps: divisor of the shortest steps near landings. accelerated, explicit_servos, midpoint_springs,
    extrapolated, limited_servos: see Stepping.
    """

    iterations: int
    softness: Softness | None = None
    accelerated: bool = False
    explicit_servos: bool = False
    midpoint_springs: bool = False
    landing_steps: int = 1
    extrapolated: bool = False
    limited_servos: bool = False

    @abstractmethod
    def impulses(self, problem: ImpulseProblem) -> ImpulseSolution:
        """Return the impulses of a step."""
        ...


class EventDrivenMethod(RigidMethod, Protocol):
    """A method of the scheme EVENT_DRIVEN. solver: solver of contact problems, a key of complementarity.SOLVERS."""

    solver: str


@dataclass(frozen=True, slots=True)
class SmoothForces:
    """Contact forces of a smooth method.

    ground: forces of the ground on links, by link index, if they are not among the points. points: forces at contact
    points.
    """

    ground: dict[int, ContactForce] = field(default_factory=dict[int, ContactForce])
    points: PointForces = field(default_factory=lambda: PointForces({}))

    @property
    def normal_forces(self) -> dict[int, Scalar]:
        """The ground's normal force on links [N], by link index."""
        result = dict(self.points.normal_forces)
        for index, force in self.ground.items():
            result[index] = result[index] + force.normal_force if index in result else force.normal_force
        return result


def is_explicit(method: Integrator) -> bool:
    """Return True for explicit one-step integrators: they need accelerations, but no derivatives or earlier steps."""
    return not (method.implicit or method.stateful or method is INTEGRATORS["variational"])


def check_at_least_one(**options: int | None) -> None:
    """Raise WorldError for an option below 1; None is allowed."""
    for name, value in options.items():
        if value is not None and value < 1:
            raise WorldError(f"{name} is {value}; give 1 or more")


def check_compiled_in(method: ContactMethod, use: MethodUse) -> None:
    """Raise WorldError for figure parameters as inputs, or a variable topology."""
    if use.parameters:
        raise WorldError(
            f'the contact method "{method.name}" takes no figure parameters as inputs of its program; '
            'take "stepping" or "penalty", or parameters = ()'
        )
    if has_variable_topology(use.figure):
        raise variable_topology_error(method, use)


def variable_topology_error(method: ContactMethod, use: MethodUse) -> WorldError:
    """Return the error about a figure of variable topology with a method that needs a fixed one."""
    return WorldError(
        f'the topology of "{use.figure.name}" is variable, so its world needs the contact method "stepping", or '
        f'"penalty" with the dynamics "crba" and an explicit integrator, not "{method.name}" with '
        f'"{use.dynamics}" and "{use.integrator.name}"'
    )


def with_capacity(method: ContactMethod, capacity: int) -> ContactMethod:
    """Return a contact method with another number of simultaneous contacts."""
    options: Any = method
    return replace(options, max_contacts=capacity)
