"""All problems, in the order of the page."""

from validation import collisions, loops, oscillators, pushes, tops, trees

PROBLEMS = (
    *trees.PROBLEMS,
    *tops.PROBLEMS,
    *oscillators.PROBLEMS,
    *pushes.PROBLEMS,
    *loops.PROBLEMS,
    *collisions.PROBLEMS,
)
