/* A binary heap in an array: no item is greater than the root. */

export type Compare<T> = (a: T, b: T) => number;

export function pushOnHeap<T>(heap: T[], item: T, compare: Compare<T>): void {
  let at = heap.push(item) - 1;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (compare(heap[parent]!, item) >= 0) break;
    heap[at] = heap[parent]!;
    at = parent;
  }
  heap[at] = item;
}

/** Replaces the greatest item. */
export function replaceRoot<T>(heap: T[], item: T, compare: Compare<T>): void {
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && compare(heap[child + 1]!, heap[child]!) > 0) child++;
    if (compare(heap[child]!, item) <= 0) break;
    heap[at] = heap[child]!;
    at = child;
  }
  heap[at] = item;
}
