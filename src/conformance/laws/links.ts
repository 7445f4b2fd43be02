import fc from "fast-check";
import type { Json } from "../../types.js";
import { oneOf } from "../arbitraries/people.js";
import { repairLinks } from "../arbitraries/repair-links.js";
import type { JsonObject } from "../oracle/model.js";
import type { OracleWrite } from "../oracle/write.js";
import type { Fixture, FixtureTable } from "../target/target.js";
import type { Law } from "./law.js";
import { commandLaw } from "./writes.js";

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

function linkTo(table: TableName): fc.Arbitrary<Json | undefined> {
  return fc.option(oneOf<Json>([...IDS[table], "gone", null]), { nil: undefined });
}

function recordArbitrary(table: TableName): fc.Arbitrary<JsonObject> {
  const links =
    table === "teams"
      ? { lead: linkTo("people") }
      : { team: linkTo("teams"), boss: linkTo("people"), place: placeArbitrary() };
  return fc.record<{ [key: string]: Json | undefined }>(links).map(withoutAbsent);
}

function placeArbitrary(): fc.Arbitrary<Json | undefined> {
  const place = linkTo("teams").map((club) => withoutAbsent({ club }));
  return fc.option(place, { nil: undefined });
}

function withoutAbsent(record: { readonly [key: string]: Json | undefined }): JsonObject {
  const given = Object.entries(record).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as JsonObject; // without undefined
}

const TABLE = oneOf<TableName>(["teams", "people"]);

function writeArbitrary(kinds: readonly OracleWrite["kind"][]): fc.Arbitrary<OracleWrite> {
  return fc.tuple(oneOf(kinds), TABLE).chain(([kind, table]): fc.Arbitrary<OracleWrite> => {
    const id = oneOf(IDS[table]);
    if (kind === "delete") return id.map((one) => ({ kind, table, id: one }));
    const named = fc.record({ id, record: recordArbitrary(table) });
    if (kind !== "insert") return named.map((one) => ({ kind, table, ...one }));
    return named.map(({ id: one, record }) => ({ kind, table, records: [{ ...record, id: one }] }));
  });
}

function fixtureArbitrary(): fc.Arbitrary<Fixture> {
  const recordsOf = (table: TableName) => {
    const all = IDS[table].map((id) => recordArbitrary(table).map((record) => ({ ...record, id })));
    return fc.tuple(...all).chain((records) => fc.subarray<JsonObject>(records, { minLength: 1 }));
  };
  return fc
    .record({ teams: recordsOf("teams"), people: recordsOf("people") })
    .map(({ teams, people }) => ({
      tables: repairLinks([
        { name: "teams", columns: TEAMS, records: teams },
        { name: "people", columns: PEOPLE, records: people },
      ]),
    }));
}

export const LINK_LAWS: readonly Law[] = [
  commandLaw({
    id: "links-equal-the-oracle",
    title: "links are checked, and become null with their record, as the oracle says",
    rules: ["T-18", "T-9", "R-2", "X-3"],
    tier: "strict",
    needs: ["records", "transaction"],
    cases: () => {
      const branch = "main";
      const one = writeArbitrary([
        "insert",
        "update",
        "put",
        "upsert",
        "delete",
        "delete",
        "delete",
        "delete",
      ]);
      const part = writeArbitrary(["insert", "update", "delete"]);
      const batch = TABLE.chain((table) =>
        fc
          .tuple(...IDS[table].map((id) => recordArbitrary(table).map((own) => ({ ...own, id }))))
          .map((records): OracleWrite => ({ kind: "insert", table, records })),
      );
      const command = fc.oneof(
        { weight: 3, arbitrary: one.map((write) => ({ kind: "write", branch, write }) as const) },
        { weight: 1, arbitrary: batch.map((write) => ({ kind: "write", branch, write }) as const) },
        {
          weight: 2,
          arbitrary: fc
            .array(part, { minLength: 1, maxLength: 4 })
            .map((writes) => ({ kind: "transaction", branch, writes }) as const),
        },
      );
      return fc.record({
        fixture: fixtureArbitrary(),
        commands: fc.array(command, { minLength: 1, maxLength: 4 }),
      });
    },
  }),
];
