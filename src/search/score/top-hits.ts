import { compareStrings } from "../../value/compare.js";

export interface Hit {
  readonly row: number;
  readonly score: number;
}

/** The `limit` best hits by descending score, then id: a bounded heap. */
export class TopHits {
  readonly #limit: number;
  readonly #idOf: (row: number) => string;
  /** The worst hit is at the root. */
  readonly #hits: Hit[] = [];

  constructor(limit: number, idOf: (row: number) => string) {
    this.#limit = limit;
    this.#idOf = idOf;
  }

  offer(row: number, score: number): void {
    const hits = this.#hits;
    if (hits.length < this.#limit) {
      hits.push({ row, score });
      this.#siftUp();
      return;
    }
    const worst = hits[0];
    if (worst === undefined || score < worst.score) return;
    const hit = { row, score };
    if (this.#compare(hit, worst) >= 0) return;
    hits[0] = hit;
    this.#siftDown();
  }

  toSorted(): Hit[] {
    return this.#hits.toSorted((a, b) => this.#compare(a, b));
  }

  #compare(a: Hit, b: Hit): number {
    return a.score === b.score
      ? compareStrings(this.#idOf(a.row), this.#idOf(b.row))
      : b.score - a.score;
  }

  #siftUp(): void {
    const hits = this.#hits;
    let at = hits.length - 1;
    const hit = hits[at]!;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (this.#compare(hits[parent]!, hit) >= 0) break;
      hits[at] = hits[parent]!;
      at = parent;
    }
    hits[at] = hit;
  }

  #siftDown(): void {
    const hits = this.#hits;
    const hit = hits[0]!;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= hits.length) break;
      if (child + 1 < hits.length && this.#compare(hits[child + 1]!, hits[child]!) > 0) child++;
      if (this.#compare(hits[child]!, hit) <= 0) break;
      hits[at] = hits[child]!;
      at = child;
    }
    hits[at] = hit;
  }
}
