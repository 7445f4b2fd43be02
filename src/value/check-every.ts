/** Returns a function to call at each step of a loop; it checks the time limit (rule L-10) every 256 steps. */
export function checkEvery(checkTime: (() => void) | undefined): () => void {
  if (checkTime === undefined) return () => {};
  let count = 0;
  return () => {
    if ((++count & 255) === 0) checkTime();
  };
}
