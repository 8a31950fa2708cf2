"""All problems of contact, in the order of the page."""

from validation.contact import bouncing, falling, rolling, sliding

PROBLEMS = (*bouncing.PROBLEMS, *sliding.PROBLEMS, *rolling.PROBLEMS, *falling.PROBLEMS)
