"""All problems, in the order of the page."""

from validation import loops, tops, trees

PROBLEMS = (*trees.PROBLEMS, *tops.PROBLEMS, *loops.PROBLEMS)
