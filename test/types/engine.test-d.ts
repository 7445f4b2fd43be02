import { importEngine } from "../../src/export.js";
import {
  type AnyBranch,
  type AnyEngine,
  type AnyRecord,
  type AnyShape,
  type AnyTable,
  type Branch,
  type ColumnDefinition,
  type ColumnsOf,
  createEngine,
  type DocumentedProfile,
  type Engine,
  type EngineOptions,
  type FilterOf,
  type InsertOf,
  type PlanDescription,
  type ProfileShape,
  type QueryOf,
  type QueryRequest,
  type RecordMetadata,
  type RecordOf,
  type ShapeOf,
  type SortOf,
  type TypedBranch,
  type TypedTable,
  type UpdateOf,
  type XataProfile,
} from "../../src/index.js";
import { same } from "./fixture.js";

const engine = createEngine();
const shop = engine.createWorkspace("acme").createDatabase("shop");
const main = shop.branch("main");
const { regions, teams, users } = main.createTables({
  users: [
    { name: "email", type: "email", notNull: true },
    { name: "age", type: "int" },
    { name: "score", type: "float" },
    { name: "active", type: "bool" },
    { name: "joined", type: "datetime" },
    { name: "labels", type: "multiple" },
    { name: "settings", type: "json" },
    { name: "team", type: "link", link: { table: "teams" } },
    { name: "address", type: "object", columns: [{ name: "zip", type: "int" }] },
  ],
  teams: [
    { name: "name", type: "string" },
    { name: "region", type: "link", link: { table: "regions" } },
  ],
  regions: [
    { name: "name", type: "string", notNull: true },
    { name: "owner", type: "link", link: { table: "users" } },
  ],
});
type User = ShapeOf<typeof users>;
same<typeof engine, Engine>();
same<typeof main, Branch<DocumentedProfile>>();

// The tests of records, links, filters, sorts and writes hold for its tables.
same<(typeof main)["createTables"], TypedBranch["createTables"]>();
same<(typeof main)["createTable"], TypedBranch["createTable"]>();
const [first] = users.insert([{ email: "a@b.c" }], { columns: [] });
same<typeof first, { id: string; service: RecordMetadata } | undefined>();
declare const oneOrMany: InsertOf<User> | readonly InsertOf<User>[];
const either = users.insert(oneOrMany);
same<typeof either, RecordOf<User> | RecordOf<User>[]>();
// @ts-expect-error neither an object nor objects
users.insert("ada");
// @ts-expect-error the items are no records
users.insert(["ada"]);

// Types for declarations in a program.
({ email: "a@b.c", "address.zip": 5 }) satisfies InsertOf<User>;
({ age: { $increment: 1 }, address: null }) satisfies UpdateOf<User>;
({ "team.region.owner.age": { $lt: 5 } }) satisfies FilterOf<User, 3>;
({ "team.name": "asc" }) satisfies SortOf<User>;
"team.name" satisfies ColumnsOf<User>;
({ columns: ["email"], filter: { age: [5, 6] } }) satisfies QueryOf<User>;
const plan = users.explain({ filter: { id: "rec_1" } });
same<typeof plan, PlanDescription>();
same<ShapeOf<typeof teams>["name"], "teams">();

// groups have their columns and aggregates.
const groups = users.summarize({
  columns: ["age", "team.name", "address"],
  filter: { active: true, "team.region.name": "A" },
  summaries: {
    all: { count: "*" },
    teams: { count: "team" },
    best: { max: "score" },
    first: { min: "joined" },
    mean: { average: "team.region.owner.age" },
  },
  summariesFilter: { all: { $gt: 1 } },
  sort: [{ best: "desc" }, "age"],
  page: { size: 5 },
}).summaries;
same<
  (typeof groups)[number],
  {
    age: number | null;
    team: { name: string | null };
    address: { zip: number | null };
    all: number;
    teams: number;
    best: number | null;
    first: string | null;
    mean: number | null;
  }
>();
const wide = users.summarize({ columns: ["id", "team", "team.region.*", "email"] }).summaries;
same<
  (typeof wide)[number],
  {
    id: string;
    email: string;
    team: {
      id: string | null;
      region: { name: string | null; owner: { id: string } | null };
    };
  }
>();
const [whole] = users.summarize({ summaries: { age: { sum: "score" } } }).summaries;
same<typeof whole, { age: number | null } | undefined>();
const starred = regions.summarize({ columns: ["*"] }).summaries;
same<(typeof starred)[number], { name: string; owner: { id: string } | null }>();
// @ts-expect-error
users.summarize({ columns: ["nope"] });
// @ts-expect-error
users.summarize({ columns: [{ name: "<-regions.owner" }] });
// @ts-expect-error
users.summarize({ filter: { nope: 5 } });
// @ts-expect-error
users.summarize({ summaries: { x: { sum: "nope" } } });
// @ts-expect-error
users.summarize({ summaries: { x: { sum: "email" } } });
// @ts-expect-error
users.summarize({ summaries: { x: { min: "active" } } });
// @ts-expect-error
users.summarize({ summaries: { x: { median: "age" } } });

// aggregations likewise.
const { aggs } = users.aggregate({
  filter: { "team.region.owner.age": 5 },
  aggs: {
    all: { count: "*" },
    some: { count: { filter: { age: { $gt: 5 }, $any: [{ "team.region.name": "A" }] } } },
    sum: { sum: { column: "team.region.owner.score" } },
    kinds: { uniqueCount: { column: "labels" } },
    parts: { percentiles: { column: "age", percentiles: [50, 99] } },
    months: {
      dateHistogram: {
        column: "joined",
        calendarInterval: "month",
        aggs: {
          top: { topValues: { column: "active", size: 1 } },
          mean: { average: { column: "age" } },
        },
      },
    },
    ages: { numericHistogram: { column: "age", interval: 10 } },
    teams: { topValues: { column: "team" } },
  },
});
same<
  typeof aggs,
  {
    all: number;
    some: number;
    sum: number | null;
    kinds: number;
    parts: { values: { [percentile: string]: number | null } };
    months: {
      values: {
        $key: string;
        $count: number;
        top: { values: { $key: boolean; $count: number }[] };
        mean: number | null;
      }[];
    };
    ages: { values: { $key: number; $count: number }[] };
    teams: { values: { $key: string; $count: number }[] };
  }
>();
// @ts-expect-error
users.aggregate({ aggs: { x: { sum: { column: "nope" } } } });
// @ts-expect-error
users.aggregate({ aggs: { x: { sum: { column: "email" } } } });
// @ts-expect-error
users.aggregate({ aggs: { x: { dateHistogram: { column: "age", interval: "1d" } } } });
users.aggregate({
  // @ts-expect-error
  aggs: { x: { topValues: { column: "age", aggs: { y: { sum: { column: "nope" } } } } } },
});
// @ts-expect-error
users.aggregate({ aggs: { x: { count: { filter: { nope: 5 } } } } });
// @ts-expect-error
users.aggregate({ aggs: { x: { topValues: { column: "age", sise: 5 } } } });
// @ts-expect-error
users.aggregate({ filter: { nope: 5 } });

// A table made alone, and one found by name.
const alone = main.createTable("alone", [{ name: "size", type: "int" }]);
const found = shop.createBranch("dev", { from: "main" }).table<User>("users");
same<typeof found, typeof users>();
const unknown = main.table("users");
same<typeof unknown, TypedTable>();
const record = unknown.insert({ anything: 5 });
same<typeof record, AnyRecord>();
declare const request: QueryRequest;
unknown.query(request).meta.page.more satisfies boolean;
unknown.summarize({ columns: ["a"], summaries: { b: { count: "*" } } })
  .summaries satisfies object[];

// the profile names the metadata column, through all handles and forks.
const xata = createEngine({ profile: "xata", seed: 1 });
same<typeof xata, Engine<XataProfile>>();
const foreign = xata
  .fork()
  .createWorkspace("w")
  .createDatabase("d")
  .createBranch("b")
  .createTables({
    users: [
      { name: "email", type: "email" },
      { name: "settings", type: "json" },
      { name: "bio", type: "text" },
      { name: "boss", type: "link", link: { table: "users" } },
    ],
  }).users;
// F-1, P-6: under `xata`, `$existsNot`, and a bare link with all columns of its record.
foreign.count({ $existsNot: "boss.email", boss: { $existsNot: ["email"] } });
// @ts-expect-error
foreign.count({ $existsNot: "nope" });
const [bossed] = foreign.query({ columns: ["boss"] }).records;
same<
  NonNullable<typeof bossed>["boss"],
  | {
      id: string;
      email?: string;
      settings?: string;
      bio?: string;
      boss?: { id: string };
      xata?: RecordMetadata;
    }
  | undefined
>();
// under `xata`, aggregations have no links.
foreign.aggregate({ aggs: { mails: { uniqueCount: { column: "email" } } } });
// @ts-expect-error
foreign.aggregate({ aggs: { bosses: { topValues: { column: "boss" } } } });
// @ts-expect-error
foreign.aggregate({ aggs: { mails: { uniqueCount: { column: "boss.email" } } } });
// nor `topValues` of text.
foreign.aggregate({ aggs: { mails: { topValues: { column: "email" } } } });
// @ts-expect-error
foreign.aggregate({ aggs: { bios: { topValues: { column: "bio" } } } });
// nor are ids and metadata operands of summaries, nor metadata those of `dateHistogram`.
foreign.summarize({ summaries: { all: { count: "*" }, bosses: { count: "boss" } } });
foreign.aggregate({ aggs: { latest: { max: { column: "xata.version" } } } });
// @ts-expect-error
foreign.summarize({ summaries: { ids: { count: "id" } } });
// @ts-expect-error
foreign.summarize({ summaries: { ids: { max: "boss.id" } } });
// @ts-expect-error
foreign.summarize({ summaries: { latest: { max: "boss.xata.version" } } });
const byDay = { column: "xata.createdAt", interval: "1d" } as const;
// @ts-expect-error
foreign.aggregate({ aggs: { days: { dateHistogram: byDay } } });
const short = xata.workspace("w").database("d").branch("b");
const kept = short.createTable("a", [{ name: "a", type: "int" }]).get("rec_1");
same<typeof kept, { id: string; a?: number; xata: RecordMetadata } | null>();
const changed = createEngine({ profile: { metadataColumn: "meta" } }).createWorkspace("w");
const its = changed.createDatabase("d").branch("main");
const own = its.createTable("a", [{ name: "a", type: "int" }]);
same<ReturnType<typeof own.update>["meta"], RecordMetadata>();

// A profile known only at run time makes tables untyped.
declare const options: EngineOptions;
const vague = createEngine(options);
same<typeof vague, Engine<ProfileShape>>();
const vagueTables = vague
  .createWorkspace("w")
  .createDatabase("d")
  .branch("main")
  .createTables({
    a: [{ name: "a", type: "int" }],
  });
const vagueRecord = vagueTables.a.get("rec_1");
same<typeof vagueRecord, AnyRecord | null>();
const imported = importEngine("");
same<typeof imported, Engine<ProfileShape>>();
const importedAs = importEngine<DocumentedProfile>("");
same<typeof importedAs, Engine>();
declare const columns: ColumnDefinition[];
const untyped = main.createTable("untyped", columns);
same<typeof untyped, TypedTable<AnyShape>>();
createEngine({ profile: { base: "xata", maxPageSize: 200 }, now: () => 5, limits: { columns: 5 } });
// @ts-expect-error
createEngine({ profile: "nope" });
// @ts-expect-error
createEngine({ profile: { metadataColum: "meta" } });
// @ts-expect-error
createEngine({ sede: 1 });

// Code for any profile takes AnyEngine and its handles.
const engines: AnyEngine[] = [engine, xata, vague, createEngine({ profile: { base: "xata" } })];
const branches: AnyBranch[] = [main, short];
const tables: AnyTable[] = [users, teams, alone, foreign, own, vagueTables.a, unknown, untyped];
same<(typeof branches)[number] | (typeof tables)[number], AnyBranch | AnyTable>();
for (const one of engines) {
  const table = one.fork().workspace("w").createDatabase("d").createBranch("b").createTable("t");
  same<typeof table, AnyTable>();
}
// @ts-expect-error
xata satisfies Engine;
// @ts-expect-error
users satisfies typeof teams;
