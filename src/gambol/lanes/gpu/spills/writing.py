"""PTX with fewer values in registers: loads and stores of the others, at the places chosen for them."""

from collections.abc import Iterator
from dataclasses import dataclass

from gambol.lanes.gpu.spills.code import FUNCTION, Code, Instruction, words_of
from gambol.lanes.gpu.spills.eviction import Eviction, Limits
from gambol.lanes.gpu.spills.next_uses import NextUses
from gambol.lanes.gpu.spills.rematerialisation import rematerialise
from gambol.lanes.gpu.spills.slots import Allocation, values_of

SHARED, OWN = "values_of_block", "values_of_thread"
"""Names of the memory that the threads of a block share, and of that of a thread."""

WARP = 32
"""Threads of a warp, which run together."""

WORD = 4
"""Bytes of a word."""

DECLARED = f".extern .shared .align 8 .b8 {SHARED}[];\n\n"

# Places k of the 32 threads of a warp are neighbours, so that a warp loads them at once, in blocks of any size.
ADDRESS = """\tmov.u32 \t%thread, %tid.x;
\tshr.u32 \t%warp, %thread, 5;
\tand.b32 \t%thread, %thread, 31;
\tshl.b32 \t%thread, %thread, {bits};
\tmov.b32 \t%near, {shared};
\tadd.s32 \t%near, %near, %thread;
\tmad.lo.s32 \t%near, %warp, {bytes}, %near;"""

REGISTERS = "\t.reg .b32 \t%thread, %warp, %near;"


@dataclass(frozen=True)
class SpilledText:
    """PTX whose values fit into registers. warp_bytes: shared memory that a warp needs [bytes]."""

    ptx: str
    warp_bytes: int


def spilled(ptx: str, limits: Limits, shared_words: int) -> SpilledText:
    """Return PTX with at most some words of registers in use at once.

    shared_words: shared memory of a thread for values that do not fit [4 bytes].
    """
    codes = {found["name"]: Code.of(found["body"]) for found in FUNCTION.finditer(ptx)}
    for code in codes.values():
        rematerialise(code)
    calls = {
        name: {step.called for block in code.blocks for step in block.steps if step.called in codes}
        for name, code in codes.items()
    }
    plans = {name: plan for name, code in codes.items() if (plan := _plan(code, limits))}
    if not plans:
        return SpilledText(ptx, 0)
    lengths: dict[str, int] = {}
    for name, code in codes.items():  # a function is written before those that call it
        steps = [step for block in code.blocks for step in block.steps]
        lengths[name] = len(steps) + sum(lengths.get(step.called, 0) for step in steps)
    allocation = Allocation(calls, shared_words)
    allocation.place({name: values_of(plan, lengths) for name, plan in plans.items()})
    warp_bytes = WARP * WORD * allocation.most()

    def text(found: str, name: str) -> str:
        return "\n".join(_Body(plans[name], allocation, name, warp_bytes).lines()) if name in plans else found

    written = FUNCTION.sub(lambda m: f"{m['head']}\n{text(m['body'].strip(chr(10)), m['name'])}\n}}\n", ptx)
    first = next(FUNCTION.finditer(written)).start()
    place = written.rfind("\n", 0, first) + 1
    return SpilledText(written[:place] + DECLARED + written[place:], warp_bytes)


def _plan(code: Code, limits: Limits) -> Eviction | None:
    """Return what must leave the registers of a function; None if everything fits."""
    uses = NextUses(code)
    fits = all(uses.most(number) <= limits.words for number in uses.order) and uses.words_at_calls() <= limits.at_calls
    return None if fits else Eviction(uses, limits)


class _Body:
    """The text of a function with loads and stores."""

    def __init__(self, plan: Eviction, allocation: Allocation, name: str, warp_bytes: int) -> None:
        self.plan, self.code, self.warp_bytes = plan, plan.uses.code, warp_bytes
        self.shared, self.own, self.start = allocation.shared[name], allocation.own[name], allocation.start(name)
        self.unit = allocation.unit

    def lines(self) -> Iterator[str]:
        """Yield its lines."""
        declarations = list(self.code.declarations)
        if self.own.size:
            declarations.insert(0, f"\t.local .align 8 .b8 \t{OWN}[{WORD * self.own.size}];")
        if self.shared.size:
            declarations.insert(0, REGISTERS)
        yield from declarations
        if self.shared.size:
            yield ADDRESS.format(shared=SHARED, bytes=self.warp_bytes, bits=self.unit + 1)
        for number in range(len(self.code.blocks)):
            yield from self._block(number)

    def _block(self, number: int) -> Iterator[str]:
        block = self.code.blocks[number]
        if block.label:
            yield f"{block.label}:"
        steps = block.steps
        at_end = [self._load(register) for register in self.plan.before_jump.get(number, ())]
        jumps = bool(steps) and steps[-1].name.startswith("bra")
        place = 0
        for line in block.lines:
            if not line.name:
                yield line.text
                continue
            if jumps and place == len(steps) - 1:
                yield from at_end
            yield from (self._load(register) for register in self.plan.before.get((number, place), ()))
            yield line.text
            yield from self._stores(line)
            place += 1
        if not jumps:
            yield from at_end

    def _load(self, register: str) -> str:
        if again := self.plan.arguments.loads.get(register):
            return again
        space, address = self._place(register)
        return f"\tld.{space}.b{32 * words_of(register)} \t{register}, [{address}];"

    def _stores(self, step: Instruction) -> Iterator[str]:
        for register in step.sets:
            if register in self.shared.at or register in self.own.at:
                space, address = self._place(register)
                yield f"\tst.{space}.b{32 * words_of(register)} \t[{address}], {register};"

    def _place(self, register: str) -> tuple[str, str]:
        """Return the kind and the address of the memory of a register."""
        if register in self.own.at:
            return "local", f"{OWN}+{WORD * self.own.at[register]}"
        return "shared", f"%near+{WARP * WORD * (self.start + self.shared.at[register])}"
