// Chance that comes from a seed alone, so that a run can be repeated.

/** Draws numbers, members and yes or no from a seed (mulberry32). */
export function createRandom(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit) => Math.floor(next() * limit);
  const pick = (list) => list[below(list.length)];
  return {
    below,
    pick,
    chance: (probability) => next() < probability,
    /** A key of an object of weights. */
    weighted(weights) {
      let rest = next() * Object.values(weights).reduce((sum, weight) => sum + weight, 0);
      for (const [key, weight] of Object.entries(weights)) {
        rest -= weight;
        if (rest < 0) return key;
      }
      return Object.keys(weights)[0];
    },
    /** From `least` to `most` members, each made by `make`. */
    several: (least, most, make) =>
      Array.from({ length: least + below(most - least + 1) }, (_, index) => make(index)),
    /** Some members, in another order. */
    some(list, most) {
      const rest = [...list];
      const count = Math.min(rest.length, 1 + below(most));
      return Array.from({ length: count }, () => rest.splice(below(rest.length), 1)[0]);
    },
  };
}
