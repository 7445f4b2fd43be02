/**
 * What generated tests start from. A fixed seed, so that a change is judged by the same cases each
 * time; `npm run explore` draws others, and a case it finds is kept as data or a test of its own.
 */
export const seed: number = readSeed(process.env.TWINBASE_SEED);

/** How many times the usual number of cases; `npm run test:large` takes ten. */
export const runs: number = Number(process.env.TWINBASE_RUNS ?? 1);

function readSeed(given = "20261121"): number {
  return given === "random" ? Math.floor(Math.random() * 2 ** 31) : Number(given);
}
