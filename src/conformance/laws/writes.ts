import fc from "fast-check";
import type { Json } from "../../types.js";
import type { LawCase } from "../arbitraries/cases.js";
import { arithmeticArbitrary, batchArbitrary, writeArbitrary } from "../arbitraries/commands.js";
import { fixtureArbitrary, oneOf } from "../arbitraries/people.js";
import { repairLinks } from "../arbitraries/repair-links.js";
import type { JsonObject } from "../oracle/model.js";
import type { OracleCommand } from "../oracle/world.js";
import type { OracleWrite } from "../oracle/write.js";
import type { Fixture, FixtureTable } from "../target/target.js";
import { compareRecords, play, worldOf } from "./commands.js";
import { defineLaw, type Law, type LawDefinition } from "./law.js";

interface CommandCase extends LawCase {
  readonly commands: readonly OracleCommand[];
}

/** A law of commands: answers and effects equal the oracle's. */
function commandLaw(row: Omit<LawDefinition<CommandCase>, "check">): Law {
  return defineLaw({
    ...row,
    async check(scene, { fixture, commands }) {
      let world = worldOf(scene.traits, fixture);
      for (const command of commands) world = await play(scene, world, command);
      await compareRecords(scene, world, row.title);
    },
  });
}

/** Writes that select columns of their answer, mostly. */
function selecting(write: fc.Arbitrary<OracleWrite>): fc.Arbitrary<OracleWrite> {
  const paths = oneOf(["*", "*", "place.zip", "team", "team.name", "team.*"]);
  const columns = fc.array(paths, { minLength: 1, maxLength: 4 });
  return fc
    .tuple(write, fc.option(columns, { nil: undefined, freq: 5 }))
    .map(([given, some]) => ({ ...given, columns: some }));
}

/** Single writes, batches and transactions in `main`. */
function writesIn(
  one: fc.Arbitrary<OracleWrite>,
  batch: fc.Arbitrary<OracleWrite>,
): fc.Arbitrary<OracleCommand[]> {
  const branch = "main";
  const command = fc.oneof<fc.WeightedArbitrary<OracleCommand>[]>(
    { weight: 3, arbitrary: one.map((write) => ({ kind: "write", branch, write })) },
    { weight: 1, arbitrary: batch.map((write) => ({ kind: "write", branch, write })) },
    {
      weight: 2,
      arbitrary: several(one, 3).map((writes) => ({ kind: "transaction", branch, writes })),
    },
  );
  return several(command, 8);
}

function several<T>(what: fc.Arbitrary<T>, most: number): fc.Arbitrary<T[]> {
  return fc.array(what, { minLength: 1, maxLength: most });
}

export const WRITE_LAWS: readonly Law[] = [
  commandLaw({
    id: "what-is-written-is-read",
    title: "a read returns the last write, and calls that write are whole or nothing",
    rules: [
      ...(["X-1", "R-1", "R-2", "R-3", "R-4", "R-7", "R-9", "T-7", "T-8", "T-9", "T-10"] as const),
      ...(["X-2", "X-3", "R-5", "E-5"] as const),
    ],
    tier: "strict",
    needs: ["records", "transaction"],
    share: 2.5,
    cases: () => {
      const batch = batchArbitrary().map(
        (records): OracleWrite => ({ kind: "insert", table: "people", records }),
      );
      const one = fc.oneof({ weight: 2, arbitrary: writeArbitrary() }, arithmeticArbitrary());
      const commands = writesIn(selecting(one), selecting(batch));
      return fc.noBias(fc.record({ fixture: fixtureArbitrary(2), commands }));
    },
  }),
  commandLaw({
    id: "links-equal-the-oracle",
    title: "links are checked, and become null with their record, as the oracle says",
    rules: ["T-18", "T-9", "R-2", "X-3"],
    tier: "strict",
    needs: ["records", "transaction"],
    share: 2,
    cases: () => {
      const kinds = ["insert", "update", "put", "upsert", "delete", "delete", "delete"] as const;
      const batch = TABLE.chain((table) =>
        linkingRecords(table).map((records): OracleWrite => ({ kind: "insert", table, records })),
      );
      return fc.noBias(
        fc.record({ fixture: FIXTURE, commands: writesIn(linkingWrite(kinds), batch) }),
      );
    },
  }),
];

const TEAMS: FixtureTable["columns"] = [{ name: "lead", type: "link", link: { table: "people" } }];

const PEOPLE: FixtureTable["columns"] = [
  { name: "team", type: "link", link: { table: "teams" } },
  { name: "boss", type: "link", link: { table: "people" } },
  {
    name: "place",
    type: "object",
    columns: [{ name: "club", type: "link", link: { table: "teams" } }],
  },
];

const IDS = { teams: ["t1", "null"], people: ["p1", "p2"] } as const;
type TableName = keyof typeof IDS;

function linkTo(table: TableName): fc.Arbitrary<Json> {
  return oneOf<Json>([...IDS[table], "gone", null]);
}

function some(members: { readonly [key: string]: fc.Arbitrary<Json> }): fc.Arbitrary<JsonObject> {
  return fc.record(members, {
    requiredKeys: [],
    noNullPrototype: true,
  }) as fc.Arbitrary<JsonObject>; // without undefined
}

const RECORDS = {
  teams: some({ lead: linkTo("people") }),
  people: some({
    team: linkTo("teams"),
    boss: linkTo("people"),
    place: some({ club: linkTo("teams") }),
  }),
};

/** A record for each id. */
function linkingRecords(table: TableName): fc.Arbitrary<JsonObject[]> {
  const all = IDS[table].map((id) => RECORDS[table].map((record) => ({ ...record, id })));
  return fc.tuple(...all);
}

const TABLE = oneOf<TableName>(["teams", "people"]);

function linkingWrite(kinds: readonly OracleWrite["kind"][]): fc.Arbitrary<OracleWrite> {
  return fc.tuple(oneOf(kinds), TABLE).chain(([kind, table]): fc.Arbitrary<OracleWrite> => {
    const id = oneOf(IDS[table]);
    if (kind === "delete") return id.map((one) => ({ kind, table, id: one }));
    const named = fc.record({ id, record: RECORDS[table] });
    if (kind !== "insert") return named.map((one) => ({ kind, table, ...one }));
    return named.map(({ id: one, record }) => ({ kind, table, records: [{ ...record, id: one }] }));
  });
}

const FIXTURE: fc.Arbitrary<Fixture> = fc
  .tuple(
    ...(["teams", "people"] as const).map((name) =>
      linkingRecords(name).chain((records) => fc.subarray(records, { minLength: 1 })),
    ),
  )
  .map(([teams = [], people = []]) => ({
    tables: repairLinks([
      { name: "teams", columns: TEAMS, records: teams },
      { name: "people", columns: PEOPLE, records: people },
    ]),
  }));
