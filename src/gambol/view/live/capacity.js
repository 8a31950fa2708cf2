// States in programs with another contact capacity, as gambol.world.capacity converts them.

// The rows of a state in another layout, see gambol.view.live.capacity. The contacts with the largest impulses are kept.
function resized(state, from, to) {
  const rows = new Float64Array(to.count);
  to.others.forEach((row, k) => { rows[row] = state[from.others[k]]; });
  if (to.counter !== null && from.counter !== null) rows[to.counter] = state[from.counter];
  const used = from.slots.map(({ index, rows: values }, k) => ({ index: index === null ? k : state[index], values: values.map((row) => state[row]) }))
    .filter(({ index }) => index >= 0).sort((a, b) => b.values[0] - a.values[0] || a.index - b.index);
  to.slots.forEach(({ index, rows: places }, k) => {
    const contact = index === null ? used.find((each) => each.index === k) : used[k];
    if (index !== null) rows[index] = contact?.index ?? -1;
    places.forEach((row, c) => { rows[row] = (contact?.values[c] ?? 0) + 0; }); // + 0: no negative zero
  });
  return rows;
}
