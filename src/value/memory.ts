/** Bytes of tables that a call may derive to be faster; without them it computes results again. */
export interface MemoryBudget {
  left: number;
}

/** Makes a table at its first use, if there is memory to keep it; otherwise at each use. */
export function memoize<T>(memory: MemoryBudget, bytes: number, make: () => T): () => T {
  let made: T | undefined;
  return reserve(memory, bytes) ? () => (made ??= make()) : make;
}

/** Takes bytes if that many are left. */
export function reserve(memory: MemoryBudget, bytes: number): boolean {
  if (bytes > memory.left) return false;
  memory.left -= bytes;
  return true;
}
