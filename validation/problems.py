"""All problems, in the order of the page."""

from validation import tops, trees

PROBLEMS = (*trees.PROBLEMS, *tops.PROBLEMS)
