import type { Table } from "../../src/engine/table.js";
import type { Profile, ProfileName, ProfileOption } from "../../src/profile.js";
import type { TypedBranch } from "../../src/typed/branch.js";
import type { RecordOf } from "../../src/typed/record.js";
import type { ColumnsOf } from "../../src/typed/selection.js";
import type {
  DocumentedProfile,
  ProfileShape,
  ProfileShapeOf,
  TableShape,
  XataProfile,
} from "../../src/typed/shape.js";
import type { AnyTable, ShapeOf, TypedTable } from "../../src/typed/table.js";
import type { QueryOf, ScanOf } from "../../src/typed/typed-query.js";
import type { AnyRecord, ColumnDefinition, Json, RecordMetadata } from "../../src/types.js";
import { branch, same, schema, teams, type Users, untyped, users, xata } from "./fixture.js";

// Without literal columns tables are untyped.
declare const columns: ColumnDefinition[];
const tables: TypedTable[] = [
  branch.createTable("a"),
  branch.createTable("a", columns),
  branch.table("a"),
];
for (const table of [...tables, branch.createTable("a", []), untyped]) {
  const record = table.insert({ anything: 5, deep: { er: [1] } });
  same<typeof record, AnyRecord>();
  const [first] = table.query({
    columns: ["any.thing", { name: "<-x.y", as: "ys" }],
    filter: { "any.thing": { $gt: 5 }, $any: [{ other: { $nope: 5 } }] },
    sort: [{ thing: "asc" }, "other"],
  }).records;
  same<typeof first, AnyRecord | undefined>();
  same<unknown, NonNullable<typeof first>["any"]>();
  table.update(record.id, { anything: { $increment: 1 } }, { columns: ["anything"] });
  table.load([{ a: 1 }, { b: 2 }]);
}
interface Person {
  readonly first: string;
}
declare const person: Person;
untyped.insert(person);
untyped.insert([person]);
// @ts-expect-error
untyped.insert("text");
// @ts-expect-error
untyped.query({ sort: { a: "up" } });
// @ts-expect-error
untyped.query({ nope: 5 });
// @ts-expect-error
branch.createTable("a", [{ name: "a", type: "nope" }]);

// Columns may be declared `as const` before the call; the table name need not be a literal.
const alone = branch.createTable("teams", schema.teams);
alone.count({ "office.floor": { $gt: 1 }, "owner.anything": 5 });
// @ts-expect-error
alone.count({ "office.floor": { $gt: "1" } });
const named = branch.createTable(String(Math.random()), [
  { name: "size", type: "int" },
  { name: "next", type: "link", link: { table: "a" } },
]);
named.count({ size: 5, "next.anything": 5 });
// @ts-expect-error
named.count({ size: "5" });

// N-5: a column named like a member of Object.prototype makes its table untyped.
const inherited = branch.createTables({
  odd: [{ name: "toString", type: "int" }],
  even: [
    { name: "size", type: "int" },
    { name: "odd", type: "link", link: { table: "odd" } },
  ],
});
inherited.odd.insert({ toString: 5 });
inherited.odd.count({ toString: 5, anything: 6 });
inherited.even.insert({ size: 5 });
inherited.even.count({ size: 5, "odd.toString": 5 });
// @ts-expect-error
inherited.even.count({ size: "5" });

// A column may be named like a member of arrays.
const long = branch.createTable("long", [{ name: "length", type: "int" }]);
const longs = long.insert([{ length: 5 }, { length: 6 }]);
same<(typeof longs)[number]["length"], number | undefined>();
long.count({ length: 5, $any: [{ length: 6 }] });
// @ts-expect-error
long.count({ length: "5" });

// A schema `as const` gives the same types as one in the call.
const made = branch.createTables(schema);
same<ShapeOf<typeof made.users>, Users>();
same<ReturnType<typeof made.users.query>["records"][number]["id"], string>();
same<(typeof made)["users"], typeof users>();
// @ts-expect-error
made.nope;

// A table found by name has the shape that the caller knows.
const found = branch.table<Users>("users");
found.count({ "team.name": "A" });
// @ts-expect-error
found.count({ "team.nope": "A" });

// A typed handle is an AnyTable, but no handle of another table.
const handles: AnyTable[] = [users, teams, untyped, alone, named, xata.users];
for (const handle of handles) same<typeof handle, AnyTable>();
// @ts-expect-error
export const other: typeof users = teams;

// The engine makes untyped handles.
declare const engineTable: Table;
export const face: AnyTable = engineTable;

// Requests can be declared apart from their calls; `satisfies` keeps their columns known.
const request = {
  columns: ["email", "team.name", "team.*"],
  filter: { "team.size": { $gt: 5 } },
  sort: ["team.name"],
  page: { size: 5 },
} as const satisfies QueryOf<Users>;
const answer = users.query(request);
same<(typeof answer.records)[number]["email"], string>();
export const scan: ScanOf<Users, 2> = {
  columns: ["team.owner.name", "*"],
  sort: ["team.owner.age"],
};
export const column: ColumnsOf<Users> = "team.office.city";
// @ts-expect-error
export const unknownColumn: ColumnsOf<Users> = "team.nope";
// @ts-expect-error
export const unknownRequest: QueryOf<Users> = { columns: ["nope"] };
// @ts-expect-error
export const misfitRequest: QueryOf<Users> = { filter: { age: "5" } };

// Profiles: the metadata's name, and what goes with the base.
same<ProfileShapeOf<"documented">, DocumentedProfile>();
same<ProfileShapeOf<undefined>, DocumentedProfile>();
same<ProfileShapeOf<"xata">, XataProfile>();
same<ProfileShapeOf<{ base: "xata"; maxPageSize: 200 }>["metadataColumn"], "xata">();
same<ProfileShapeOf<{ metadataColumn: "meta" }>["metadataColumn"], "meta">();
same<ProfileShapeOf<{ metadataColumn: "meta" }>["base"], "documented">();
same<ProfileShapeOf<{ maxPageSize: 5 }>["metadataColumn"], "service">();
same<ProfileShapeOf<ProfileOption>, ProfileShape>();
same<ProfileShapeOf<{ base: ProfileName }>["metadataColumn"], string>();
same<ProfileShapeOf<Partial<Profile>>["metadataColumn"], string>();
type Meta = ProfileShapeOf<{ base: "xata"; metadataColumn: "meta" }>;
type Small = { readonly small: readonly [{ readonly name: "a"; readonly type: "bool" }] };
same<
  RecordOf<TableShape<Small, "small", Meta>>,
  { id: string; a?: boolean; meta: RecordMetadata }
>();
declare const unknownProfile: TypedBranch<ProfileShape>;
const vague = unknownProfile.createTable("a", [{ name: "a", type: "int" }]).get("rec_1");
same<typeof vague, AnyRecord | null>();

// R-1, T-11: under `xata`, the metadata is `xata` and `json` comes back as text.
same<
  RecordOf<ShapeOf<typeof xata.users>>["xata"] | RecordOf<ShapeOf<typeof xata.users>>["settings"],
  RecordMetadata | string | undefined
>();
same<RecordOf<Users>["settings"], Json | undefined>();
xata.users.insert({ email: "a@b.c", xata: {}, settings: { a: 1 } });
// @ts-expect-error
xata.users.insert({ email: "a@b.c", service: {} });
xata.users.count({ "xata.version": { $gt: 0 }, "team.xata.version": 5 });
// @ts-expect-error
xata.users.count({ "service.version": { $gt: 0 } });
xata.users.query({ columns: ["xata", "xata.*"], sort: { "xata.createdAt": "asc" } });
// @ts-expect-error
xata.users.query({ columns: ["service"] });

// F-12: `xata` orders text and ids too.
xata.users.count({ name: { $gt: "A", $contains: "b" }, id: { $le: "rec_1" }, email: { $lt: "b" } });
xata.users.count({ "team.name": { $ge: "A" }, bio: { $gt: "A" }, "settings->a": { $gt: "A" } });
// @ts-expect-error
xata.users.count({ name: { $gt: 5 } });
// @ts-expect-error
xata.users.count({ active: { $gt: true } });

// P-6: under `xata`, the bare name of a link behind a link is all of that record.
const [deep] = xata.users.query({ columns: ["team.owner"] }).records;
same<
  NonNullable<NonNullable<NonNullable<typeof deep>["team"]>["owner"]>["email"],
  string | undefined
>();
const [flat] = xata.users.query({ columns: ["team.*"] }).records;
same<NonNullable<NonNullable<typeof flat>["team"]>["owner"], { id: string } | undefined>();
const [bare] = users.query({ columns: ["team.owner"] }).records;
same<NonNullable<NonNullable<typeof bare>["team"]>["owner"], { id: string } | undefined>();
