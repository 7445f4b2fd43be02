import fc from "fast-check";
import type { Json } from "../../types.js";
import {
  fixtureArbitrary,
  type JsonObject,
  leafArbitrary,
  leafFilter,
  oneOf,
  type SortKeys,
  sortArbitrary,
  totalSort,
} from "./cases.js";
import { defineLaw, type Law, type LawCase } from "./law.js";
import type { Scene, ScenePage, SceneQuery } from "./scene.js";

/** A case of a query whose answer is paged through. */
export interface PagesCase extends LawCase {
  readonly keys: SortKeys;
  readonly filter: JsonObject;
  readonly columns: readonly string[];
}

/** The parts of such a case. */
export function pagesCase(): { [part in keyof PagesCase]: fc.Arbitrary<PagesCase[part]> } {
  const filter = fc.oneof(
    { weight: 3, arbitrary: fc.constant<JsonObject>({}) },
    leafArbitrary().map(leafFilter),
  );
  return {
    fixture: fixtureArbitrary(8),
    keys: sortArbitrary(),
    filter,
    columns: fc.subarray(["name", "age"]),
  };
}

const SIZE = fc.integer({ min: 1, max: 4 });

/** The query of a case. */
export function queryOf(given: PagesCase): SceneQuery {
  return { filter: given.filter, sort: totalSort(given.keys), columns: [...given.columns] };
}

/** Every record of a case's query. */
function readWhole(scene: Scene, given: PagesCase): Promise<ScenePage> {
  return scene.query("people", { ...queryOf(given), page: { size: 50 } });
}

/** The latest page has to be the records from one place of the whole up to another. */
function expectSlice(
  scene: Scene,
  whole: ScenePage,
  [from, to]: readonly [number, number],
  more: boolean,
  why: string,
): void {
  const ids = whole.ids.slice(from, to);
  scene.expect({ status: 200, ids: { exact: ids }, page: { more } }, why);
  const records = whole.records.slice(from, to) as unknown as Json[]; // from JSON
  scene.expect({ status: 200, records: { exact: records }, page: { more } }, why);
}

/** Laws of pages over what stays as it is. */
export const PAGE_LAWS: readonly Law[] = [
  defineLaw({
    id: "pages-join-forward",
    title: "pages of any sizes join to the whole, each full but the last",
    rules: ["G-5", "G-2", "G-4", "G-3"],
    tier: "core",
    cases: () =>
      fc.record({ ...pagesCase(), sizes: fc.array(SIZE, { minLength: 1, maxLength: 3 }) }),
    async check(scene, given) {
      const whole = await readWhole(scene, given);
      const length = whole.ids.length;
      let [at, cursor] = [0, ""];
      for (let i = 0; i <= length + 1; i++) {
        const size = given.sizes[i % given.sizes.length] ?? 1;
        const page = await scene.query(
          "people",
          i === 0 ? { ...queryOf(given), page: { size } } : { page: { after: cursor, size } },
        );
        expectSlice(scene, whole, [at, at + size], at + size < length, "pages join to the whole");
        if (!page.more) return;
        at += size;
        cursor = page.cursor;
      }
    },
  }),
  defineLaw({
    id: "more-tells-of-the-next-page",
    title: "more is true exactly when the next page holds something",
    rules: ["G-2"],
    tier: "core",
    cases: () => fc.record({ ...pagesCase(), size: SIZE }),
    async check(scene, given) {
      const page = await scene.query("people", { ...queryOf(given), page: { size: given.size } });
      const next = await scene.query("people", { page: { after: page.cursor } });
      if (next.ids.length > 0 === page.more) return;
      scene.fail("more tells of the next page", page.more, next.ids.length > 0);
    },
  }),
  defineLaw({
    id: "offset-is-a-position",
    title: "an offset is a position in the whole",
    rules: ["G-1", "G-2"],
    tier: "core",
    cases: () => fc.record({ ...pagesCase(), size: SIZE, offset: fc.nat({ max: 9 }) }),
    async check(scene, given) {
      const { size, offset } = given;
      const whole = await readWhole(scene, given);
      await scene.query("people", { ...queryOf(given), page: { size, offset } });
      const more = offset + size < whole.ids.length;
      expectSlice(scene, whole, [offset, offset + size], more, "an offset is a position");
    },
  }),
  defineLaw({
    id: "before-undoes-after",
    title: "the page before the page after is the page itself",
    rules: ["G-5"],
    tier: "core",
    cases: () => fc.record({ ...pagesCase(), size: SIZE }),
    async check(scene, given) {
      const page = { size: given.size };
      const first = await scene.query("people", { ...queryOf(given), page });
      if (!first.more) return;
      const second = await scene.query("people", { page: { after: first.cursor } });
      await scene.query("people", { page: { before: second.cursor } });
      scene.expect({ ids: { exact: first.ids } }, "before undoes after");
    },
  }),
  defineLaw({
    id: "after-end-is-empty",
    title: "after end there is nothing, and nothing after that",
    rules: ["G-10"],
    tier: "core",
    cases: () => fc.record(pagesCase()),
    async check(scene, given) {
      const tail = await scene.query("people", { ...queryOf(given), page: { after: "end" } });
      scene.expect({ ids: { exact: [] }, page: { more: false } }, "after end there is nothing yet");
      await scene.query("people", { page: { after: tail.cursor } });
      scene.expect({ ids: { exact: [] }, page: { more: false } }, "nothing has come since");
    },
  }),
  defineLaw({
    id: "ranges-lie-between",
    title: "a range is what lies between two pages, and goes on page by page",
    rules: ["G-9", "G-2"],
    tier: "complete",
    cases: () =>
      fc.record({
        ...pagesCase(),
        from: fc.nat({ max: 3 }),
        gap: fc.nat({ max: 4 }),
        size: SIZE,
        end: fc.boolean(),
      }),
    async check(scene, given) {
      const whole = await readWhole(scene, given);
      const { from, gap, size } = given;
      const length = whole.ids.length;
      const to = given.end ? length : from + 1 + gap;
      if (from >= length || to < from + 1 || (!given.end && to >= length)) return;
      const query = queryOf(given);
      const low = await scene.query("people", { ...query, page: { size: 1, offset: from } });
      const high = given.end
        ? "end"
        : (await scene.query("people", { ...query, page: { size: 1, offset: to } })).cursor;
      let [at, cursor] = [from + 1, low.cursor];
      for (let i = 0; i <= length; i++) {
        const page = await scene.query("people", { page: { after: cursor, before: high, size } });
        const until = Math.min(at + size, to);
        expectSlice(scene, whole, [at, until], until < to, "a range lies between its pages");
        if (!page.more) return;
        at = until;
        cursor = page.cursor;
      }
    },
  }),
  defineLaw({
    id: "random-walk",
    title: "any walk over pages goes where positions say, gaps too",
    rules: ["G-11", "G-5", "G-2", "G-6"],
    tier: "complete",
    cases: () => {
      const move = fc.record({
        kind: oneOf(["after", "before", "start", "end"] as const),
        size: fc.option(SIZE, { nil: undefined }),
        offset: oneOf([0, 0, 0, 1, 2, 9]),
      });
      return fc.record({
        ...pagesCase(),
        size: SIZE,
        moves: fc.array(move, { minLength: 1, maxLength: 6 }),
      });
    },
    async check(scene, given) {
      const whole = await readWhole(scene, given);
      const length = whole.ids.length;
      let size = given.size;
      let page = await scene.query("people", { ...queryOf(given), page: { size } });
      let [low, high] = [0, Math.min(size, length)];
      for (const move of given.moves) {
        size = move.size ?? size;
        const keys = { [move.kind]: page.cursor, offset: move.offset, size };
        page = await scene.query("people", { page: keys });
        const backward = move.kind === "before" || move.kind === "end";
        if (backward) {
          high = Math.max(0, (move.kind === "end" ? length : low) - move.offset);
          low = Math.max(0, high - size);
        } else {
          low = Math.min(length, (move.kind === "start" ? 0 : high) + move.offset);
          high = Math.min(length, low + size);
        }
        const more = backward ? low > 0 : high < length;
        expectSlice(scene, whole, [low, high], more, "a walk goes where positions say");
      }
    },
  }),
  defineLaw({
    id: "start-and-end",
    title: "start and end give the first and last page of any cursor's query",
    rules: ["G-6", "G-4"],
    tier: "complete",
    cases: () => fc.record({ ...pagesCase(), size: SIZE, offset: fc.nat({ max: 6 }) }),
    async check(scene, given) {
      const { size, offset } = given;
      const whole = await readWhole(scene, given);
      const length = whole.ids.length;
      const { cursor } = await scene.query("people", {
        ...queryOf(given),
        page: { size, offset },
      });
      await scene.query("people", { page: { start: cursor } });
      expectSlice(scene, whole, [0, size], size < length, "start gives the first page");
      await scene.query("people", { page: { end: cursor } });
      const from = Math.max(0, length - size);
      expectSlice(scene, whole, [from, length], from > 0, "end gives the last page");
      await scene.query("people", { ...queryOf(given), page: { before: "end", size } });
      expectSlice(scene, whole, [from, length], from > 0, "before end gives the last page");
    },
  }),
];
