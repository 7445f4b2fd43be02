import { openTarget } from "../target/open-target.js";
import type { Fixture, Target } from "../target/target.js";
import type { Fault } from "../vectors/expectation.js";
import { runSteps } from "../vectors/run-vector.js";
import type { Vector } from "../vectors/vector.js";

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
