// Chance that comes from a seed alone, so that a run can be repeated.

/**
 * A pseudo-random generator of 32-bit words (mulberry32).
 *
 * @param {number} seed
 */
export function createWords(seed) {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
}

/** Draws numbers, members and yes or no. @param {number} seed */
export function createRandom(seed) {
  const words = createWords(seed);
  const next = () => words() / 2 ** 32;
  const below = (/** @type {number} */ limit) => Math.floor(next() * limit);
  return {
    /** A number in [0, 1). */
    next,
    below,
    pick: (/** @type {readonly any[]} */ list) => list[below(list.length)],
    chance: (/** @type {number} */ probability) => next() < probability,
    /** A key of an object of weights. @param {Record<string, number>} weights */
    weighted(weights) {
      let rest = next() * Object.values(weights).reduce((sum, weight) => sum + weight, 0);
      return Object.entries(weights).find(([, weight]) => {
        rest -= weight;
        return rest < 0;
      })?.[0];
    },
    /**
     * From `least` to `most` members.
     *
     * @param {number} least
     * @param {number} most
     * @param {(index: number) => unknown} make
     */
    several: (least, most, make) =>
      Array.from({ length: least + below(most - least + 1) }, (_, index) => make(index)),
  };
}
