import { lowerBound } from "./lower-bound.js";
import { grown, NO_FLOATS, NO_INTS } from "./sums.js";

/** Up to this many numbers are sorted. */
const MAX_SORTED = 4096;
/** The bins of a selection: numbers by sign, exponent and four bits of the fraction. */
const BINS = 1 << 16;

/** Numbers of groups, in the order of rows. */
export class Numbers {
  #numbers = NO_FLOATS;
  #groups = NO_INTS;
  #count = 0;
  #byGroup: ((group: number) => Float64Array) | undefined;

  /** Adds numbers but for NaN. */
  add(numbers: Float64Array, of: Int32Array | undefined): void {
    const length = this.#count + numbers.length;
    this.#numbers = grown(this.#numbers, length);
    if (of !== undefined) this.#groups = grown(this.#groups, length);
    for (let i = 0; i < numbers.length; i++) {
      const number = numbers[i]!;
      if (Number.isNaN(number)) continue;
      if (of !== undefined) this.#groups[this.#count] = of[i]!;
      this.#numbers[this.#count++] = number;
    }
  }

  /** Returns the numbers of a group; valid until more are added. */
  of(group: number): Float64Array {
    this.#byGroup ??=
      this.#groups.length > 0 ? this.#split() : () => this.#numbers.subarray(0, this.#count);
    return this.#byGroup(group);
  }

  #split(): (group: number) => Float64Array {
    let most = 0;
    for (let i = 0; i < this.#count; i++) most = Math.max(most, this.#groups[i]!);
    const ends = new Int32Array(most + 2);
    for (let i = 0; i < this.#count; i++) ends[this.#groups[i]! + 1]!++;
    for (let group = 1; group < ends.length; group++) ends[group]! += ends[group - 1]!;
    const sorted = new Float64Array(this.#count);
    const next = ends.slice();
    for (let i = 0; i < this.#count; i++) sorted[next[this.#groups[i]!]!++] = this.#numbers[i]!;
    return (group) => sorted.subarray(ends[group] ?? 0, ends[group + 1] ?? 0);
  }
}

/** Returns percentiles (rule X-6); null without numbers. */
export function percentilesOf(
  numbers: Float64Array,
  percentiles: readonly number[],
): (number | null)[] {
  const last = numbers.length - 1;
  if (last < 0) return percentiles.map(() => null);
  // Each number stands for the middle of its share: the first of four is at 12.5 %, not 0 %.
  const places = percentiles.map((percentile) =>
    Math.min(Math.max((percentile * numbers.length) / 100 - 0.5, 0), last),
  );
  const ranks = new Set(places.flatMap((rank) => [Math.floor(rank), Math.ceil(rank)]));
  const at = selectRanks(numbers, ranks);
  return places.map((rank) => {
    const share = rank - Math.floor(rank);
    const [below, above] = [at(Math.floor(rank)), at(Math.ceil(rank))];
    const between = below + (above - below) * share;
    // The difference may overflow.
    return Number.isFinite(between) ? between : below * (1 - share) + above * share;
  });
}

/** Returns the number at each rank; sorts only the bins that contain one. */
function selectRanks(numbers: Float64Array, ranks: ReadonlySet<number>): (rank: number) => number {
  if (numbers.length <= MAX_SORTED) {
    const sorted = numbers.slice().sort();
    return (rank) => sorted[rank]!;
  }
  const heads = new Uint16Array(numbers.buffer, numbers.byteOffset, numbers.length * 4);
  const starts = new Int32Array(BINS + 1);
  for (let i = 3; i < heads.length; i += 4) starts[binOf(heads[i]!) + 1]!++;
  for (let bin = 1; bin <= BINS; bin++) starts[bin]! += starts[bin - 1]!;
  const isWanted = new Uint8Array(BINS);
  const binOfRank = (rank: number): number =>
    lowerBound(0, BINS - 1, (bin) => starts[bin + 1]! > rank);
  for (const rank of ranks) isWanted[binOfRank(rank)] = 1;
  const bins = new Map<number, Float64Array>();
  const filled = new Int32Array(BINS);
  for (let bin = 0; bin < BINS; bin++) {
    if (isWanted[bin] === 1) bins.set(bin, new Float64Array(starts[bin + 1]! - starts[bin]!));
  }
  for (let i = 0; i < numbers.length; i++) {
    const bin = binOf(heads[i * 4 + 3]!);
    if (isWanted[bin] === 1) bins.get(bin)![filled[bin]!++] = numbers[i]!;
  }
  for (const bin of bins.values()) bin.sort();
  return (rank) => {
    const bin = binOfRank(rank);
    return bins.get(bin)![rank - starts[bin]!]!;
  };
}

/** Numbers the first 16 bits of a number in its order: negative numbers have theirs reversed. */
function binOf(head: number): number {
  return head & 0x8000 ? ~head & 0xffff : head | 0x8000;
}
