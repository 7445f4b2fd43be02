import type { Connection } from "../target/connection.js";
import type { Fixture } from "../target/target.js";
import type { Vector } from "../vectors/vector.js";
import { renderCurl } from "./curl.js";
import { renderJson } from "./json.js";
import type { VectorCounterexample } from "./report.js";

export function renderCounterexample(
  fixture: Fixture,
  vector: Vector,
  connection: Connection,
): VectorCounterexample {
  return {
    kind: "vector",
    fixture,
    vector,
    curl: renderCurl(fixture, vector.steps, connection),
    snippet: renderSnippet(fixture, vector),
  };
}

function renderSnippet(fixture: Fixture, vector: Vector): string {
  return `import { runVector } from "twinbase/conformance";

// Tables, and the steps with the expected answers; the last step is answered wrongly.
const fixture = ${renderJson(fixture)};
const vector = ${renderJson(vector)} as const;

const mismatch = await runVector(target, fixture, vector);
if (mismatch !== undefined) throw new Error(mismatch.message);
`;
}
