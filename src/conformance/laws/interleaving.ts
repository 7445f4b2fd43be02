import fc from "fast-check";
import type { Json } from "../../types.js";
import { readPointer } from "../vectors/pattern.js";
import { DATA, write } from "./asking.js";
import {
  AGES,
  fixtureArbitrary,
  idsOf,
  type JsonObject,
  NAMES,
  oneOf,
  personArbitrary,
  recordsOf,
  sortArbitrary,
  totalSort,
} from "./cases.js";
import { defineLaw, type Law } from "./law.js";
import type { Scene } from "./scene.js";

/** Laws of reading while others write. */
export const INTERLEAVING_LAWS: readonly Law[] = [
  defineLaw({
    id: "tails-follow",
    title: "the cursor of after end gives the records that are after the end by now",
    rules: ["G-10", "G-11", "G-12"],
    tier: "strict",
    needs: ["records"],
    cases: () =>
      fc.record({
        fixture: fixtureArbitrary(3),
        late: fc.uniqueArray(oneOf(["a1", "p2x", "z1", "z2"]), { maxLength: 3 }),
      }),
    async check(scene, given) {
      const sort = { id: "asc" };
      const tail = await scene.query("people", { sort, page: { after: "end" } });
      const last = idsOf(given).sort().at(-1) ?? "";
      for (const id of given.late) await write(scene, "PUT", id, {}, { status: 201 });
      const later = given.late.filter((id) => id > last).sort();
      await scene.query("people", { page: { after: tail.cursor, size: 10 } });
      scene.expect({ ids: { exact: later } }, "the end is followed");
    },
  }),
  defineLaw({
    id: "walks-under-writes",
    title: "a walk meets every record nobody wrote to once, in order",
    rules: ["G-12", "G-5"],
    tier: "strict",
    needs: ["records"],
    cases: () => {
      const act = fc.record({
        kind: oneOf(["delete", "change", "insert", "nothing"] as const),
        which: fc.nat({ max: 7 }),
        record: personArbitrary(),
      });
      return fc.record({
        fixture: fixtureArbitrary(8),
        keys: sortArbitrary(),
        size: fc.integer({ min: 1, max: 3 }),
        forward: fc.boolean(),
        acts: fc.array(act, { maxLength: 5 }),
      });
    },
    async check(scene, given) {
      const ids = idsOf(given);
      const touched = new Set(
        given.acts.map(({ kind, which }) => (kind === "nothing" ? "" : (ids[which] ?? ""))),
      );
      const sort = totalSort(given.keys);
      const whole = await scene.query("people", { sort });
      const order = whole.ids.filter((id) => !touched.has(id));
      if (!given.forward) order.reverse();
      let page = await scene.query("people", {
        sort,
        page: given.forward ? { size: given.size } : { size: given.size, before: "end" },
      });
      let seen: string[] = [];
      for (let i = 0; i < 40; i++) {
        const untouched = page.ids.filter((id) => order.includes(id));
        seen = [...seen, ...(given.forward ? untouched : untouched.reverse())];
        const expected = order.slice(0, page.more ? seen.length : order.length);
        if (JSON.stringify(seen) !== JSON.stringify(expected)) {
          scene.fail("a walk meets every untouched record once", expected, seen);
        }
        if (!page.more) return;
        const act = given.acts[i];
        if (act !== undefined) await disturb(scene, act, ids[act.which], i);
        const key = given.forward ? "after" : "before";
        page = await scene.query("people", { page: { [key]: page.cursor } });
      }
      scene.fail("a walk ends", order, seen);
    },
  }),
  defineLaw({
    id: "asked-again-and-again",
    title:
      "an equality asked often, of a table that changes, is answered as by looking at each record",
    rules: ["F-8", "F-9"],
    tier: "strict",
    needs: ["records"],
    share: 0.3,
    cases: () =>
      fc.record({
        fixture: fixtureArbitrary(40),
        value: oneOf(NAMES),
        age: oneOf(AGES),
        changes: fc.array(fc.tuple(fc.nat({ max: 39 }), oneOf(NAMES)), { maxLength: 3 }),
      }),
    async check(scene, given) {
      const records = recordsOf(given).map((record) => ({ ...record }) as { [key: string]: Json });
      const asks = [-1, ...given.changes.keys()];
      for (const i of asks) {
        const [which, name] = given.changes[i] ?? [];
        const record = records[which ?? -1];
        if (record !== undefined && name !== undefined) {
          record.name = name;
          await write(scene, "PATCH", String(record.id), { name }, { status: 200 });
        }
        const wanted = records.filter((each) => each.name === given.value);
        const older = wanted.filter((each) => Number(each.age ?? -9) >= given.age);
        const ids = (some: typeof wanted): string[] => some.map(({ id }) => String(id));
        for (let again = 0; again < 3; again++) {
          const filter = { name: given.value };
          await scene.query("people", { filter, page: { size: 50 } });
          scene.expect({ ids: { unordered: ids(wanted) } }, "often asked is as once asked");
          const both = { ...filter, age: { $ge: given.age } };
          await scene.query("people", { filter: both, page: { size: 50 } });
          scene.expect({ ids: { unordered: ids(older) } }, "often asked is as once asked");
        }
      }
    },
  }),
];

async function disturb(
  scene: Scene,
  act: { readonly kind: string; readonly record: JsonObject },
  id: string | undefined,
  step: number,
): Promise<void> {
  if (act.kind === "insert") await write(scene, "PUT", `q${step}`, act.record, { status: 201 });
  if (id === undefined) return;
  const there = await scene.send({ method: "GET", path: `${DATA}/${id}` });
  if (readPointer(there.body, "/id") !== id) return;
  if (act.kind === "delete") await write(scene, "DELETE", id, undefined, { status: 204 });
  if (act.kind === "change") await write(scene, "PUT", id, act.record, { status: 200 });
}
