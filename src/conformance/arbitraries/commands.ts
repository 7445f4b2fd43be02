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
