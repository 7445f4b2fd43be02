import type { FilterOf } from "../../src/typed/filter.js";
import { teams, type Users, users } from "./fixture.js";

// F-1, F-2, F-3: control operators take filters or arrays of them; other `$` keys do not compile.
users.count();
users.count({});
users.count({ $all: { age: 5, name: "A" }, $any: [{ age: 5 }, { age: 6 }, {}] });
users.count({ $not: { age: 5 }, $none: [{ $any: { age: 5, $not: { name: "A" } } }] });
// @ts-expect-error
users.count({ $al: { age: 5 } });
// @ts-expect-error
users.count({ $is: 5 });
// @ts-expect-error
users.count({ $all: 5 });
// @ts-expect-error
users.count({ $any: [5] });
// @ts-expect-error
users.count([{ age: 5 }]);
// @ts-expect-error
users.count("age");

// F-4: `$exists` and `$notExists` take paths, of columns of any type, objects and links too.
users.count({ $exists: "name", $notExists: ["vector", "photo", "papers", "labels"] });
users.count({ $exists: ["address", "address.zip", "team", "service", "service.version", "id"] });
users.count({ $any: [{ $exists: "settings->a->b" }, { $notExists: "address.place.latitude" }] });
// @ts-expect-error
users.count({ $exists: "nope" });
// @ts-expect-error
users.count({ $exists: "address.nope" });
// @ts-expect-error
users.count({ $exists: "name->a" });
// @ts-expect-error
users.count({ $exists: true });

// F-5, F-15: plain values and null; R-9: undefined counts as absent.
users.count({ name: "A", age: null, active: true, born: new Date(), settings: null, team: null });
users.count({ name: undefined, labels: "a", vector: null, photo: null, papers: null });
users.count({ id: "rec_1", "service.version": 1, "service.createdAt": "2022-01-31T10:20:30Z" });
// @ts-expect-error
users.count({ nope: 5 });

// F-8: `$is` and `$isNot` for each type; an array means any, or none, of its members.
users.count({ active: { $is: true }, name: { $is: "A" }, bio: { $isNot: "B" } });
users.count({ email: { $is: ["a@b.c", null] }, age: { $isNot: [1, 2] }, rating: [1, 2, null] });
users.count({ born: { $is: new Date() }, "service.version": { $isNot: 3 }, id: { $is: null } });
users.count({ labels: ["a", "b"] });
users.count({ labels: { $is: "a" } });
users.count({ labels: { $isNot: ["a", "b"] } });
users.count({ settings: { $is: { a: [1] } } });
users.count({ settings: { $isNot: [1, "a"] } });
users.count({ settings: "text" });
users.count({ settings: { a: { b: 1 } } });
// @ts-expect-error
users.count({ active: 1 });
// @ts-expect-error
users.count({ age: "5" });
// @ts-expect-error
users.count({ rating: { $isNot: ["5"] } });
// @ts-expect-error
users.count({ name: 5 });
// @ts-expect-error
users.count({ email: { $isNot: true } });
// @ts-expect-error
users.count({ bio: { $is: {} } });
// @ts-expect-error
users.count({ born: 5 });
// @ts-expect-error
users.count({ born: { $is: 5 } });
// @ts-expect-error
users.count({ labels: 5 });
// @ts-expect-error
users.count({ labels: { $is: [5] } });
// @ts-expect-error
users.count({ id: 5 });
// @ts-expect-error
users.count({ "service.version": "1" });
// @ts-expect-error
users.count({ settings: { $is: () => 1 } });

// F-9: `$any`, `$all`, `$none`, `$not` over plain values and predicates.
users.count({ name: { $any: ["A", "B", null, { $startsWith: "C" }] } });
users.count({ name: { $any: "A" }, age: { $not: { $gt: 5 } }, rating: { $none: [1, { $lt: 0 }] } });
users.count({ name: { $all: [{ $contains: "A" }, { $not: { $endsWith: "B" } }] } });
users.count({
  active: { $not: true },
  born: { $any: [{ $lt: new Date() }, "2022-01-31T10:20:30Z"] },
});
users.count({ labels: { $any: ["a", ["b", "c"], { $includes: "d" }], $none: ["e"] } });
users.count({ settings: { $any: [1, "a", { $is: [1] }] } });
// @ts-expect-error
users.count({ name: { $any: ["A", 5] } });
// @ts-expect-error
users.count({ name: { $any: [{ $gt: 5 }] } });
// @ts-expect-error
users.count({ age: { $not: { $contains: "5" } } });
// @ts-expect-error
users.count({ age: { $none: ["5"] } });
// @ts-expect-error
users.count({ active: { $all: [1] } });
// @ts-expect-error
users.count({ labels: { $any: [5] } });
// @ts-expect-error
users.count({ name: { $not: null } });

// F-10, F-11: string operators on `id`, `string`, `text`, `email`.
users.count({ name: { $contains: "a", $startsWith: "b", $endsWith: "c", $iContains: "d" } });
users.count({ email: { $pattern: "*@b.c", $iPattern: "?@*" }, id: { $startsWith: "rec_" } });
users.count({ bio: { $contains: "a" } });
// @ts-expect-error
users.count({ name: { $contains: 5 } });
// @ts-expect-error
users.count({ name: { $contains: null } });
// @ts-expect-error
users.count({ name: { $pattern: /a/ } });
// @ts-expect-error
users.count({ name: { $contans: "a" } });
// @ts-expect-error
users.count({ name: { $startsWith: ["a"] } });
// @ts-expect-error
users.count({ age: { $contains: "5" } });
// @ts-expect-error
users.count({ rating: { $startsWith: "5" } });
// @ts-expect-error
users.count({ active: { $endsWith: "e" } });
// @ts-expect-error
users.count({ born: { $pattern: "2022*" } });
// @ts-expect-error
users.count({ labels: { $contains: "a" } });
// @ts-expect-error
users.count({ settings: { $iContains: "a" } });
// @ts-expect-error
users.count({ vector: { $iPattern: "a" } });
// @ts-expect-error
users.count({ team: { $contains: "a" } });
// @ts-expect-error
users.count({ address: { $contains: "a" } });

// F-12: ranges on `int`, `float`, `datetime` and the metadata.
users.count({ age: { $gt: 1, $lt: 5 }, rating: { $ge: 1.5, $le: 2 }, born: { $ge: new Date() } });
users.count({
  "service.version": { $gt: 0 },
  "service.updatedAt": { $lt: "2022-01-31T10:20:30Z" },
});
users.count({ service: { version: { $ge: 1 }, createdAt: { $le: new Date() } } });
// @ts-expect-error
users.count({ age: { $gt: "1" } });
// @ts-expect-error
users.count({ age: { $ge: null } });
// @ts-expect-error
users.count({ born: { $le: 5 } });
// @ts-expect-error
users.count({ name: { $gt: "a" } });
// @ts-expect-error
users.count({ email: { $ge: "a" } });
// @ts-expect-error
users.count({ bio: { $lt: "a" } });
// @ts-expect-error
users.count({ id: { $le: "a" } });
// @ts-expect-error
users.count({ active: { $gt: false } });
// @ts-expect-error
users.count({ labels: { $gt: 1 } });
// @ts-expect-error
users.count({ settings: { $gt: 1 } });
// @ts-expect-error
users.count({ team: { $gt: "a" } });

// F-13: `$includes*` on `multiple`: a value, a predicate without a column, or an array of those.
users.count({ labels: { $includes: "a", $includesAny: ["b", { $contains: "c" }] } });
users.count({ labels: { $includesAll: { $not: { $startsWith: "d" } }, $includesNone: "e" } });
users.count({ labels: { $includesAny: { $all: [{ $contains: "a" }, { $any: ["b", "c"] }] } } });
users.count({ labels: { $not: { $includes: { $is: "a" } } } });
// @ts-expect-error
users.count({ labels: { $includes: 5 } });
// @ts-expect-error
users.count({ labels: { $includes: null } });
// @ts-expect-error
users.count({ labels: { $includesAll: { $gt: 5 } } });
// @ts-expect-error
users.count({ labels: { $includesNone: { $includes: "a" } } });
// @ts-expect-error
users.count({ name: { $includes: "a" } });
// @ts-expect-error
users.count({ age: { $includesAny: 5 } });
// @ts-expect-error
users.count({ team: { $includesNone: "a" } });

// F-17, F-18: paths into `json` have all operators; the column itself is compared as a whole.
users.count({ "settings->a": 5, "settings->b->0": { $contains: "x" }, "settings->c": { $gt: 1 } });
users.count({ "settings->a": { $includes: [1, "a", { $gt: 5 }] }, "settings->b": null });
users.count({ "settings->a": { $any: ["x", { $startsWith: "y" }] }, "settings->b": { c: 1 } });
// @ts-expect-error
users.count({ "name->a": 5 });
// @ts-expect-error
users.count({ "team.nope->a": 5 });
// @ts-expect-error
users.count({ "settings->a": { $contains: 5 } });
// @ts-expect-error
users.count({ "settings->a": { $gt: "a" } });
// @ts-expect-error
users.count({ settings: { $includes: "a" } });
// @ts-expect-error
users.count({ "settings.a": 5 });

// F-18: `vector`, `file`, `file[]` have `$exists` and `$notExists` only.
// @ts-expect-error
users.count({ vector: [1, 2] });
// @ts-expect-error
users.count({ vector: { $is: [1, 2] } });
// @ts-expect-error
users.count({ photo: { $is: null } });
// @ts-expect-error
users.count({ papers: { $any: [] } });

// F-6: objects dotted and nested, mixed too.
users.count({ "address.zip": 5, address: { street: { $contains: "A" }, place: { latitude: 1 } } });
users.count({ "address.place": { latitude: { $gt: 1 } }, address: { "place.latitude": 2 } });
// @ts-expect-error
users.count({ "address.zip": "5" });
// @ts-expect-error
users.count({ $existsNot: "name" });
// @ts-expect-error
users.count({ address: { zip: "5" } });
// @ts-expect-error
users.count({ address: { nope: 5 } });
// @ts-expect-error
users.count({ address: { id: "rec_1" } });
// @ts-expect-error
users.count({ address: 5 });
// @ts-expect-error
users.count({ name: { first: "A" } });

// F-7: under an object, operators over filters relative to it; operators and names do not mix.
users.count({ address: { $any: [{ zip: 5 }, { place: { latitude: 1 } }], $not: { street: "A" } } });
users.count({ address: [{ zip: 5 }, { street: "A" }, null] });
users.count({ address: { $exists: "zip", $notExists: ["street", "place.latitude"] } });
users.count({ address: { $is: { zip: 5, place: { latitude: 1 } } } });
users.count({ address: { $isNot: null } });
// @ts-expect-error
users.count({ address: { $any: [{ zip: "5" }] } });
// @ts-expect-error
users.count({ address: { $exists: "address.zip" } });
// @ts-expect-error
users.count({ address: { $is: { zip: "5" } } });
// @ts-expect-error
users.count({ address: { $is: { nope: 5 } } });
// @ts-expect-error
users.count({ address: { $is: 5 } });
// @ts-expect-error
users.count({ address: { $any: [{ zip: 5 }], zip: 5 } });
// @ts-expect-error
users.count({ name: { $contains: "a", first: "b" } });

// Every call with a filter checks it.
users.query({ filter: { name: { $contains: "a" } } });
users.scan({ filter: { name: { $contains: "a" } } });
users.explain({ filter: { name: { $contains: "a" } } });
// @ts-expect-error
users.query({ filter: { name: { $contains: 5 } } });
// @ts-expect-error
users.scan({ filter: { nope: 5 } });
// @ts-expect-error
users.explain({ filter: { nope: 5 } });

// A filter can be declared apart from its call.
const filter: FilterOf<Users> = { "team.name": "A", $any: [{ age: 5 }], $exists: "team.owner" };
users.count(filter);
users.count({ $not: filter, name: "A" });
users.count(Math.random() < 2 ? { "team.name": "A" } : { "team.owner.name": "B", age: 5 });
const far: FilterOf<Users, 2> = { "team.owner.name": "A" };
users.count(far);
// @ts-expect-error
export const wrong: FilterOf<Users> = { "team.nope": "A" };
// @ts-expect-error
export const misfit: FilterOf<Users> = { $any: [{ "team.size": "A" }] };
// @ts-expect-error
export const tooFar: FilterOf<Users> = { "team.owner.name": "A" };
const other: FilterOf<Users> = { age: 5 };
// @ts-expect-error
teams.count(other);
