// The height of the ground on a grid, as gambol.collide.height_grid defines it.

// The cell along an axis, and the place in it from 0 to 1.
function cellOf(x, origin, spacing, count) {
  const steps = Math.min(Math.max((x - origin) / spacing, 0), count - 1), cell = Math.min(Math.floor(steps), count - 2);
  return [cell, steps - cell];
}

// grid: description of the grid; table: its heights, row after row [m]; x, y: a point [m].
function heightAt({ x0, y0, spacing, rows, columns }, table, x, y) {
  const [i, u] = cellOf(x, x0, spacing, rows), [j, v] = cellOf(y, y0, spacing, columns), k = i * columns + j;
  const h00 = table[k], h01 = table[k + 1], h10 = table[k + columns], h11 = table[k + columns + 1];
  return u + v <= 1 ? h00 + u * (h10 - h00) + v * (h01 - h00) : h11 + (1 - u) * (h01 - h11) + (1 - v) * (h10 - h11);
}
