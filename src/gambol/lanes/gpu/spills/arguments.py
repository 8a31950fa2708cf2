"""The arguments of a function that it only reads: they are in memory already, and can be loaded again at any place."""

from collections import Counter
from dataclasses import dataclass

from gambol.lanes.gpu.spills.code import Code

FIRST = "_param_0]"  # the address of the arguments of a body, see cpu.lower


@dataclass(frozen=True)
class ReadOnlyArguments:
    """The arguments that a function only reads, and how to load them again.

    base: the register with their address, empty if there are none. loads: the instruction that loads each register. A
    function that writes to its arguments, or passes on addresses within them, has none.
    """

    base: str
    loads: dict[str, str]

    @staticmethod
    def of(code: Code) -> "ReadOnlyArguments":
        """Return the arguments that a function only reads."""
        steps = [step for block in code.blocks for step in block.steps]
        sets = Counter(register for step in steps for register in step.sets)
        bases = [step.sets[0] for step in steps if step.name == "ld.param.b64" and FIRST in step.text]
        if len(bases) != 1 or sets[bases[0]] != 1:
            return ReadOnlyArguments("", {})
        base = bases[0]
        users = [step for step in steps if base in step.reads]
        if not all(step.name.startswith("ld.b") for step in users):
            return ReadOnlyArguments("", {})
        alone = [step for step in users if len(step.sets) == 1 and sets[step.sets[0]] == 1 and not step.conditional]
        return ReadOnlyArguments(base, {step.sets[0]: step.text for step in alone})
