/** Hashes a seed and a label. Independent choices let fast-check shrink a case part by part. */
export function derive(seed: number, label: string): number {
  let hash = (0x811c9dc5 ^ seed) >>> 0;
  for (let i = 0; i < label.length; i++) {
    hash = Math.imul(hash ^ label.charCodeAt(i), 0x01000193) >>> 0;
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b) >>> 0;
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35) >>> 0;
  return (hash ^ (hash >>> 16)) >>> 0;
}

export function happens(seed: number, label: string, probability: number): boolean {
  return derive(seed, label) < probability * 2 ** 32;
}

export function choose<T>(seed: number, label: string, options: readonly T[]): T {
  const option = options[derive(seed, label) % options.length];
  if (option === undefined) throw new RangeError(`nothing to choose from for ${label}`);
  return option;
}

export function chooseSkewed<T>(seed: number, label: string, options: readonly T[]): T {
  if (!happens(seed, `few ${label}`, 0.6)) return choose(seed, label, options);
  const start = derive(0, label) % options.length;
  return choose(seed, label, [...options.slice(start), ...options.slice(0, start)].slice(0, 4));
}

/** Chooses an option; removing other options does not change the choice. */
export function chooseNamed<T>(
  seed: number,
  options: readonly T[],
  nameOf: (option: T) => string,
): T | undefined {
  let best: T | undefined;
  let highest = -1;
  for (const option of options) {
    const rank = derive(seed, nameOf(option));
    if (rank > highest) [best, highest] = [option, rank];
  }
  return best;
}

export function chooseWeighted<T extends string>(
  seed: number,
  label: string,
  weights: { readonly [form in T]?: number },
): T {
  const forms = Object.entries(weights) as [T, number][];
  const total = forms.reduce((sum, [, weight]) => sum + weight, 0);
  let left = (derive(seed, label) / 2 ** 32) * total;
  for (const [form, weight] of forms) {
    left -= weight;
    if (left < 0) return form;
  }
  throw new RangeError(`nothing to choose from for ${label}`);
}

export function several<T>(
  seed: number,
  label: string,
  least: number,
  most: number,
  make: (seed: number) => T,
): T[] {
  const count = least + (derive(seed, label) % (most - least + 1));
  return Array.from({ length: count }, (_, i) => make(derive(seed, `${label} ${i}`)));
}

/** Calls a function when its result is first needed. */
export function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
