/**
 * Seed of generated tests, fixed so that every run tries the same cases. `npm run explore` draws random
 * seeds; each case that it finds becomes data or a test.
 */
export const seed: number = readSeed(process.env.TWINBASE_SEED);

/** Factor on the number of cases: a quarter before a commit, 1 and 4 in `npm run test:slow`. */
export const runs: number = Number(process.env.TWINBASE_RUNS ?? 0.25);

function readSeed(given = "20261121"): number {
  return given === "random" ? Math.floor(Math.random() * 2 ** 31) : Number(given);
}
