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

/** Puts an item in the place of another, where it may be less than the items below. */
export function siftDown<T>(heap: T[], from: number, item: T, compare: Compare<T>): void {
  let at = from;
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

/** Returns the first members in order. */
export function firstOf<T>(members: Iterable<T>, most: number, compare: Compare<T>): T[] {
  const heap: T[] = [];
  for (const member of members) {
    if (heap.length < most) {
      heap.push(member);
      if (heap.length < most) continue;
      for (let at = most >>> 1; at >= 0; at--) siftDown(heap, at, heap[at]!, compare);
    } else if (compare(member, heap[0]!) < 0) siftDown(heap, 0, member, compare);
  }
  return heap.sort(compare);
}
