"""The contact method `stepping`: a problem on velocities in each large fixed step."""

from dataclasses import dataclass
from typing import ClassVar

from gambol.contact.method import TIME_STEPPING, Scheme, TimeSteppingMethod, check_at_least_one
from gambol.contact.stepping.step import ITERATIONS, sweep_impulses


@dataclass(frozen=True)
class Stepping(TimeSteppingMethod):
    """Contacts, limits and loops as one problem on velocities, solved by sweeps over all contacts.

    max_contacts: number of simultaneous contacts; None: see default_max_contacts(). iterations: sweeps in a step.
    Raises WorldError for numbers below 1.
    """

    max_contacts: int | None = None
    iterations: int = ITERATIONS

    name: ClassVar[str] = "stepping"
    scheme: ClassVar[Scheme] = TIME_STEPPING
    figure_parameters: ClassVar[bool] = True
    anisotropic_friction: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check_at_least_one(max_contacts=self.max_contacts, iterations=self.iterations)

    impulses = staticmethod(sweep_impulses)  # type: ignore[assignment]  # the function itself: a step compares it
