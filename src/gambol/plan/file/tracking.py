"""Options of plan files for the simulation along a plan."""

from dataclasses import dataclass, field, fields

from gambol.errors import GambolError
from gambol.formats.table import Table
from gambol.plan.track import Weights
from gambol.plan.track.controller import RATE


@dataclass(frozen=True)
class TrackingOptions:
    """Options of track(). follow: False for no simulation. cycles, rate, weights: see track()."""

    follow: bool = True
    cycles: int = 1
    rate: float = RATE
    weights: Weights = field(default_factory=Weights)


def read_tracking(table: Table) -> TrackingOptions:
    """Return the options in a table."""
    weights = [item.name for item in fields(Weights)]
    table.check_keys("follow", "cycles", "rate", *weights)
    options = TrackingOptions(
        table.boolean("follow", True),
        table.integer("cycles") if "cycles" in table else 1,
        table.number("rate", RATE),
        Weights(**{name: table.number(name, getattr(Weights(), name)) for name in weights}),
    )
    for key, value in (("cycles", options.cycles), ("rate", options.rate), *_weights(options)):
        if not value > 0:
            raise GambolError(f"{table.location_of(key)} is {value:g}; it should be more than 0")
    return options


def _weights(options: TrackingOptions) -> list[tuple[str, float]]:
    return [(item.name, getattr(options.weights, item.name)) for item in fields(Weights)]
