import type { Json } from "../../types.js";
import type { Fixture } from "../target/target.js";
import { isObject } from "./pattern.js";
import type { FailedStep } from "./run.js";
import type { Expectation, VectorStep } from "./vector.js";

export interface VectorCase {
  readonly fixture: Fixture;
  readonly steps: readonly VectorStep[];
}

/** Removes records on which the expectations don't depend, as long as the last step still fails. */
export async function shrinkCase(
  given: VectorCase,
  run: (smaller: VectorCase) => Promise<FailedStep | undefined>,
): Promise<VectorCase> {
  if (!given.steps.every(isIndependent)) return given;
  const fails = async (candidate: VectorCase): Promise<boolean> =>
    (await run(candidate))?.step === given.steps.length - 1;
  let smallest = given;
  for (let shrunk = true; shrunk; ) {
    shrunk = false;
    const records = smallest.fixture.tables.flatMap((table) => table.records);
    for (const { id } of records.reverse()) {
      const candidate = removeRecord(smallest, String(id));
      if (!(await fails(candidate))) continue;
      smallest = candidate;
      shrunk = true;
      break;
    }
  }
  return smallest;
}

const REFUSAL: readonly string[] = ["status", "fails", "error"];
const BY_RECORD: readonly string[] = ["status", "ids", "records"];

function isIndependent({ method, path, body, expect, capture }: VectorStep): boolean {
  if (capture !== undefined || method !== "POST" || !path.endsWith("/query")) return false;
  const keys = Object.keys(expect);
  if (keys.every((key) => REFUSAL.includes(key))) return true;
  const pages = isObject(body) && Object.hasOwn(body, "page");
  return !pages && keys.every((key) => BY_RECORD.includes(key));
}

function removeRecord({ fixture, steps }: VectorCase, id: string): VectorCase {
  const records = fixture.tables.flatMap((table) => table.records);
  const gone = new Set([id]);
  for (let before = 0; gone.size > before; ) {
    before = gone.size;
    for (const record of records) {
      if ([...gone].some((each) => mentions(record, each))) gone.add(String(record.id));
    }
  }
  return {
    fixture: {
      tables: fixture.tables.map((table) => ({
        ...table,
        records: table.records.filter((record) => !gone.has(String(record.id))),
      })),
    },
    steps: steps.map((step) => ({ ...step, expect: withoutRecords(step.expect, gone) })),
  };
}

function mentions(value: Json, id: string): boolean {
  if (typeof value !== "object" || value === null) return value === id;
  return Object.values(value).some((member: Json) => mentions(member, id));
}

function withoutRecords(expect: Expectation, gone: ReadonlySet<string>): Expectation {
  const others = <T extends Json>(list: readonly T[]): T[] =>
    list.filter((entry) => !gone.has(String(isObject(entry) ? entry.id : entry)));
  const { ids, records } = expect;
  return {
    ...expect,
    ...(ids?.exact && { ids: { exact: others(ids.exact) } }),
    ...(ids?.unordered && { ids: { unordered: others(ids.unordered) } }),
    ...(records && { records: { exact: others(records.exact) } }),
  };
}
