/** Returns the first members in order, by a heap of as many with the last one on top. */
export function firstOf<T>(
  members: Iterable<T>,
  most: number,
  compare: (a: T, b: T) => number,
): T[] {
  const heap: T[] = [];
  const sink = (from: number): void => {
    const member = heap[from]!;
    let at = from;
    for (let child = 1; ; at = child) {
      child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && compare(heap[child + 1]!, heap[child]!) > 0) child++;
      if (compare(heap[child]!, member) <= 0) break;
      heap[at] = heap[child]!;
    }
    heap[at] = member;
  };
  for (const member of members) {
    if (heap.length < most) {
      heap.push(member);
      if (heap.length === most) for (let at = most >>> 1; at >= 0; at--) sink(at);
    } else if (compare(member, heap[0]!) < 0) {
      heap[0] = member;
      sink(0);
    }
  }
  return heap.sort(compare);
}
