import type { InsertOf, UpdateOf } from "../../src/typed/write.js";
import { branch, opened, type schema, type Teams, teams, type Users, users } from "./fixture.js";

// T-14, T-16, R-9: `notNull` without a default is required, all else may be missing or null.
users.insert({ email: "a@b.c" });
users.insert({ id: "rec_1", email: "a@b.c", age: null, name: undefined, address: null });
// @ts-expect-error
users.insert({});
// @ts-expect-error
users.insert({ email: null });
// @ts-expect-error
users.insert({ email: "a@b.c", rating: null });
users.insert({ email: "a@b.c", rating: undefined });

// T-1 … T-13: each type takes its own values.
users.insert({
  email: "a@b.c",
  name: "Ann",
  bio: "…",
  age: 5,
  rating: 4.5,
  active: true,
  born: new Date(0),
  labels: ["a", "b"],
  settings: { deep: [1, { deeper: null }] },
  vector: [1, 2],
  photo: { name: "a.png", mediaType: "image/png", base64Content: "" },
  papers: [{ name: "a.pdf" }],
  team: "rec_2",
  country: { id: "rec_3" },
  address: { street: "A", place: { latitude: 1 } },
});
users.insert({ email: "a@b.c", born: "2022-01-31T10:20:30Z", settings: "text" });
// @ts-expect-error
users.insert({ email: "a@b.c", name: 5 });
// @ts-expect-error
users.insert({ email: "a@b.c", bio: 5 });
// @ts-expect-error
users.insert({ email: 5 });
// @ts-expect-error
users.insert({ email: "a@b.c", rating: "5" });
// @ts-expect-error
users.insert({ email: "a@b.c", active: 1 });
// @ts-expect-error
users.insert({ email: "a@b.c", born: 5 });
// @ts-expect-error
users.insert({ email: "a@b.c", labels: [5] });
// @ts-expect-error
users.insert({ email: "a@b.c", settings: () => 1 });
// @ts-expect-error
users.insert({ email: "a@b.c", vector: ["1"] });
// @ts-expect-error
users.insert({ email: "a@b.c", photo: "a.png" });
// @ts-expect-error
users.insert({ email: "a@b.c", papers: { name: "a.pdf" } });
// @ts-expect-error
users.insert({ email: "a@b.c", team: 5 });
// @ts-expect-error
users.insert({ email: "a@b.c", team: { name: "x" } });
// @ts-expect-error
users.insert({ email: "a@b.c", address: "A" });
// @ts-expect-error
users.insert({ email: "a@b.c", address: { street: 5 } });

// sub-columns nested or dotted, the metadata ignored; any other key does not compile.
users.insert({ email: "a@b.c", "address.street": "A", "address.place.latitude": 1 });
users.insert({ email: "a@b.c", "address.place": { latitude: 1 }, address: { zip: 1 } });
users.insert({ email: "a@b.c", service: { version: 1 } });
// @ts-expect-error
users.insert({ email: "a@b.c", "address.street": 5 });
// @ts-expect-error
users.insert({ email: "a@b.c", "address.nope": 5 });
// @ts-expect-error
users.insert({ email: "a@b.c", address: { nope: 5 } });
// @ts-expect-error
users.insert({ email: "a@b.c", nope: 5 });
// @ts-expect-error
users.insert({ email: "a@b.c", "team.name": "A" });

// a record that was read can be written again.
users.insert(users.query().records);
users.replace("rec_1", users.query({ columns: ["email", "team.name", "address.zip"] }).records[0]!);
// @ts-expect-error
users.insert(teams.query().records);

// T-16: an object with a `notNull` sub-column, nested or dotted.
teams.insert({ name: "A", office: { city: "B" } });
teams.insert({ name: "A", "office.city": "B", "office.floor": 2 });
// @ts-expect-error
teams.insert({ name: "A" });
// @ts-expect-error
teams.insert({ name: "A", office: { floor: 2 } });
// @ts-expect-error
teams.insert({ name: "A", "office.floor": 2 });
// @ts-expect-error
teams.insert({ name: "A", office: null });
// @ts-expect-error
teams.insert({ name: "A", office: { city: null } });

// T-16: a default fills a missing column, in an object too.
const defaults = branch.createTable("defaults", [
  { name: "size", type: "int", notNull: true, defaultValue: 0 },
  {
    name: "place",
    type: "object",
    columns: [{ name: "city", type: "string", notNull: true, defaultValue: "A" }],
  },
]);
defaults.insert({});
defaults.insert({ place: {} });
// @ts-expect-error
defaults.insert({ place: null });
const size: number = defaults.insert({}).size;
const city: string = defaults.insert({}).place.city;
defaults.insert({ size, "place.city": city });

// The calls that write whole records.
users.load([{ email: "a@b.c" }]);
users.load(new Set([{ email: "a@b.c" }]));
// @ts-expect-error
users.load([{ name: "Ann" }]);
// @ts-expect-error
users.load({ email: "a@b.c" });
// @ts-expect-error
users.replace("rec_1", { name: "Ann" });
// @ts-expect-error
users.upsert("rec_1", { name: "Ann" });
// @ts-expect-error
users.put("rec_1", { name: "Ann" });
// @ts-expect-error
users.put("rec_1", { email: "a@b.c", age: { $increment: 1 } });
// @ts-expect-error
users.replace(1, { email: "a@b.c" });
users.delete("rec_1", { ifVersion: 2 });
// @ts-expect-error
users.delete("rec_1", { ifVersion: "2" });
// @ts-expect-error
users.update("rec_1", {}, { createOnly: true });

// an update keeps missing columns and clears null ones.
users.update("rec_1", {});
users.update("rec_1", { name: null, address: { street: null }, "address.zip": 5, team: null });
// @ts-expect-error
users.update("rec_1", { email: null });
// @ts-expect-error
users.update("rec_1", { rating: null });
// @ts-expect-error
users.update("rec_1", { nope: 5 });
// @ts-expect-error
users.update("rec_1", { address: { nope: 5 } });
teams.update("rec_1", { office: { floor: 2 } });
// @ts-expect-error
teams.update("rec_1", { office: { city: null } });
// @ts-expect-error
teams.update("rec_1", { office: null });

// number operations on `int` and `float`, in objects too, one at a time.
users.update("rec_1", { age: { $increment: 1 }, rating: { $decrement: 0.5 } });
users.update("rec_1", { age: { $multiply: 2 }, address: { zip: { $divide: 2 } } });
users.update("rec_1", { "address.zip": { $increment: 1 } });
// @ts-expect-error
users.update("rec_1", { age: { $increment: "1" } });
// @ts-expect-error
users.update("rec_1", { age: { $append: 1 } });
// @ts-expect-error
users.update("rec_1", { age: {} });
// @ts-expect-error
users.update("rec_1", { name: { $increment: 1 } });
// @ts-expect-error
users.update("rec_1", { born: { $increment: 1 } });

// R-7, F-1: a write by a filter checks filter, changes and options; it returns a number or records.
users.updateWhere({ name: "Ann" }, { age: { $increment: 1 } }, { limit: 5 }) satisfies number;
const [renamed] = users.updateWhere({ "team.name": "red" }, { name: null }, { columns: ["email"] });
renamed?.email satisfies string | undefined;
users.deleteWhere({ age: { $lt: 5 } }) satisfies number;
const [deleted] = users.deleteWhere({}, { columns: ["age"], limit: 1 });
deleted?.age satisfies number | null | undefined;
// @ts-expect-error
renamed?.age;
// @ts-expect-error
users.updateWhere({ nope: "Ann" }, {});
// @ts-expect-error
users.updateWhere({ name: "Ann" }, { nope: 1 });
// @ts-expect-error
users.updateWhere({ name: "Ann" }, { email: null });
// @ts-expect-error
users.updateWhere({ name: "Ann" }, { age: 1 }, { columns: ["nope"] });
// @ts-expect-error
users.deleteWhere({ age: { $lt: "5" } });
// @ts-expect-error
users.deleteWhere({}, { ifVersion: 1 });
// @ts-expect-error
users.deleteWhere();

// Records and changes can be declared apart from their calls.
const record: InsertOf<Users> = { email: "a@b.c", "address.zip": 5 };
const changes: UpdateOf<Teams> = { "office.floor": { $increment: 1 } };
users.insert(record);
users.insert([record, record] as const);
users.insert(Math.random() < 2 ? record : [record]);
teams.update("rec_1", changes);
// @ts-expect-error
teams.insert(record);
// @ts-expect-error
users.insert(changes);

// Keys that name no column are found in variables, too; interfaces are accepted.
interface Row {
  readonly email: string;
}
declare const row: Row;
declare const wider: Row & { readonly emial: string };
users.insert(row);
users.insert([row]);
users.update("rec_1", row);
// @ts-expect-error
users.insert(wider);
// @ts-expect-error
users.update("rec_1", wider);

// One record in, one out; also where the type is `any`, or a column is named like an array's method.
const { joins } = branch.createTables({
  joins: [
    { name: "join", type: "string" },
    { name: "map", type: "int" },
  ],
});
joins.insert({ join: "a", map: 1 }).id.toUpperCase();
joins.insert([{ join: "a" }])[0]?.join?.toUpperCase();
users.insert(JSON.parse("{}")).id.toUpperCase();
joins.count({ join: "a", $not: { map: 1 } });

// a type argument types operations by the columns of the branch's tables.
opened.transaction<typeof schema>([
  { insert: { table: "users", record: { email: "a@b.c" }, createOnly: true, columns: ["email"] } },
  { update: { table: "teams", id: "rec_1", fields: { size: { $increment: 1 } }, ifVersion: 1 } },
  { update: { table: "users", id: "rec_1", fields: { email: "a@b.c" }, upsert: true } },
  { delete: { table: "users", id: "rec_1", failIfMissing: true } },
  { get: { table: "users", id: "rec_1", columns: ["team.name", "address.*"] } },
]);
opened.transaction([{ insert: { table: "any", record: { anything: 5 } } }]);
// @ts-expect-error
opened.transaction<typeof schema>([{ insert: { table: "users", record: {} } }]);
// @ts-expect-error
opened.transaction<typeof schema>([{ insert: { table: "nope", record: { email: "a@b.c" } } }]);
// @ts-expect-error
opened.transaction<typeof schema>([{ update: { table: "teams", id: "a", fields: { sise: 1 } } }]);
// @ts-expect-error
opened.transaction<typeof schema>([{ get: { table: "users", id: "a", columns: ["email.*"] } }]);
// @ts-expect-error
opened.transaction<typeof schema>([{ get: { table: "users" } }]);
// @ts-expect-error
opened.transaction<typeof schema>([{ del: { table: "users", id: "a" } }]);
