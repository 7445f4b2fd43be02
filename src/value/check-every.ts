/**
 * Returns a function to call at each step of a loop. It checks the time limit (rule L-10) once in so
 * many steps, a power of two.
 */
export function checkEvery(checkTime: (() => void) | undefined, steps = 256): () => void {
  if (checkTime === undefined) return () => {};
  let count = 0;
  return () => {
    if ((++count & (steps - 1)) === 0) checkTime();
  };
}
