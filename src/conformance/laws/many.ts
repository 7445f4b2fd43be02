import fc from "fast-check";
import { derive } from "../arbitraries/choice.js";
import type { JsonObject } from "./cases.js";
import { defineLaw, type Law, type LawCase } from "./law.js";
import {
  COLUMNS,
  COUNT,
  type Condition,
  conditionsOf,
  leavesOf,
  makeRecord,
} from "./many-conditions.js";
import { branchPath, type Scene } from "./scene.js";

interface ManyCase extends LawCase {
  readonly seed: number;
}

/** Laws of a table with thousands of records, against plain loops. */
export const MANY_LAWS: readonly Law[] = [
  defineLaw({
    id: "many-records-match-as-in-a-loop",
    title: "of thousands of records conditions match those of a loop, also after writes",
    rules: ["F-1", "F-2", "F-3", "F-8", "F-10", "F-11", "F-12", "F-13", "F-30", "X-6"],
    tier: "strict",
    needs: ["records", "transaction", "aggregate"],
    share: 0.03,
    requests: 350,
    cases: manyCases,
    async check(scene, given) {
      const held = recordsById(given);
      const conditions = [...leavesOf(scene, given.seed), ...conditionsOf(scene, given.seed, 12)];
      const again = conditions.filter((_, i) => i % 6 === 0);
      // Again: what was noted at the first time is used at the next.
      for (const condition of [...conditions, ...again]) await count(scene, held, condition);
      await change(scene, held, given.seed);
      for (const condition of again) await count(scene, held, condition);
    },
  }),
  // Apart from the law above, so that a fault of the order is not told as one of the filters.
  defineLaw({
    id: "many-records-are-ordered-as-in-a-loop",
    title: "thousands of records are ordered as a loop orders them, also after writes",
    rules: ["S-1", "S-3", "S-5", "G-4"],
    tier: "strict",
    needs: ["records", "transaction"],
    share: 0.02,
    requests: 100,
    cases: manyCases,
    async check(scene, given) {
      const held = recordsById(given);
      const conditions = conditionsOf(scene, given.seed, 3);
      for (const condition of conditions) await compareOrder(scene, held, condition);
      await change(scene, held, given.seed);
      for (const condition of conditions.slice(0, 2)) await compareOrder(scene, held, condition);
    },
  }),
];

function manyCases(): fc.Arbitrary<ManyCase> {
  return fc.noShrink(fc.nat()).map((seed) => {
    const records = Array.from({ length: COUNT }, (_, i) => makeRecord(seed, i));
    return { seed, fixture: { tables: [{ name: "rows", columns: COLUMNS, records }] } };
  });
}

function recordsById({ fixture }: ManyCase): Map<string, JsonObject> {
  return new Map((fixture.tables[0]?.records ?? []).map((record) => [String(record.id), record]));
}

async function count(
  scene: Scene,
  held: ReadonlyMap<string, JsonObject>,
  { filter, test }: Condition,
): Promise<void> {
  const matching = [...held.values()].filter((record) => test(record) === true);
  const numbers = matching.flatMap(({ n }) => (typeof n === "number" ? [n] : []));
  const sum = numbers.length === 0 ? null : numbers.reduce((a, b) => a + b, 0);
  const body = { filter, aggs: { count: { count: "*" }, sum: { sum: { column: "n" } } } };
  const request = { method: "POST", path: branchPath("/tables/rows/aggregate"), body };
  await scene.send(request, { status: 200, json: { aggs: { count: matching.length, sum } } });
}

async function compareOrder(
  scene: Scene,
  held: ReadonlyMap<string, JsonObject>,
  { filter, test }: Condition,
): Promise<void> {
  const last = (text: string | undefined): string => text ?? "\uffff";
  const sorted = [...held.values()]
    .filter((record) => test(record) === true)
    .sort((a, b) => {
      const [x, y] = [a, b].map(({ kind }) => last(kind as string | undefined)); // as the column holds
      const [left, right] = [a, b].map(({ n }) => (typeof n === "number" ? n : -Infinity));
      if (x !== y) return x! < y! ? -1 : 1;
      if (left !== right) return right! - left!;
      return String(a.id) < String(b.id) ? -1 : 1;
    });
  const sort = [{ kind: "asc" }, { n: "desc" }];
  const page = await scene.query("rows", { columns: ["id"], filter, sort, page: { size: 100 } });
  const wanted = sorted.slice(0, 100).map(({ id }) => String(id));
  scene.expect(
    { ids: { exact: wanted }, page: { more: sorted.length > 100 } },
    "the order is that of a loop",
  );
  const after = await scene.query("rows", { page: { after: page.cursor } });
  const next = sorted.slice(100, 200).map(({ id }) => String(id));
  if (after.ids.join() !== next.join())
    scene.fail("a cursor goes on where its page ends", next, [...after.ids]);
}

/** Deletes, changes and inserts some hundreds of records at once. */
async function change(scene: Scene, held: Map<string, JsonObject>, seed: number): Promise<void> {
  const operations: JsonObject[] = [];
  for (let i = 0; i < 300; i++) {
    const id = `r${derive(seed, `changed ${i}`) % COUNT}`;
    const { id: _, ...fields } = makeRecord(seed + 1, i);
    const table = "rows";
    if (i % 3 === 0 && held.delete(id)) operations.push({ delete: { table, id } });
    else if (i % 3 === 1 && held.has(id)) {
      held.set(id, { ...held.get(id), ...fields });
      operations.push({ update: { table, id, fields } });
    } else {
      held.set(`s${i}`, { id: `s${i}`, ...fields });
      operations.push({ insert: { table, record: { id: `s${i}`, ...fields } } });
    }
  }
  const request = { method: "POST", path: branchPath("/transaction"), body: { operations } };
  await scene.send(request, { status: 200 });
}
