export const SIMILARITIES = ["cosineSimilarity", "l1", "l2"] as const;

export type SimilarityFunction = (typeof SIMILARITIES)[number];

/** Compares a vector with the query vector: greater is closer. Always finite. */
export type Similarity = (numbers: Float64Array) => number;

/** Sums of squares in this range are exact to the last digits; otherwise the numbers are scaled. */
const LEAST_EXACT = 1e-280;
const GREATEST_EXACT = 1e280;
/** A power of two, so scaling is exact; no scaled sum overflows. */
const SMALL = 2 ** -40;

export function compileSimilarity(similarity: SimilarityFunction, query: Float64Array): Similarity {
  switch (similarity) {
    case "cosineSimilarity":
      return compileCosine(query);
    case "l1":
      return (numbers) => {
        const distance = sumOfDifferences(numbers, query, 1);
        if (Number.isFinite(distance)) return 1 / (1 + distance);
        return SMALL / (SMALL + sumOfDifferences(numbers, query, SMALL));
      };
    case "l2":
      // If the square overflows, the quotient rounds to 0.
      return (numbers) => 1 / (1 + squareOfDistance(numbers, query));
  }
}

function compileCosine(query: Float64Array): Similarity {
  const unit = toUnit(query);
  if (unit === undefined) return () => 1;
  const cosine = (numbers: Float64Array): number => {
    let dot = 0;
    let dot2 = 0;
    let square = 0;
    let square2 = 0;
    // Two accumulators: the additions of one would form a dependency chain.
    const even = numbers.length & ~1;
    for (let at = 0; at < even; at += 2) {
      const x = numbers[at]!;
      const y = numbers[at + 1]!;
      dot += x * unit[at]!;
      dot2 += y * unit[at + 1]!;
      square += x * x;
      square2 += y * y;
    }
    if (even < numbers.length) {
      const x = numbers[even]!;
      dot += x * unit[even]!;
      square += x * x;
    }
    const whole = square + square2;
    return whole > LEAST_EXACT && whole < GREATEST_EXACT
      ? (dot + dot2) / Math.sqrt(whole)
      : Number.NaN;
  };
  return (numbers) => {
    let found = cosine(numbers);
    if (Number.isNaN(found)) {
      const scaled = toUnit(numbers);
      if (scaled === undefined) return 1;
      found = cosine(scaled);
    }
    return 1 + Math.max(-1, Math.min(1, found));
  };
}

function toUnit(numbers: Float64Array): Float64Array | undefined {
  let greatest = 0;
  for (const number of numbers) greatest = Math.max(greatest, Math.abs(number));
  if (greatest === 0) return undefined;
  const scaled = numbers.map((number) => number / greatest);
  let square = 0;
  for (const number of scaled) square += number * number;
  const length = Math.sqrt(square);
  return scaled.map((number) => number / length);
}

function sumOfDifferences(a: Float64Array, b: Float64Array, scale: number): number {
  let sum = 0;
  let sum2 = 0;
  const even = a.length & ~1;
  for (let at = 0; at < even; at += 2) {
    sum += Math.abs(a[at]! * scale - b[at]! * scale);
    sum2 += Math.abs(a[at + 1]! * scale - b[at + 1]! * scale);
  }
  if (even < a.length) sum += Math.abs(a[even]! * scale - b[even]! * scale);
  return sum + sum2;
}

function squareOfDistance(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  let sum2 = 0;
  const even = a.length & ~1;
  for (let at = 0; at < even; at += 2) {
    const x = a[at]! - b[at]!;
    const y = a[at + 1]! - b[at + 1]!;
    sum += x * x;
    sum2 += y * y;
  }
  if (even < a.length) sum += (a[even]! - b[even]!) ** 2;
  return sum + sum2;
}
