import fc from "fast-check";
import type { JsonObject } from "../oracle/model.js";
import type { OracleCommand } from "../oracle/world.js";
import type { OracleWrite } from "../oracle/write.js";
import { oneOf, personArbitrary } from "./people.js";

const ID = oneOf(["p1", "p2", "n1"]);

export function writeArbitrary(
  record: fc.Arbitrary<JsonObject> = personArbitrary(),
): fc.Arbitrary<OracleWrite> {
  const table = "people";
  const named = fc.record({ id: ID, record });
  return fc.oneof(
    fc
      .tuple(oneOf(["update", "put", "upsert"] as const), named)
      .map(([kind, write]): OracleWrite => ({ kind, table, ...write })),
    named.map(
      ({ id, record: own }): OracleWrite => ({ kind: "insert", table, records: [{ id, ...own }] }),
    ),
    ID.map((id): OracleWrite => ({ kind: "delete", table, id })),
  );
}

export function batchArbitrary(): fc.Arbitrary<readonly JsonObject[]> {
  const record = fc.tuple(oneOf(["p1", "n1", "n2", "n3"]), personArbitrary());
  const records = record.map(([id, own]): JsonObject => ({ id, ...own }));
  return fc.array(records, { minLength: 2, maxLength: 3 });
}

export const BAD: readonly JsonObject[] = [
  { age: 1.5 },
  { age: "1" },
  { name: 1 },
  { at: "2020-02-30T00:00:00Z" },
  { labels: "a" },
  { labels: [1] },
  { place: { nope: 1 } },
  { nope: 1 },
];

export function arithmeticArbitrary(): fc.Arbitrary<OracleWrite> {
  const operators = oneOf(["$increment", "$decrement", "$multiply"]);
  return fc.tuple(operators, fc.integer({ min: -3, max: 3 })).map(([operator, operand]) => {
    const record = { age: { [operator]: operand } };
    return { kind: "update", table: "people", id: "p1", record };
  });
}

export function branchCommand(branch: fc.Arbitrary<string>): fc.Arbitrary<OracleCommand> {
  const from = fc.option(branch, { nil: undefined });
  return fc.oneof(
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant("branch" as const), branch, from }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("drop branch" as const), branch }) },
  );
}

/** No rule defines renaming a table to its own name. */
export function tableCommand(
  table: fc.Arbitrary<string>,
  branch: fc.Arbitrary<string> = fc.constant("main"),
): fc.Arbitrary<OracleCommand> {
  const rename = fc.record({
    kind: fc.constant("rename table" as const),
    branch,
    table,
    name: table,
  });
  return fc.oneof(
    fc.record({ kind: oneOf(["table", "table", "drop table"] as const), branch, table }),
    rename.filter((command) => command.name !== command.table),
  );
}

export function mapCommand(
  git: fc.Arbitrary<string>,
  branch: fc.Arbitrary<string>,
): fc.Arbitrary<OracleCommand> {
  return fc.oneof(
    { weight: 2, arbitrary: fc.record({ kind: fc.constant("map" as const), git, branch }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("unmap" as const), git }) },
  );
}

/** Changes of tables and columns, whose names are the same few. */
export function changeCommand(
  name: fc.Arbitrary<string>,
  branch: fc.Arbitrary<string>,
): fc.Arbitrary<OracleCommand> {
  const parts = { branch, table: name };
  const column = fc.record({ name, type: oneOf(["int", "string"] as const) });
  return fc.oneof(
    { weight: 2, arbitrary: fc.record({ kind: fc.constant("table" as const), ...parts }) },
    fc.record({ kind: fc.constant("rename table" as const), ...parts, name }),
    fc.record({ kind: fc.constant("drop table" as const), ...parts }),
    { weight: 3, arbitrary: fc.record({ kind: fc.constant("column" as const), ...parts, column }) },
    fc.record({ kind: fc.constant("rename column" as const), ...parts, column: name, name }),
    fc.record({ kind: fc.constant("drop column" as const), ...parts, column: name }),
  );
}

/** A page of one of two clients: the first of a table, or the one after its latest. */
export interface PageCommand {
  readonly kind: "page";
  readonly client: number;
  readonly branch: string;
  readonly table: string;
  readonly size: number;
}

export type ProgramStep = OracleCommand | PageCommand;

const NAMES = ["t", "u"];

/** Programs of two clients: branches, schema changes, writes, transactions, mappings and pages. */
export function programArbitrary(): fc.Arbitrary<readonly ProgramStep[]> {
  const [branch, table] = [oneOf(["main", "dev"]), oneOf(NAMES)];
  const fields = fc.record({ t: oneOf([0, 1, 2]), u: oneOf([0, 1]) }, { requiredKeys: [] });
  const writeTo = (name: string): fc.Arbitrary<OracleWrite> =>
    writeArbitrary(fields as fc.Arbitrary<JsonObject>).map((write) => ({ ...write, table: name })); // without undefined
  const write = table.chain(writeTo);
  const part = write.filter(
    ({ kind }) => kind === "insert" || kind === "update" || kind === "delete",
  );
  const parts = fc.array(part, { minLength: 1, maxLength: 3 });
  const page = {
    ...{ kind: fc.constant("page" as const), client: fc.nat({ max: 1 }), table },
    branch: oneOf(["main", "main", "dev"]),
  };
  const step = fc.oneof<fc.WeightedArbitrary<ProgramStep>[]>(
    { weight: 2, arbitrary: branchCommand(branch) },
    { weight: 6, arbitrary: changeCommand(table, branch) },
    {
      weight: 8,
      arbitrary: fc.record({ kind: fc.constant("write" as const), branch, write }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant("transaction" as const), branch, writes: parts }),
    },
    { weight: 2, arbitrary: mapCommand(oneOf(["dev", "git"]), branch) },
    { weight: 12, arbitrary: fc.record({ ...page, size: fc.integer({ min: 1, max: 3 }) }) },
  );
  const begin = NAMES.flatMap((name): ProgramStep[] => {
    const made = { branch: "main", table: name };
    const records = ["p1", "p2", "p3"].map((id, i) => ({ id, [name]: i }));
    return [
      { kind: "table", ...made },
      { kind: "column", ...made, column: { name, type: "int" } },
      { kind: "write", branch: "main", write: { kind: "insert", table: name, records } },
    ];
  });
  // Biased to small programs most would have no effect.
  return fc
    .noBias(fc.array(step, { maxLength: 20, size: "max" }))
    .map((steps) => [...begin, ...steps]);
}
