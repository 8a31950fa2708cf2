"""Rematerialisation: instructions that cost nothing move to the places where their results are used.

So these results occupy no register for long. The sign of a number is changed by the instruction that uses it, and an
address in the memory of a thread is a constant. [Briggs, Cooper and Torczon 1992, Rematerialization]
"""

from gambol.lanes.gpu.spills.code import Code, Instruction

STACK = ("%SP,", "%SPL,")
"""Addresses of the memory of a thread, from which others are computed."""


def rematerialise(code: Code) -> None:
    """Move free instructions of a function to all places where their results are used, in place."""
    steps = [step for block in code.blocks for step in block.steps]
    sets = dict[str, int]()
    for step in steps:
        for register in step.sets:
            sets[register] = sets.get(register, 0) + 1
    free = {step.sets[0]: step for step in steps if _is_free(step, sets)}
    for block in code.blocks:
        lines = list[Instruction]()
        for line in block.lines:
            if line.sets and free.get(line.sets[0]) is line:
                continue
            for register in dict.fromkeys(line.reads):
                lines += _chain(register, free)
            lines.append(line)
        block.lines = lines


def _is_free(step: Instruction, sets: dict[str, int]) -> bool:
    """Return True for an instruction that costs nothing, and whose result depends on nothing that changes."""
    if not step.sets or step.conditional or any(sets.get(r) != 1 for r in (*step.sets, *step.reads)):
        return False
    is_address = step.name == "add.u64" and not step.reads and any(stack in step.text for stack in STACK)
    return is_address or step.name in ("neg.f32", "neg.f64")


def _chain(register: str, free: dict[str, Instruction]) -> list[Instruction]:
    """Return the free instructions that compute a register."""
    step = free.get(register)
    return [*(x for r in step.reads for x in _chain(r, free)), step] if step else []
