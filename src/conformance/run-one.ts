import type { Fault } from "./expectation.js";
import { openTarget } from "./open-target.js";
import { runSteps } from "./run-vector.js";
import type { Fixture, Target } from "./target.js";
import type { Vector } from "./vector.js";

/** What a target answers wrongly to one vector, in a fresh database; undefined where it is right. */
export async function runVector(
  target: Target,
  fixture: Fixture,
  vector: Pick<Vector, "steps">,
): Promise<Fault | undefined> {
  const sandbox = openTarget(target);
  try {
    const database = await sandbox.open(fixture);
    return (await runSteps(sandbox, database, vector.steps, true))?.fault;
  } finally {
    await sandbox.clean();
  }
}
