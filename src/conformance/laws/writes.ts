import fc from "fast-check";
import type { Json } from "../../types.js";
import { isObject } from "../vectors/pattern.js";
import { DATA, write } from "./asking.js";
import {
  fixtureArbitrary,
  idsOf,
  type JsonObject,
  oneOf,
  personArbitrary,
  recordsOf,
} from "./cases.js";
import { defineLaw, type Law } from "./law.js";
import { branchPath, named } from "./scene.js";

/** What reading a record has to give of what was written, metadata aside (rules R-4, T-7, T-9). */
function readBack(written: JsonObject): { readonly [pointer: string]: Json } {
  const entries = Object.entries(written).flatMap(([key, value]): [string, Json][] => {
    if (key === "team") return [["/team/id", value]];
    if (key === "at") return [["/at", canonicalTime(String(value))]];
    if (!isObject(value)) return [[`/${key}`, value]];
    return Object.entries(value as JsonObject).map(([sub, inner]) => [`/${key}/${sub}`, inner]);
  });
  return Object.fromEntries(entries);
}

/** The cases' times have milliseconds at most. */
function canonicalTime(time: string): string {
  return new Date(time).toISOString().replace(/\.?0*Z$/, "Z");
}

/** Laws of writes. */
export const WRITE_LAWS: readonly Law[] = [
  defineLaw({
    id: "what-is-written-is-read",
    title: "a written record is read as it was written, by its id and by a query",
    rules: ["X-1", "R-1", "R-4", "T-7", "T-8", "T-9", "T-10"],
    tier: "strict",
    needs: ["records"],
    cases: () => fc.record({ fixture: fixtureArbitrary(1), record: personArbitrary() }),
    async check(scene, given) {
      const record = { id: "new", ...given.record };
      await scene.send({ method: "POST", path: DATA, body: record }, { status: 201 });
      const at = readBack(record);
      const columns = ["name", "age", "at", "labels", "team", "place"];
      const absent = columns
        .filter((column) => !Object.keys(at).some((pointer) => pointer.split("/")[1] === column))
        .map((column) => `/${column}`);
      await scene.send({ method: "GET", path: `${DATA}/new` }, { status: 200, at, absent });
      await scene.query("people", { filter: { id: "new" } });
      const below = Object.entries(at).map(([pointer, value]) => [`/records/0${pointer}`, value]);
      const missing = absent.map((pointer) => `/records/0${pointer}`);
      scene.expect(
        { status: 200, count: 1, at: Object.fromEntries(below), absent: missing },
        "a query reads what was written",
      );
    },
  }),
  defineLaw({
    id: "batches-are-whole-or-nothing",
    title: "one bad record leaves nothing of its batch, a good batch is written whole",
    rules: ["R-5", "E-5"],
    tier: "strict",
    needs: ["records"],
    cases: () =>
      fc.record({
        fixture: fixtureArbitrary(2),
        batch: fc.array(personArbitrary(), { minLength: 1, maxLength: 3 }),
        bad: fc.nat(),
        how: oneOf<JsonObject>([{ age: "x" }, { nope: 1 }, { id: "new1" }, { labels: [1] }]),
      }),
    async check(scene, given) {
      const ids = idsOf(given);
      const good = given.batch.map((record, i) => ({ id: `new${i}`, ...record }));
      const bad = [...good];
      const at = given.bad % good.length;
      bad.splice(at, 0, { id: "bad", ...given.how });
      // An id twice is the later record's fault.
      const twice = given.how.id === "new1" && good.length < 2;
      const path = branchPath("/tables/people/bulk");
      if (!twice) {
        await scene.send({ method: "POST", path, body: { records: bad } }, { status: 400 });
        await scene.query("people", {});
        scene.expect({ ids: { unordered: ids } }, "a refused batch leaves nothing");
      }
      await scene.send({ method: "POST", path, body: { records: good } }, { status: 200 });
      await scene.query("people", {});
      const all = [...ids, ...good.map(({ id }) => id)];
      scene.expect({ ids: { unordered: all } }, "a good batch is written whole");
    },
  }),
  defineLaw({
    id: "versions-grow-by-one",
    title: "a record's version grows by one with each write to it and to no other",
    rules: ["R-2"],
    tier: "strict",
    needs: ["records"],
    cases: () =>
      fc.record({
        fixture: fixtureArbitrary(1),
        writes: fc.array(fc.tuple(oneOf(["PATCH", "PUT", "POST"]), personArbitrary()), {
          maxLength: 3,
        }),
      }),
    async check(scene, given) {
      await write(scene, "PUT", "new", {}, { status: 201 });
      for (const [method, body] of given.writes) {
        await write(scene, method, "new", body, { status: 200 });
      }
      const at = { [`/${named("meta")}/version`]: given.writes.length };
      await scene.send({ method: "GET", path: `${DATA}/new` }, { status: 200, at });
      for (const id of idsOf(given)) {
        const own = { [`/${named("meta")}/version`]: 0 };
        await scene.send({ method: "GET", path: `${DATA}/${id}` }, { status: 200, at: own });
      }
    },
  }),
  defineLaw({
    id: "updates-keep-the-rest",
    title: "an update changes what it names and keeps the rest",
    rules: ["R-7", "X-1"],
    tier: "strict",
    needs: ["records"],
    cases: () => fc.record({ fixture: onePerson(), changes: personArbitrary() }),
    async check(scene, { fixture, changes }) {
      await write(scene, "PATCH", "p1", changes, { status: 200 });
      const before = readBack(recordsOf({ fixture })[0] ?? {});
      const at = { ...before, ...readBack(changes) };
      await scene.send({ method: "GET", path: `${DATA}/p1` }, { status: 200, at });
    },
  }),
  defineLaw({
    id: "replacements-keep-nothing",
    title: "a replacement nulls what it does not name",
    rules: ["R-7", "X-1"],
    tier: "strict",
    needs: ["records"],
    cases: () => fc.record({ fixture: onePerson(), changes: personArbitrary() }),
    async check(scene, { changes }) {
      await write(scene, "PUT", "p1", changes, { status: 200 });
      const at = readBack(changes);
      const columns = ["name", "age", "at", "labels", "team", "place"];
      const absent = columns
        .filter((column) => !Object.keys(at).some((pointer) => pointer.split("/")[1] === column))
        .map((column) => `/${column}`);
      await scene.send({ method: "GET", path: `${DATA}/p1` }, { status: 200, at, absent });
    },
  }),
  defineLaw({
    id: "deleted-records-are-gone",
    title: "a deleted record is found by nothing, and its id is free",
    rules: ["X-1", "R-3", "R-9"],
    tier: "strict",
    needs: ["records"],
    cases: () => fc.record({ fixture: onePerson(), record: personArbitrary() }),
    async check(scene, given) {
      await write(scene, "DELETE", "p1", undefined, { status: 204 });
      await scene.query("people", {});
      scene.expect({ ids: { exact: [] } }, "a deleted record is gone");
      await write(scene, "DELETE", "p1", undefined, { status: 404 });
      await write(scene, "PATCH", "p1", given.record, { status: 404 });
      const body = { id: "p1", ...given.record };
      await scene.send({ method: "POST", path: DATA, body }, { status: 201 });
      await scene.query("people", { filter: { id: "p1" } });
      scene.expect({ ids: { exact: ["p1"] } }, "the id of a deleted record is free");
    },
  }),
  defineLaw({
    id: "taken-ids-are-refused",
    title: "an insert with a taken id is refused and changes nothing",
    rules: ["R-3", "X-1", "E-5"],
    tier: "strict",
    needs: ["records"],
    cases: () => fc.record({ fixture: onePerson(), record: personArbitrary() }),
    async check(scene, given) {
      const before = await scene.query("people", {});
      const body = { id: "p1", ...given.record };
      await scene.send({ method: "POST", path: DATA, body }, { status: 422 });
      const createOnly = { createOnly: "true" };
      const put = { method: "PUT", path: `${DATA}/p1`, query: createOnly, body: given.record };
      await scene.send(put, { status: 422 });
      await scene.query("people", {});
      const records = before.records as unknown as Json[]; // from JSON
      scene.expect({ records: { exact: records } }, "a taken id is refused");
    },
  }),
  defineLaw({
    id: "refused-writes-change-nothing",
    title: "a refused write changes nothing",
    rules: ["E-5", "T-15", "R-8"],
    tier: "strict",
    needs: ["records"],
    cases: () =>
      fc.record({
        fixture: onePerson(),
        method: oneOf(["PATCH", "PUT", "POST"]),
        good: personArbitrary(),
        bad: oneOf<JsonObject>([
          { age: 1.5 },
          { age: "1" },
          { name: 1 },
          { at: "2020-02-30T00:00:00Z" },
          { labels: "a" },
          { place: { nope: 1 } },
          { nope: 1 },
          { id: "other" },
        ]),
      }),
    async check(scene, { method, good, bad }) {
      const before = await scene.query("people", {});
      await write(scene, method, "p1", { ...good, ...bad }, { status: 400 });
      await scene.query("people", {});
      const records = before.records as unknown as Json[]; // from JSON
      scene.expect({ records: { exact: records } }, "a refused write changes nothing");
    },
  }),
  defineLaw({
    id: "arithmetic-changes-numbers-in-place",
    title: "$increment, $decrement and $multiply change a number by what they say",
    rules: ["X-2"],
    tier: "strict",
    needs: ["records"],
    cases: () =>
      fc.record({
        fixture: onePerson(),
        operations: fc.array(
          fc.tuple(
            oneOf(["$increment", "$decrement", "$multiply"]),
            fc.integer({ min: -3, max: 3 }),
          ),
          { minLength: 1, maxLength: 3 },
        ),
      }),
    async check(scene, { fixture, operations }) {
      const given = recordsOf({ fixture })[0]?.age;
      let age = typeof given === "number" ? given : undefined;
      for (const [operator, operand] of operations) {
        await write(scene, "PATCH", "p1", { age: { [operator]: operand } }, { status: 200 });
        if (age === undefined) continue;
        if (operator === "$increment") age += operand;
        else if (operator === "$decrement") age -= operand;
        else age = age * operand + 0;
      }
      const expectation = age === undefined ? { absent: ["/age"] } : { at: { "/age": age } };
      await scene.send({ method: "GET", path: `${DATA}/p1` }, { status: 200, ...expectation });
    },
  }),
  defineLaw({
    id: "transactions-are-whole-or-nothing",
    title: "a transaction happens in order, whole or not at all",
    rules: ["X-3", "R-5"],
    tier: "strict",
    needs: ["transaction"],
    cases: () =>
      fc.record({
        fixture: fixtureArbitrary(2),
        operations: fc.array(
          fc.tuple(oneOf(["insert", "update", "delete"] as const), oneOf(["p1", "p2", "n1"])),
          { minLength: 1, maxLength: 4 },
        ),
      }),
    async check(scene, given) {
      const before = idsOf(given);
      const ids = new Set(before);
      let fails = false;
      const operations = given.operations.map(([kind, id]): Json => {
        const table = "people";
        fails ||= kind === "insert" ? ids.has(id) : !ids.has(id);
        if (kind === "delete") ids.delete(id);
        if (kind === "insert") ids.add(id);
        if (kind === "insert") return { insert: { table, record: { id }, createOnly: true } };
        return kind === "update"
          ? { update: { table, id, fields: { age: 1 } } }
          : { delete: { table, id, failIfMissing: true } };
      });
      const path = branchPath("/transaction");
      const status = fails ? 400 : 200;
      await scene.send({ method: "POST", path, body: { operations } }, { status });
      await scene.query("people", {});
      const after = fails ? before : [...ids];
      scene.expect({ ids: { unordered: after } }, "a transaction is whole or nothing");
    },
  }),
];

function onePerson() {
  return fixtureArbitrary(1).filter((fixture) => recordsOf({ fixture }).length === 1);
}
