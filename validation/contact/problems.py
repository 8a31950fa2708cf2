"""All problems of contact, in the order of the page."""

from validation.contact import bouncing, falling, linkage, rolling, sliding, striking, walker, wheels

PROBLEMS = (
    *bouncing.PROBLEMS,
    *sliding.PROBLEMS,
    *rolling.PROBLEMS,
    *falling.PROBLEMS,
    *wheels.PROBLEMS,
    *walker.PROBLEMS,
    *striking.PROBLEMS,
    *linkage.PROBLEMS,
)
