/**
 * Edit distances in code points: one line per code point, so that words with a common prefix share lines.
 * Only cells within `most` of the diagonal are computed (E. Ukkonen, 1985).
 */
export class DistanceTable {
  readonly #points: readonly number[];
  readonly #most: number;
  /** By depth; cells off the band hold `most + 1`. */
  readonly #lines: Uint8Array[] = [];
  readonly #pushed: number[] = [];

  constructor(points: readonly number[], most: number) {
    this.#points = points;
    this.#most = most;
    const first = this.#line(0);
    for (let at = 0; at <= Math.min(most, points.length); at++) first[at] = at;
  }

  distanceAt(depth: number): number {
    return this.#lines[depth]![this.#points.length]!;
  }

  /** Sets the code point at `depth`; returns a lower bound for all words with this prefix. */
  push(depth: number, point: number): number {
    const points = this.#points;
    const most = this.#most;
    const above = this.#lines[depth]!;
    const line = this.#line(depth + 1);
    const before = depth > 0 ? this.#lines[depth - 1]! : undefined;
    const beforePoint = depth > 0 ? this.#pushed[depth - 1] : undefined;
    this.#pushed[depth] = point;
    let least = most + 1;
    const from = Math.max(0, depth + 1 - most);
    const to = Math.min(points.length, depth + 1 + most);
    for (let at = from; at <= to; at++) {
      let cell = above[at]! + 1;
      if (at > 0) {
        cell = Math.min(cell, line[at - 1]! + 1, above[at - 1]! + Number(points[at - 1] !== point));
        if (at > 1 && points[at - 1] === beforePoint && points[at - 2] === point)
          cell = Math.min(cell, before![at - 2]! + 1);
      }
      line[at] = Math.min(cell, most + 1);
      if (cell < least) least = cell;
    }
    return least;
  }

  /** Code points that can follow when the distance is used up; undefined if any can. */
  onlyNext(depth: number): readonly number[] | undefined {
    const points = this.#points;
    const most = this.#most;
    const line = this.#lines[depth]!;
    const before = depth > 0 ? this.#lines[depth - 1]! : undefined;
    const next: number[] = [];
    const from = Math.max(0, depth - most);
    const to = Math.min(points.length, depth + most);
    for (let at = from; at <= to; at++) {
      if (line[at]! < most) return undefined;
      if (line[at] === most && at < points.length) next.push(points[at]!);
      // A swap ends two code points after the previous line.
      if (before !== undefined && at > 0 && at < points.length && before[at - 1]! < most) {
        if (points[at] === this.#pushed[depth - 1]) next.push(points[at - 1]!);
      }
    }
    return next;
  }

  #line(depth: number): Uint8Array {
    this.#lines[depth] ??= new Uint8Array(this.#points.length + 1).fill(this.#most + 1);
    return this.#lines[depth];
  }
}
