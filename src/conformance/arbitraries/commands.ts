import fc from "fast-check";
import type { ColumnDefinition } from "../../types.js";
import type { JsonObject } from "../oracle/model.js";
import type { OracleCommand } from "../oracle/world.js";
import type { OracleWrite } from "../oracle/write.js";
import type { Capability, TargetTraits } from "../target/target.js";
import type { LawCase } from "./cases.js";
import { branchArbitrary } from "./cases.js";
import { RECORD_IDS } from "./domains.js";
import { oneOf, personArbitrary } from "./people.js";
import { type QueryPlan, queryPlanArbitrary } from "./query.js";
import { seedArbitrary } from "./shrinking.js";
import { PAGES, type PageKind, type PageStep } from "./walk.js";

const ID = oneOf(["p1", "p1", "p2", "n1"]);

/** mostly without a condition. */
const VERSION = oneOf([...Array<undefined>(6), 0, 1]);

export function writeArbitrary(): fc.Arbitrary<OracleWrite> {
  const table = "people";
  const nulls = oneOf<JsonObject>([{}, {}, { age: null }, { place: { city: null } }]);
  const record = fc.tuple(personArbitrary(), nulls).map(([own, some]) => ({ ...own, ...some }));
  const named = fc.record({ id: ID, record });
  const conditions = fc.record({
    ifVersion: VERSION,
    createOnly: oneOf([false, false, false, true]),
  });
  const changes = fc
    .tuple(oneOf(["update", "put", "upsert"] as const), named, conditions)
    .map(([kind, write, given]): OracleWrite => ({ kind, table, ...write, ...given }));
  return fc.oneof(
    { weight: 4, arbitrary: changes },
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

export function arithmeticArbitrary(): fc.Arbitrary<OracleWrite> {
  const operators = oneOf(["$increment", "$increment", "$decrement", "$multiply"]);
  const by = fc.tuple(operators, fc.integer({ min: -3, max: 3 }));
  return fc.record({
    kind: oneOf(["update", "update", "upsert"] as const),
    table: fc.constant("people"),
    id: oneOf(["p1", "p1", "n1"]),
    record: by.map(([operator, operand]) => ({ age: { [operator]: operand } })),
    ifVersion: VERSION,
  });
}

export function branchCommand(branch: fc.Arbitrary<string>): fc.Arbitrary<OracleCommand> {
  const from = fc.option(branch, { nil: undefined });
  return fc.oneof(
    { weight: 2, arbitrary: fc.record({ kind: fc.constant("branch" as const), branch, from }) },
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

export function columnCommand(
  table: fc.Arbitrary<string>,
  name: fc.Arbitrary<string>,
  branch: fc.Arbitrary<string>,
): fc.Arbitrary<OracleCommand> {
  const parts = { branch, table };
  const column = fc.record({ name, type: oneOf(["int", "string"] as const) });
  const rename = { kind: fc.constant("rename column" as const), ...parts, column: name, name };
  return fc.oneof(
    { weight: 2, arbitrary: fc.record({ kind: fc.constant("column" as const), ...parts, column }) },
    { weight: 2, arbitrary: fc.record(rename) },
    fc.record({ kind: fc.constant("drop column" as const), ...parts, column: name }),
  );
}

/** A page of one of two clients: of a new query, or relative to its earlier pages. */
export interface PageCommand {
  readonly kind: "page";
  readonly client: number;
  readonly branch: string;
  readonly seed: number;
  readonly query: QueryPlan | undefined;
  readonly step: PageStep;
}

/** Writes of one call, for the tables of the branch at that time. */
export interface WriteCommand {
  readonly kind: "writes";
  readonly branch: string;
  readonly seeds: readonly number[];
  readonly whole: boolean;
}

export type ProgramStep = OracleCommand | PageCommand | WriteCommand;

export interface Program extends LawCase {
  readonly steps: readonly ProgramStep[];
}

/** Programs of two clients: queries, pages and writes of generated tables, and what else a target has. */
export function programArbitrary({ profile, capabilities }: TargetTraits): fc.Arbitrary<Program> {
  const [branch, seed, table] = [
    oneOf(["main", "main", "main", "copy"]),
    seedArbitrary(),
    oneOf(["t", "u"]),
  ];
  const mark = fc.nat({ max: 4 });
  const kinds = Object.keys(PAGES) as PageKind[]; // its keys
  const kind = oneOf([...Array<PageKind>(4).fill("next"), ...kinds]);
  const writes = { kind: fc.constant("writes" as const), branch };
  const one = fc.tuple(seed);
  const parts: readonly (readonly [Capability, number, fc.Arbitrary<ProgramStep>])[] = [
    [
      ...(["records", 18] as const),
      fc.record({
        kind: fc.constant("page" as const),
        client: fc.nat({ max: 1 }),
        branch,
        seed,
        query: fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, queryPlanArbitrary()),
        step: fc.record({ kind, of: mark, until: mark }),
      }),
    ],
    ["records", 8, fc.record({ ...writes, seeds: one, whole: fc.constant(false) })],
    [
      ...(["transaction", 2] as const),
      fc.record({
        ...{ ...writes, whole: fc.constant(true) },
        seeds: fc.array(seed, { minLength: 1, maxLength: 3 }),
      }),
    ],
    ["branches", 2, branchCommand(oneOf(["main", "copy"]))],
    ["tables", 3, tableCommand(table, branch)],
    ["schema", 4, columnCommand(oneOf(["t", "t", "people"]), oneOf(["t", "n"]), branch)],
    ["mappings", 2, mapCommand(oneOf(["copy", "git"]), branch)],
  ];
  const step = fc.oneof(
    ...parts
      .filter(([capability]) => capabilities.has(capability))
      .map(([, weight, arbitrary]) => ({ weight, arbitrary })),
  );
  const plan = {
    generated: branchArbitrary({ profiles: [profile], records: 10 }),
    steps: fc.array(step, { maxLength: 40, size: "max" }),
  };
  // Biased to small programs most would have no effect.
  return fc.noBias(fc.record(plan)).map(({ generated, steps }) => {
    const { tables } = generated.fixture;
    const columns: ColumnDefinition[] = [{ name: "t", type: "int" }];
    const records = RECORD_IDS.slice(0, 3).map((id, i) => ({ id, t: i }));
    return { fixture: { tables: [...tables, { name: "t", columns, records }] }, steps };
  });
}
