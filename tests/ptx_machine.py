"""A machine that executes PTX, the assembly language of NVIDIA's graphics processors, one thread after the other.

It knows the instructions that LLVM makes from our programs, by NVIDIA's description of PTX (PTX ISA 8.0), and refuses
any other. It stands for a graphics processor in tests of the text, not of NVIDIA's assembler.
"""

import ctypes
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from operator import add, and_, eq, ge, gt, le, lt, mul, ne, or_, sub, truediv
from typing import Any

import numpy as np

LIBM = ctypes.CDLL("libm.so.6")
FMA: dict[str, Callable[..., float]] = {"f64": LIBM.fma, "f32": LIBM.fmaf}
for name, kind in (("f64", ctypes.c_double), ("f32", ctypes.c_float)):
    FMA[name].restype, FMA[name].argtypes = kind, [kind] * 3

REALS = {"f64": (np.float64, np.uint64), "f32": (np.float32, np.uint32)}
FUNCTION = re.compile(r"\.(func|entry) +(?:\(.*?\) *)?(\S+?)\((.*?)\)\s*\{(.*?)\n\}\n", re.DOTALL)
GLOBAL = re.compile(r"\.global \.align \d+ \.(\w+) (\S+?)(?:\[\d+\])? = \{?([^;}]*)\}?;")
SHARED = re.compile(r"\.extern \.shared \.align \d+ \.b8 (\w+)\[\]")
DEPOT = re.compile(r"\.local \.align \d+ \.b8\s+(\S+?)\[(\d+)\]")
STACK_BYTES, ALIGNMENT = 4_000_000, 64

UNSET = (1 << 64) - 1
"""Bits of a register before an instruction sets it: NaN as a real, so that a result that depends on it is NaN."""

BINARY = {"add": add, "sub": sub, "mul": mul, "div": truediv, "and": and_, "or": or_}
LOGIC = {"and": all, "or": any, "mov": all, "not": lambda t: not t[0], "xor": lambda t: t[0] != t[1]}
COMPARE = {"lt": lt, "le": le, "gt": gt, "ge": ge, "eq": eq, "ne": ne}


@dataclass
class Function:
    """parameters: their names; code: instructions as (predicate, words of the opcode, operands); labels: places."""

    parameters: list[str]
    code: list[tuple[str, list[str], list[str]]] = field(default_factory=list)
    labels: dict[str, int] = field(default_factory=dict)
    depots: dict[str, int] = field(default_factory=dict)


class Memory:
    """The memory of a processor. size: bytes for arrays."""

    def __init__(self, size: int = 1_000_000) -> None:
        self.bytes, self.top, self.size = bytearray(size + STACK_BYTES), ALIGNMENT, size

    def reserve(self, count: int) -> int:
        """Return the address of new bytes."""
        address, self.top = self.top, (self.top + count + ALIGNMENT) // ALIGNMENT * ALIGNMENT
        return address

    def put(self, data: bytes) -> int:
        """Store bytes; return their address."""
        address = self.reserve(len(data))
        self.bytes[address : address + len(data)] = data
        return address


class PtxMachine:
    """The functions of a module, and the memory of the processor."""

    def __init__(self, ptx: str, memory: Memory | None = None) -> None:
        self.functions = {name: parsed(names, body) for _, name, names, body in FUNCTION.findall(ptx)}
        self.addresses: dict[str, int] = {}
        self.executed: Counter[str] = (
            Counter()
        )  # instructions by name and type, and bytes of the memories of threads and blocks
        self.touched: list[list[int]] = []  # addresses of arrays that each thread loads or stores, in its order
        self.memory = memory or Memory()
        self.addresses |= dict.fromkeys(SHARED.findall(ptx), 0)
        self.shared: dict[int, tuple[int, bytes]] = {}  # of a block: the thread that stored, and its bytes
        for kind, name, numbers in GLOBAL.findall(ptx):
            values = [int(n) for n in numbers.split(",")]
            self.addresses[name] = self.memory.put(b"".join(n.to_bytes(int(kind[1:]) // 8, "little") for n in values))

    def launch(self, name: str, arguments: list[int], blocks: int, threads: int, shared: int = 0) -> None:
        """Run a kernel in blocks of threads. shared: memory that the threads of a block share [bytes]."""
        self.shared_bytes = shared
        values = dict(zip(self.functions[name].parameters, arguments, strict=True))
        with np.errstate(all="ignore"):
            for block in range(blocks):
                self.shared.clear()
                for thread in range(threads):
                    self.touched.append([])
                    special = {"%tid.x": thread, "%ctaid.x": block, "%ntid.x": threads}
                    Frame(self, self.functions[name], dict(values), special, self.memory.top).run()


class Frame:
    """A function that runs in a thread. values: its parameters and registers; top: the first free address of memory."""

    def __init__(
        self, machine: PtxMachine, function: Function, values: dict[str, Any], special: dict[str, int], top: int
    ) -> None:
        self.machine, self.function, self.values, self.special, self.top = machine, function, values, special, top
        self.depots: dict[str, int] = {}
        for name, size in function.depots.items():
            self.depots[name], self.top = self.top, (self.top + size + ALIGNMENT) // ALIGNMENT * ALIGNMENT

    def run(self) -> None:
        """Execute the instructions until the function returns."""
        code, labels, place = self.function.code, self.function.labels, 0
        while True:
            predicate, words, operands = code[place]
            place += 1
            if predicate and self.values[predicate.lstrip("@!")] == predicate.startswith("@!"):
                continue
            self.machine.executed[f"{words[0]}.{words[-1]}"] += 1
            if words[0] == "bra":
                place = labels[operands[0]]
            elif words[0] in ("ret", "exit"):
                return
            elif words[0] == "call":
                self.call(operands)
            elif words[0] in ("ld", "st"):
                self.transfer(words, operands)
            else:
                self.values[operands[0]] = self.result(words, operands[1:])

    def call(self, operands: list[str]) -> None:
        name, *given = re.findall(r"[\w$]+", ",".join(operands))
        function = self.machine.functions[name]
        values = {p: self.values[a] for p, a in zip(function.parameters, given, strict=True)}
        Frame(self.machine, function, values, self.special, self.top).run()

    def transfer(self, words: list[str], operands: list[str]) -> None:
        """Load or store a number: of a parameter, or of memory."""
        size = int(words[-1][1:]) // 8
        target, place = operands if words[0] == "ld" else operands[::-1]
        base, _, offset = place.strip("[]").partition("+")
        if words[1] == "param":
            assert not offset
            if words[0] == "ld":
                self.values[target] = self.values[base] & ((1 << 8 * size) - 1)
            else:
                self.values[base] = self.raw(target, words[-1])
            return
        address = self.raw(base, "b64") + int(offset or 0)
        assert not address % size, "not aligned"
        if words[1] == "shared":
            self.transfer_shared(words, address, size, target)
            return
        if address < self.machine.memory.top:  # above is the stack
            self.machine.touched[-1].append(address)
        else:
            self.machine.executed["stack bytes"] += size
        if words[0] == "ld":
            self.values[target] = int.from_bytes(self.machine.memory.bytes[address : address + size], "little")
        else:
            data = (self.raw(target, words[-1]) & ((1 << 8 * size) - 1)).to_bytes(size, "little")
            self.machine.memory.bytes[address : address + size] = data

    def transfer_shared(self, words: list[str], address: int, size: int, target: str) -> None:
        """Load or store a number in the memory of the block, where each thread has places of its own."""
        shared, thread = self.machine.shared, self.special["%tid.x"]
        assert 0 <= address <= self.machine.shared_bytes - size, "outside the memory of the block"
        self.machine.executed["shared bytes"] += size
        owners = {shared[place][0] for place in range(address, address + size) if place in shared}
        assert owners <= {thread}, "a place of another thread"
        if words[0] == "ld":
            bits = b"".join(
                shared[place][1] if place in shared else b"\xff" for place in range(address, address + size)
            )
            self.values[target] = int.from_bytes(bits, "little")
            return
        data = (self.raw(target, words[-1]) & ((1 << 8 * size) - 1)).to_bytes(size, "little")
        shared.update({address + k: (thread, data[k : k + 1]) for k in range(size)})

    def raw(self, text: str, kind: str) -> int:
        """Return the bits of an operand, or the truth value of a predicate."""
        if text in self.values:
            return self.values[text]
        if text in self.special:
            return self.special[text]
        if text[:2] in ("0f", "0d"):
            return int(text[2:], 16)
        if text in self.depots:
            return self.depots[text]
        if text in self.machine.addresses:
            return self.machine.addresses[text]
        if text.startswith("%"):  # not set where nothing needs its value: any bits, which must change no result
            return UNSET & ((1 << int(kind[1:])) - 1)
        return int(text) & ((1 << int(kind[1:])) - 1)

    def value(self, text: str, kind: str) -> Any:
        """Return an operand as a number of its type."""
        bits = self.raw(text, kind)
        if kind in REALS:
            real, integer = REALS[kind]
            return integer(bits).view(real)
        width = int(kind[1:])
        bits &= (1 << width) - 1
        return bits - (1 << width) if kind[0] == "s" and bits >> (width - 1) else bits

    def result(self, words: list[str], operands: list[str]) -> Any:
        """Return the bits of the result of an instruction, or the truth value of a comparison."""
        name, kind = words[0], words[-1]
        if name == "setp":
            return self.compared(words[1], *(self.value(x, kind) for x in operands))
        if kind == "pred":
            return LOGIC[name]([bool(self.raw(x, "b1")) for x in operands])
        if name == "selp":
            return self.raw(operands[0 if self.values[operands[2]] else 1], kind)
        if name in ("mov", "cvta"):
            return self.raw(operands[0], kind)
        if name == "cvt":
            return self.converted(words, operands[0])
        result = self.computed(words, [self.value(x, kind) for x in operands], kind)
        return self.bits(result, f"b{2 * int(kind[1:])}" if words[1] == "wide" else kind)

    @staticmethod
    def bits(number: Any, kind: str) -> int:
        """Return the bits of a number."""
        if kind in REALS:
            real, integer = REALS[kind]
            return int(real(number).view(integer))
        return int(number) & ((1 << int(kind[1:])) - 1)

    @staticmethod
    def compared(how: str, a: Any, b: Any) -> bool:
        """Return a comparison; with a "u" after it, such as "ltu", it is true of a number that is NaN."""
        unordered = bool(a != a or b != b)
        if how in ("nan", "num"):
            return unordered == (how == "nan")
        if how not in COMPARE:
            return unordered or bool(COMPARE[how[:-1]](a, b))
        return not unordered and bool(COMPARE[how](a, b))

    @staticmethod
    def computed(words: list[str], x: list[Any], kind: str) -> Any:
        """Return the result of arithmetic. Reals must be rounded to the nearest (`.rn`), or exact."""
        name = words[0]
        if kind in REALS and name in ("add", "sub", "mul", "div", "fma", "sqrt", "rcp"):
            assert words[1] == "rn", words
        if name in BINARY:
            assert kind in REALS or name != "mul" or words[1] in ("lo", "wide"), words
            return BINARY[name](*x)
        if name == "mad":
            return x[0] * x[1] + x[2]
        if name in ("shl", "shr"):
            return x[0] << x[1] if name == "shl" else x[0] >> x[1]
        if name in ("max", "min"):  # one NaN gives the other number, and -0 is less than 0
            order = sorted((n for n in x if n == n), key=lambda n: (n, not np.signbit(n)))
            return order[-1 if name == "max" else 0] if order else np.nan
        reals = {
            "fma": lambda: FMA[kind](*map(float, x)),
            "rcp": lambda: REALS[kind][0](1.0) / x[0],
            "sqrt": lambda: np.sqrt(x[0]),
            "neg": lambda: -x[0],
            "abs": lambda: np.abs(x[0]),
            "copysign": lambda: np.copysign(x[1], x[0]),
            "not": lambda: ~x[0],
            "xor": lambda: x[0] ^ x[1],
        }
        return reals[name]()

    def converted(self, words: list[str], operand: str) -> int:
        """Return a number of another type, or rounded to an integer."""
        target, source = words[-2:]
        x = self.value(operand, source)
        rounding = {"rni": np.rint, "rmi": np.floor, "rzi": np.trunc}
        if words[1] in rounding:
            x = rounding[words[1]](x)
        return self.bits(x, target)


def parsed(parameters: str, body: str) -> Function:
    """Return a function from its text. parameters, body: the text between its brackets and braces."""
    function = Function(re.findall(r"(\S+_param_\d+)", parameters))
    function.depots = {name: int(size) for name, size in DEPOT.findall(body)}
    for line in re.sub(r"//[^\n]*", "", body).splitlines():
        text = line.strip().rstrip(";")
        if not text or text in "{}" or text.startswith("."):
            continue
        if text.endswith(":"):
            function.labels[text[:-1]] = len(function.code)
            continue
        predicate, text = text.split(None, 1) if text.startswith("@") else ("", text)
        opcode, *operands = text.split(None, 1)
        function.code.append((predicate, opcode.split("."), [x.strip() for x in "".join(operands).split(",")]))
    return function
