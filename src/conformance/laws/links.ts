import fc from "fast-check";
import type { Json } from "../../types.js";
import { oneOf } from "../arbitraries/people.js";
import { repairLinks } from "../arbitraries/repair-links.js";
import type { JsonObject } from "../oracle/model.js";
import type { OracleWrite } from "../oracle/write.js";
import type { Fixture, FixtureTable } from "../target/target.js";
import type { Law } from "./law.js";
import { commandLaw, writesIn } from "./writes.js";

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

const IDS = { teams: ["t1", "t2"], people: ["p1", "p2"] } as const;
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
function recordsOf(table: TableName): fc.Arbitrary<JsonObject[]> {
  const all = IDS[table].map((id) => RECORDS[table].map((record) => ({ ...record, id })));
  return fc.tuple(...all);
}

const TABLE = oneOf<TableName>(["teams", "people"]);

function writeArbitrary(kinds: readonly OracleWrite["kind"][]): fc.Arbitrary<OracleWrite> {
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
      recordsOf(name).chain((records) => fc.subarray(records, { minLength: 1 })),
    ),
  )
  .map(([teams = [], people = []]) => ({
    tables: repairLinks([
      { name: "teams", columns: TEAMS, records: teams },
      { name: "people", columns: PEOPLE, records: people },
    ]),
  }));

export const LINK_LAWS: readonly Law[] = [
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
        recordsOf(table).map((records): OracleWrite => ({ kind: "insert", table, records })),
      );
      return fc.noBias(
        fc.record({ fixture: FIXTURE, commands: writesIn(writeArbitrary(kinds), batch) }),
      );
    },
  }),
];
