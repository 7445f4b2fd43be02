import { readPointer } from "../../errors.js";
import type { Json } from "../../types.js";
import type { WireRequest, WireResponse } from "../target/connection.js";
import type { Sandbox } from "../target/sandbox.js";
import type { Fixture } from "../target/target.js";
import { findMismatch, type Mismatch } from "./expectation.js";
import { baseVariables, substitute } from "./variables.js";
import type { Expectation, Vector, VectorStep } from "./vector.js";

export interface FailedStep {
  readonly step: number;
  readonly mismatch: Mismatch;
}

export function isReadOnly(vector: Vector): boolean {
  return vector.steps.every(
    ({ method, path }) =>
      method === "GET" || (method === "POST" && /\/(query|summarize|aggregate)$/.test(path)),
  );
}

/** Returns the first step with a wrong answer. */
export async function runSteps(
  sandbox: Sandbox,
  database: string,
  steps: readonly VectorStep[],
  strict: boolean,
): Promise<FailedStep | undefined> {
  const variables = baseVariables(sandbox.connection, database);
  for (const [step, { expect, capture = {}, ...template }] of steps.entries()) {
    // Substitution changes texts only.
    const request = substitute(template as unknown as Json, variables) as unknown as WireRequest;
    const expectation = substitute(expect as unknown as Json, variables) as unknown as Expectation;
    const answer = await sandbox.connection.send(request);
    const mismatch =
      findMismatch(expectation, answer, strict) ?? capturePlaces(capture, answer, variables);
    if (mismatch !== undefined) return { step, mismatch };
  }
  return undefined;
}

function capturePlaces(
  places: { readonly [variable: string]: string },
  answer: WireResponse,
  variables: Map<string, Json>,
): Mismatch | undefined {
  for (const [variable, place] of Object.entries(places)) {
    const pointer = String(substitute(place, variables));
    const value = readPointer(answer.body, pointer) as Json | undefined; // read from JSON
    if (value === undefined) {
      return { message: `${pointer} is missing`, expected: "a value", found: null };
    }
    variables.set(variable, value);
  }
  return undefined;
}

/** Creates databases for vectors; read-only ones share a database per fixture. */
export function createVectorRunner(sandbox: Sandbox): {
  run(vector: Vector, fixture: Fixture, strict: boolean): Promise<FailedStep | undefined>;
} {
  const shared = new Map<Fixture, string>();
  const open = (fixture: Fixture): Promise<string> => sandbox.open(fillFixture(sandbox, fixture));
  return {
    async run(vector, fixture, strict) {
      if (isReadOnly(vector)) {
        const database = shared.get(fixture) ?? (await open(fixture));
        shared.set(fixture, database);
        return runSteps(sandbox, database, vector.steps, strict);
      }
      const before = new Set(sandbox.connection.databases);
      const database = await open(usedPart(fixture, vector.steps));
      try {
        return await runSteps(sandbox, database, vector.steps, strict);
      } finally {
        for (const made of sandbox.connection.databases) {
          if (!before.has(made)) await sandbox.close(made);
        }
      }
    },
  };
}

export function fillFixture(sandbox: Sandbox, fixture: Fixture): Fixture {
  const variables = baseVariables(sandbox.connection, "");
  // Substitution changes texts only.
  return substitute(fixture as unknown as Json, variables) as unknown as Fixture;
}

export function usedPart({ tables }: Fixture, steps: readonly VectorStep[]): Fixture {
  const named = JSON.stringify(steps);
  let used = tables.filter(({ name }) => named.includes(name));
  for (let before = 0; used.length > before; ) {
    before = used.length;
    const links = JSON.stringify(used.map(({ columns }) => columns));
    used = tables.filter(
      (table) => used.includes(table) || links.includes(`"table":${JSON.stringify(table.name)}`),
    );
  }
  return { tables: used };
}
