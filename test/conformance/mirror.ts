import type { GeneratedBranch } from "../../src/conformance/arbitraries/cases.js";
import { CLOCK_START, CLOCK_TICK } from "../../src/conformance/arbitraries/domains.js";
import type { OraclePage } from "../../src/conformance/oracle/evaluate.js";
import { type OracleDatabase, requireTable } from "../../src/conformance/oracle/model.js";
import { projectRecord } from "../../src/conformance/oracle/project.js";
import { applyWrite, type OracleWrite } from "../../src/conformance/oracle/write.js";
import { enableFiles } from "../../src/files.js";
import {
  type AnyBranch,
  createEngine,
  type IndexOption,
  type QueryRequest,
  type QueryResult,
  TwinbaseError,
} from "../../src/index.js";
import { resolveProfile } from "../../src/profile.js";

/** An engine and the oracle's database, written to alike. */
export interface Mirror {
  readonly branch: AnyBranch;
  db: OracleDatabase;
  /** The time of both, in milliseconds. */
  time: number;
}

/** Every record there is, as a page size that only the oracle takes. */
export const WHOLE = 1e9;
/** Above so many records the whole of an answer is compared by its ids. */
const FEW = 100;

/** Makes both sides of a generated branch. */
export function openMirror(generated: GeneratedBranch, indexes: IndexOption): Mirror {
  let mirror: Mirror | undefined;
  const engine = enableFiles(
    createEngine({
      profile: generated.profile,
      seed: 7,
      now: () => mirror?.time ?? CLOCK_START,
      indexes,
    }),
  );
  const branch = engine.createWorkspace("w").createDatabase("d").branch("main");
  mirror = {
    branch,
    time: CLOCK_START,
    db: {
      profile: resolveProfile(generated.profile),
      tables: generated.tables.map((table) => ({ ...table, records: [] })),
    },
  };
  for (const { name, columns } of generated.tables) branch.createTable(name, [...columns]);
  for (const [i, { name }] of generated.tables.entries()) {
    const records = generated.records[name] ?? [];
    // The other way in, beside one record at a time.
    if (i === 1 || records.length > FEW) {
      branch.table(name).load(records);
      applyToOracle(mirror, { kind: "insert", table: name, records });
      continue;
    }
    for (const [j, record] of records.entries()) {
      mirror.time += CLOCK_TICK * (j % 2);
      writeBoth(mirror, { kind: "insert", table: name, records: [record] });
    }
  }
  return mirror;
}

function applyToOracle(mirror: Mirror, write: OracleWrite): string | undefined {
  const outcome = applyWrite(mirror.db, write, mirror.time);
  if (typeof outcome === "string") return outcome;
  mirror.db = outcome;
  return undefined;
}

/** Writes to both, and compares what comes back. */
export function writeBoth(mirror: Mirror, write: OracleWrite): void {
  const before = requireTable(mirror.db, write.table).records;
  const refused = applyToOracle(mirror, write);
  const outcome = attempt(() => writeToEngine(mirror.branch, write));
  const context = { write };
  if (refused !== undefined || outcome.code !== undefined) {
    same(outcome.code, refused, { ...context, message: outcome.message });
    return;
  }
  const id = (wanted: unknown): unknown => {
    const records = requireTable(mirror.db, write.table).records;
    const record = records.find((candidate) => candidate.id === wanted);
    return record && projectRecord(mirror.db, write.table, undefined, record);
  };
  if (write.kind === "insert")
    same(
      outcome.value,
      write.records.map((given) => id(given.id)),
      context,
    );
  else if (write.kind !== "delete") same(outcome.value, id(write.id), context);
  else
    same(
      outcome.value,
      before.some((record) => record.id === write.id),
      context,
    );
}

function writeToEngine(branch: AnyBranch, write: OracleWrite): unknown {
  const table = branch.table(write.table);
  switch (write.kind) {
    case "insert":
      return write.records.length === 1
        ? [table.insert(write.records[0]!)]
        : table.insert([...write.records]);
    case "delete":
      return table.delete(write.id);
    default:
      return table[write.kind](write.id, write.record);
  }
}

/** Whether the oracle takes long over the whole of a table. */
export function isLarge(mirror: Mirror, table: string): boolean {
  return requireTable(mirror.db, table).records.length > FEW;
}

/** The engine's answer to a query that it must not refuse. */
export function ask(
  mirror: Mirror,
  table: string,
  query: QueryRequest,
  context: object,
): QueryResult {
  const outcome = attempt(() => mirror.branch.table(table).query(query));
  if (outcome.value === undefined) return fail(`refused: ${outcome.message}`, query, context);
  return outcome.value;
}

/** Compares a page's records, `more` and size. */
export function comparePage(answer: QueryResult, expected: OraclePage, context: object): void {
  same(answer.records, expected.records, context);
  const { cursor, more, size } = answer.meta.page;
  same({ more, size }, { more: expected.more, size: expected.size }, context);
  if (!/^[\w-]+$/.test(cursor)) fail("not a cursor's text (G-4)", cursor, context);
}

export interface Attempt<T> {
  readonly value?: T;
  readonly code?: string;
  readonly message?: string;
}

/** A refusal as its code; any other error is a bug and is thrown on. */
export function attempt<T>(call: () => T): Attempt<T> {
  try {
    return { value: call() };
  } catch (error) {
    if (!(error instanceof TwinbaseError)) throw error;
    return { code: error.code, message: `${error.code}: ${error.message} (${error.rule})` };
  }
}

/** Equality as JSON text, which is also that of the keys' order (P-10); −0 is not 0 here. */
export function same(actual: unknown, expected: unknown, context: object): void {
  const render = (value: unknown): string =>
    JSON.stringify(value, (_, inner) => (Object.is(inner, -0) ? "-0" : inner)) ?? "nothing";
  const [left, right] = [render(actual), render(expected)];
  if (left === right) return;
  fail(`the engine gave\n  ${left}\nthe rules give\n  ${right}`, undefined, context);
}

/** Ends a comparison that found a difference. */
export function fail(message: string, found: unknown, context: object): never {
  const shown = found === undefined ? "" : `\n  ${JSON.stringify(found)}`;
  throw new Error(`${message}${shown}\nfor ${JSON.stringify(context)}`);
}
