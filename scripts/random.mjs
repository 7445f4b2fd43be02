// Seeded random numbers.

/** Returns a generator of 32-bit words (mulberry32). */
export function createWords(seed) {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
}

/** Returns functions that draw numbers, members of lists and booleans. */
export function createRandom(seed) {
  const words = createWords(seed);
  const next = () => words() / 2 ** 32;
  const below = (limit) => Math.floor(next() * limit);
  return {
    /** A number in [0, 1). */
    next,
    below,
    pick: (list) => list[below(list.length)],
    chance: (probability) => next() < probability,
    /** A key of an object of weights. */
    weighted(weights) {
      let rest = next() * Object.values(weights).reduce((sum, weight) => sum + weight, 0);
      return Object.entries(weights).find(([, weight]) => {
        rest -= weight;
        return rest < 0;
      })?.[0];
    },
    /** From `least` to `most` members. */
    several: (least, most, make) =>
      Array.from({ length: least + below(most - least + 1) }, (_, index) => make(index)),
  };
}
