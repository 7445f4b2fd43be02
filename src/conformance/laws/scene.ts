import { readPointer } from "../../errors.js";
import type { Json } from "../../types.js";
import { isQuery } from "../report/causes.js";
import type { Tier } from "../rules.js";
import { NoAnswerError, type WireRequest, type WireResponse } from "../target/connection.js";
import type { Sandbox } from "../target/sandbox.js";
import { type Fixture, LackError, type TargetTraits } from "../target/target.js";
import { findMismatch, type Mismatch } from "../vectors/expectation.js";
import { type Dropped, findLack } from "../vectors/lacks.js";
import { isObject } from "../vectors/pattern.js";
import type { RecordedStep } from "../vectors/record.js";
import { baseVariables, substitute } from "../vectors/variables.js";
import type { Expectation, VectorStep } from "../vectors/vector.js";

export interface SceneRecord {
  readonly id: string;
  readonly [column: string]: unknown;
}

export interface ScenePage {
  readonly records: readonly SceneRecord[];
  readonly cursor: string;
  readonly more: boolean;
}

/** A fresh database for one case of a law; records all requests. */
export interface Scene {
  readonly traits: TargetTraits;
  /** The highest tier of the run. */
  readonly tier: Tier;
  readonly steps: readonly RecordedStep[];
  /** Features of queries that were answered as expected. */
  readonly covered: Set<string>;
  /** Queries a table, by default in `main`. */
  query(table: string, body: SceneQuery, branch?: string): Promise<ScenePage>;
  /** Sends a request, in which `${db}` is the database. */
  send(request: WireRequest, expectation?: Expectation): Promise<WireResponse>;
  /** Compares the latest answer with an expectation; `why` begins the message. */
  expect(expectation: Expectation, why: string): void;
  /** Reads a table without recording the request. */
  peek(table: string, branch?: string): Promise<readonly SceneRecord[]>;
  /** Reports a violation that no expectation can express. */
  fail(why: string, expected: Json, found: Json): never;
}

export function branchPath(rest: string, branch = "main"): string {
  return `/db/\${db}:${branch}${rest}`;
}

export function databasePath(rest: string): string {
  return `/dbs/\${db}${rest}`;
}

/** A key or value as named by the profile. */
export function named(variable: "meta" | "target" | "mappings"): string {
  return `\${${variable}}`;
}

export interface SceneQuery {
  readonly columns?: Json;
  readonly filter?: Json;
  readonly sort?: Json;
  readonly page?: { readonly [key: string]: Json };
}

/** A silent service fails this expectation. */
export const AN_ANSWER = "an answer";

/** A violation shown by the latest answer. */
export class BreachError extends Error {
  override readonly name = "BreachError";
  readonly mismatch: Mismatch;
  /** The requests of its case. */
  steps: readonly VectorStep[] = [];

  constructor(why: string, mismatch: Mismatch) {
    super(why === "" ? mismatch.message : `${why}: ${mismatch.message}`);
    this.mismatch = mismatch;
  }
}

export interface SceneSettings extends Pick<Scene, "tier" | "covered"> {
  readonly dropped: Dropped;
  /** Whether the last of the steps fails for a known cause. */
  readonly isKnown: (steps: readonly RecordedStep[]) => boolean;
}

export async function openScene(
  sandbox: Sandbox,
  fixture: Fixture,
  { tier, covered, dropped, isKnown }: SceneSettings,
): Promise<Scene & { close(): Promise<void> }> {
  const { connection } = sandbox;
  const database = await sandbox.open(fixture);
  const variables = baseVariables(connection, database);
  const before = new Set(connection.databases);
  const steps: RecordedStep[] = [];
  const fill = (request: WireRequest): WireRequest =>
    substitute(request as unknown as Json, variables) as unknown as WireRequest; // keeps its shape

  const setExpectation = (expectation: Expectation): Mismatch | undefined => {
    const step = steps.at(-1);
    if (step?.answer === undefined) return undefined;
    step.expect = expectation;
    const filled = substitute(expectation as Json, variables) as Expectation; // keeps its shape
    return findMismatch(filled, step.answer, tier === "strict");
  };
  const send: Scene["send"] = async (request, expectation) => {
    const lack = findLack(connection.lacks, dropped, [request]);
    if (lack !== undefined) throw new LackError(`not supported: ${lack}`);
    let answer: WireResponse;
    try {
      answer = await connection.send(fill(request));
    } catch (error) {
      if (!(error instanceof NoAnswerError && error.silent)) throw error;
      steps.push({ request, answer: undefined, expect: expectation ?? {} });
      const mismatch = { message: error.message, expected: AN_ANSWER, found: null };
      throw new BreachError("", mismatch);
    }
    steps.push({ request, answer, expect: expectation ?? {} });
    const mismatch = expectation && setExpectation(expectation);
    if (mismatch !== undefined) throw new BreachError("", mismatch);
    return answer;
  };
  return {
    traits: connection,
    tier,
    steps,
    covered,
    send,
    expect(expectation, why) {
      const mismatch = setExpectation(expectation);
      if (mismatch === undefined) return;
      const step = steps.at(-1);
      if (step === undefined || !isQuery(step.request) || !isKnown(steps))
        throw new BreachError(why, mismatch);
      // The next queries may show another cause.
      setExpectation({});
    },
    async peek(table, branch) {
      const path = branchPath(`/tables/${table}/query`, branch);
      const found: SceneRecord[] = [];
      for (let page: Json = { size: connection.profile.maxPageSize }; ; ) {
        const answer = await connection.send(fill({ method: "POST", path, body: { page } }));
        const records = readPointer(answer.body, "/records");
        const cursor = readPointer(answer.body, "/meta/page/cursor");
        if (!Array.isArray(records) || records.length === 0) return found;
        found.push(...(records as SceneRecord[])); // from JSON
        if (readPointer(answer.body, "/meta/page/more") !== true) return found;
        page = { after: cursor as string }; // the form of a page
      }
    },
    fail(why, expected, found) {
      const message = "the answers contradict each other";
      throw new BreachError(why, { message, expected, found });
    },
    async query(table, body, branch) {
      const path = branchPath(`/tables/${table}/query`, branch);
      const answer = await send({ method: "POST", path, body }, PAGE);
      const records = readPointer(answer.body, "/records") as readonly SceneRecord[]; // as in PAGE
      const ids = records.map((record) => (isObject(record) ? String(record.id) : ""));
      // For the vector of a counterexample.
      if (!JSON.stringify(body).includes('"random"')) {
        setExpectation({ status: 200, ids: { exact: ids } });
      }
      const cursor = String(readPointer(answer.body, "/meta/page/cursor"));
      return { records, cursor, more: readPointer(answer.body, "/meta/page/more") === true };
    },
    async close() {
      for (const made of connection.databases) {
        if (made === database || !before.has(made)) await sandbox.close(made);
      }
    },
  };
}

const PAGE: Expectation = {
  status: 200,
  at: {
    "/records": { $type: "array" },
    "/meta/page/cursor": { $type: "string" },
    "/meta/page/more": { $type: "boolean" },
  },
};
