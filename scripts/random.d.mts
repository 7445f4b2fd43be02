export interface Random {
  below(limit: number): number;
  pick<T>(list: readonly T[]): T;
  chance(probability: number): boolean;
}

export function createRandom(seed: number): Random;
