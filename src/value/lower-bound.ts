/** Lower bound: the first position from `low` up to `high` where a monotone predicate holds. */
export function lowerBound(
  low: number,
  high: number,
  holds: (position: number) => boolean,
): number {
  let [from, to] = [low, high];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (holds(middle)) to = middle;
    else from = middle + 1;
  }
  return from;
}

/** Lower bound by exponential search: faster if the result is near `low`. */
export function gallop(low: number, high: number, holds: (position: number) => boolean): number {
  let from = low;
  let step = 1;
  while (from + step <= high && !holds(from + step - 1)) {
    from += step;
    step *= 2;
  }
  return lowerBound(from, Math.min(from + step - 1, high), holds);
}
