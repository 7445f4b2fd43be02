import { compareStrings } from "../../value/compare.js";
import { type Compare, pushOnHeap, siftDown } from "../../value/heap.js";

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
  readonly #compare: Compare<Hit> = (a, b) =>
    a.score === b.score ? compareStrings(this.#idOf(a.row), this.#idOf(b.row)) : b.score - a.score;

  constructor(limit: number, idOf: (row: number) => string) {
    this.#limit = limit;
    this.#idOf = idOf;
  }

  offer(row: number, score: number): void {
    const hits = this.#hits;
    if (hits.length < this.#limit) {
      pushOnHeap(hits, { row, score }, this.#compare);
      return;
    }
    const worst = hits[0];
    if (worst === undefined || score < worst.score) return;
    const hit = { row, score };
    if (this.#compare(hit, worst) < 0) siftDown(hits, 0, hit, this.#compare);
  }

  toSorted(): Hit[] {
    return this.#hits.toSorted(this.#compare);
  }
}
