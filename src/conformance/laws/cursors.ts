import fc from "fast-check";
import { damageText } from "../vectors/variables.js";
import { fixtureArbitrary, oneOf, sortArbitrary, totalSort } from "./cases.js";
import { defineLaw, type Law } from "./law.js";
import { pagesCase, queryOf } from "./pages.js";
import { branchPath, type SceneQuery } from "./scene.js";

/** Laws of cursors that are refused. */
export const CURSOR_LAWS: readonly Law[] = [
  defineLaw({
    id: "wrong-ranges-are-refused",
    title: "a range whose pages overlap or come the wrong way round is refused",
    rules: ["G-9"],
    tier: "core",
    cases: () => fc.record({ ...pagesCase(), low: fc.nat({ max: 3 }), up: fc.nat({ max: 3 }) }),
    async check(scene, given) {
      const query = queryOf(given);
      const [low, high] = [given.low, given.low + given.up];
      const first = await scene.query("people", { ...query, page: { size: 1, offset: low } });
      const second = await scene.query("people", { ...query, page: { size: 1, offset: high } });
      if (second.ids.length === 0) return;
      const body = { page: { after: second.cursor, before: first.cursor } };
      await scene.send(askPeople(body), { fails: true });
    },
  }),
  defineLaw({
    id: "cursors-take-no-other-query",
    title: "beside a cursor a filter or sort is refused, columns and size are not",
    rules: ["G-7", "G-8"],
    tier: "core",
    cases: () =>
      fc.record({
        ...pagesCase(),
        key: oneOf(["after", "before", "start", "end"]),
        other: oneOf(["after", "before", "start", "end"]),
      }),
    async check(scene, given) {
      const { cursor } = await scene.query("people", { ...queryOf(given), page: { size: 2 } });
      const page = { [given.key]: cursor };
      await scene.send(askPeople({ filter: given.filter, page }), { fails: true });
      await scene.send(askPeople({ sort: totalSort(given.keys), page }), { fails: true });
      await scene.query("people", { columns: ["age"], page: { ...page, size: 1 } });
      const alone = ["start", "end"];
      if (
        given.key !== given.other &&
        [given.key, given.other].some((key) => alone.includes(key))
      ) {
        const both = { ...page, [given.other]: cursor };
        await scene.send(askPeople({ page: both }), { fails: true });
      }
    },
  }),
  defineLaw({
    id: "damaged-cursors-are-refused",
    title: "a cursor with any character changed is refused",
    rules: ["G-13"],
    tier: "core",
    cases: () =>
      fc.record({
        fixture: fixtureArbitrary(2),
        keys: sortArbitrary(),
        at: fc.nat({ max: 400 }),
        key: oneOf(["after", "before", "start", "end"]),
      }),
    async check(scene, { keys, at, key }) {
      const { cursor } = await scene.query("people", { sort: totalSort(keys), page: { size: 1 } });
      const body = { page: { [key]: damageText(cursor, at) } };
      await scene.send(askPeople(body), { fails: true, error: { code: "invalid_cursor" } });
    },
  }),
  defineLaw({
    id: "foreign-cursors-are-refused",
    title: "a cursor of another table is refused",
    rules: ["G-13"],
    tier: "complete",
    cases: () =>
      fc.record({
        fixture: fixtureArbitrary(2),
        key: oneOf(["after", "before", "start", "end"]),
      }),
    async check(scene, { key }) {
      const { cursor } = await scene.query("teams", { page: { size: 1 } });
      const body = { page: { [key]: cursor } };
      await scene.send(askPeople(body), { status: 400, error: { code: "invalid_cursor" } });
    },
  }),
];

function askPeople(body: SceneQuery): { method: string; path: string; body: SceneQuery } {
  return { method: "POST", path: branchPath(`/tables/people/query`), body };
}
