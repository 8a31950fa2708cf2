"""All problems, in the order of the page."""

from validation import collisions, loops, oscillators, tops, trees

PROBLEMS = (*trees.PROBLEMS, *tops.PROBLEMS, *oscillators.PROBLEMS, *loops.PROBLEMS, *collisions.PROBLEMS)
