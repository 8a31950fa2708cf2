"""All problems of contact, in the order of the page."""

from validation.contact import (
    bouncing,
    conditioning,
    drift,
    falling,
    linkage,
    rolling,
    sliding,
    striking,
    walker,
    wheels,
)

PROBLEMS = (
    *bouncing.PROBLEMS,
    *sliding.PROBLEMS,
    *rolling.PROBLEMS,
    *falling.PROBLEMS,
    *wheels.PROBLEMS,
    *conditioning.PROBLEMS,
    *drift.PROBLEMS,
    *walker.PROBLEMS,
    *striking.PROBLEMS,
    *linkage.PROBLEMS,
)
