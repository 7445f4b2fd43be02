// Words by rule Q-2: every engine indexes the same ones.

export function wordsOf(text) {
  return text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}

export function fold(word) {
  return word
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .toLowerCase()
    .toUpperCase()
    .normalize("NFKC");
}

/**
 * Whether two words are at most one insertion, deletion, replacement or swap of neighbours apart
 * (rule Q-3).
 */
export function isNear(a, b) {
  if (a === b) return true;
  if (Math.abs(a.length - b.length) > 1) return false;
  let from = 0;
  while (from < a.length && a[from] === b[from]) from++;
  const [restA, restB] = [a.slice(from), b.slice(from)];
  return (
    restA.slice(1) === restB.slice(1) ||
    restA.slice(1) === restB ||
    restA === restB.slice(1) ||
    (restA[0] === restB[1] && restA[1] === restB[0] && restA.slice(2) === restB.slice(2))
  );
}
