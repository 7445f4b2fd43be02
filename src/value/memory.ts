/** Bytes of tables that a call may derive to be faster; without them it computes results again. */
export interface Memory {
  left: number;
}

/** Takes bytes if that many are left. */
export function reserve(memory: Memory, bytes: number): boolean {
  if (bytes > memory.left) return false;
  memory.left -= bytes;
  return true;
}
