/**
 * What generated tests start from. A fixed seed, so that a change is judged by the same cases each
 * time; `npm run explore` draws others, and a case it finds is kept as data or a test of its own.
 */
export const seed: number = readSeed(process.env.TWINBASE_SEED);

/** Factor on the number of cases: a quarter before a commit, 1 and 4 in `npm run test:slow`. */
export const runs: number = Number(process.env.TWINBASE_RUNS ?? 0.25);

function readSeed(given = "20261121"): number {
  return given === "random" ? Math.floor(Math.random() * 2 ** 31) : Number(given);
}
