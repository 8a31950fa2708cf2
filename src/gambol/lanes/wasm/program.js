// Programs written by gambol.lanes.wasm: their modules, and their arrays in the memory of WebAssembly.

// Returns a b + c of float64, rounded once, by integers of any size. Programs call it for the few numbers whose rounding
// errors are too small, or which are too large, for the arithmetic of float64.
function exactFma(a, b, c) {
  if (!Number.isFinite(a) || !Number.isFinite(b) || a === 0 || b === 0) return a * b + c;
  if (!Number.isFinite(c)) return c;
  const [m1, e1] = mantissaAndExponent(a), [m2, e2] = mantissaAndExponent(b), [m3, e3] = mantissaAndExponent(c);
  const exponent = c === 0 ? e1 + e2 : Math.min(e1 + e2, e3);
  const sum = ((m1 * m2) << BigInt(e1 + e2 - exponent)) + (c === 0 ? 0n : m3 << BigInt(e3 - exponent));
  return sum < 0n ? -rounded(-sum, exponent) : rounded(sum, exponent);
}

// Returns integers m and e with x = m 2^e.
function mantissaAndExponent(x) {
  const bits = new BigUint64Array(new Float64Array([x]).buffer)[0];
  const field = Number((bits >> 52n) & 0x7ffn), fraction = bits & 0xfffffffffffffn;
  const m = field ? fraction | 0x10000000000000n : fraction;
  return [x < 0 ? -m : m, Math.max(field, 1) - 1075];
}

// Returns m 2^e as the nearest float64, of two equally near ones the even one; m is not negative.
function rounded(m, e) {
  const drop = Math.max(m.toString(2).length - 53, -1074 - e);
  if (drop > 0) {
    const rest = m & ((1n << BigInt(drop)) - 1n), half = 1n << BigInt(drop - 1);
    m >>= BigInt(drop);
    e += drop;
    if (rest > half || (rest === half && m & 1n)) m += 1n;
  }
  return e > 971 ? Number(m) * 2 ** 971 * 2 ** (e - 971) : Number(m) * 2 ** e;
}

const fromHex = (text) => Uint8Array.from(text.match(/../g), (pair) => parseInt(pair, 16));

// Returns true if this machine has relaxed_madd, and if it rounds a b + c once.
function fusesMultiplyAdd(description) {
  const probe = fromHex(description.probe), small = description.bytes === 8 ? 2 ** -27 : 2 ** -12;
  if (!WebAssembly.validate(probe)) return false;
  const { madd } = new WebAssembly.Instance(new WebAssembly.Module(probe)).exports;
  return madd(1 + small, 1 + small, -(1 + 2 * small)) === small * small;
}

// Returns the code of a program with calls of its own functions in place of relaxed instructions.
function withSoftwareFma(code, description) {
  const changed = code.slice(), [first, last] = description.functions;
  const pairs = description.replaced.map((pair) => pair.map(fromHex));
  for (let i = first; i < last - 2; i++) {
    for (const [old, call] of pairs) {
      if (changed[i] === old[0] && changed[i + 1] === old[1] && changed[i + 2] === old[2]) changed.set(call, i);
    }
  }
  return changed;
}

// A program that is ready to run. code: of its module, a Uint8Array; description: of WasmModule.description(); fused:
// false for software in place of relaxed_madd. Each array is a typed array of rows, each with a number for each lane.
class WasmProgram {
  constructor(code, description, fused = fusesMultiplyAdd(description)) {
    this.fused = fused;
    this.lanes = description.lanes;
    const module = new WebAssembly.Module(fused ? code : withSoftwareFma(code, description));
    this.exports = new WebAssembly.Instance(module, { gambol: { exact_fma: exactFma } }).exports;
    this.description = description;
    this.end = description.end;
    this.filled = new Map();
    this.findArrays();
    this.run = this.exports.run;
  }

  findArrays() {
    const Numbers = this.description.bytes === 8 ? Float64Array : Float32Array, { buffer } = this.exports.memory;
    const arrayAt = ([address, rows]) => new Numbers(buffer, address, rows * this.lanes);
    this.inputs = this.description.inputs.map(arrayAt);
    this.outputs = this.description.outputs.map(arrayAt);
  }

  // Puts the entries of a table into memory, in place of as many of before. Arrays must be asked for again afterwards.
  setTable(k, entries) {
    const { bytes, tables } = this.description, { memory } = this.exports, Numbers = bytes === 8 ? Float64Array : Float32Array;
    if (this.filled.get(k)?.count === entries.length) return new Numbers(memory.buffer, this.filled.get(k).start, entries.length).set(entries);
    this.filled.set(k, { start: this.end, count: entries.length });
    const size = 16 * Math.ceil((entries.length * bytes) / 16);
    const missing = this.end + size - memory.buffer.byteLength;
    if (missing > 0) memory.grow(Math.ceil(missing / 65536));
    this.findArrays();
    new Numbers(memory.buffer, this.end, entries.length).set(entries);
    new Uint32Array(memory.buffer, tables[k], 1)[0] = this.end;
    new Numbers(memory.buffer, tables[k] + 8, 1)[0] = entries.length - 1;
    this.end += size;
  }

  // Gives every lane of an input the same numbers.
  fill(k, numbers) {
    numbers.forEach((x, row) => this.inputs[k].fill(x, row * this.lanes, (row + 1) * this.lanes));
  }
}
