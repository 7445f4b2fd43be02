import { openTarget } from "../target/open.js";
import type { Fixture, Target } from "../target/target.js";
import type { Mismatch } from "../vectors/expectation.js";
import { runSteps } from "../vectors/run.js";
import type { Vector } from "../vectors/vector.js";

/** Runs a vector in a fresh database. Returns the first mismatch, or undefined. */
export async function runVector(
  target: Target,
  fixture: Fixture,
  vector: Pick<Vector, "steps">,
): Promise<Mismatch | undefined> {
  const sandbox = openTarget(target);
  try {
    const database = await sandbox.open(fixture);
    return (await runSteps(sandbox, database, vector.steps, true))?.mismatch;
  } finally {
    await sandbox.clean();
  }
}
