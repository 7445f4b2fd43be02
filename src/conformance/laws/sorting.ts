import fc from "fast-check";
import type { Json } from "../../types.js";
import { readPointer } from "../vectors/pattern.js";
import { fixtureArbitrary, idsOf, type SortKeys, sortArbitrary } from "./cases.js";
import { defineLaw, type Law, type LawCase } from "./law.js";
import type { ScenePage } from "./scene.js";

function withSort(least = 1): fc.Arbitrary<LawCase & { readonly keys: SortKeys }> {
  return fc.record({ fixture: fixtureArbitrary(), keys: sortArbitrary(least) });
}

/** The sort keys as pointers into a record; a datetime compares as a number. */
function orderedBy(keys: SortKeys): { readonly [pointer: string]: "asc" | "desc" }[] {
  return keys.map((key) => {
    const [path = "", direction = "asc"] = Object.entries(key)[0] ?? [];
    return { [`/${path.replaceAll(".", "/")}`]: direction };
  });
}

/** The ids of a page in groups of equal keys. */
function groupIds(page: ScenePage, keys: SortKeys): string[][] {
  const groups: string[][] = [];
  let last: string | undefined;
  for (const record of page.records) {
    const values = orderedBy(keys).map(
      (key) => readPointer(record, Object.keys(key)[0] ?? "") ?? null,
    );
    const text = JSON.stringify(values);
    if (text === last) groups.at(-1)?.push(record.id);
    else groups.push([record.id]);
    last = text;
  }
  return groups;
}

/** Laws of order. */
export const SORT_LAWS: readonly Law[] = [
  defineLaw({
    id: "sort-permutes",
    title: "a sort gives the same records in another order",
    rules: ["S-1"],
    tier: "core",
    cases: () => withSort(),
    async check(scene, given) {
      await scene.query("people", { sort: given.keys as Json });
      scene.expect({ ids: { unordered: idsOf(given) } }, "a sort loses and adds nothing");
      const [only] = given.keys;
      if (given.keys.length !== 1 || only === undefined) return;
      await scene.query("people", { sort: only });
      scene.expect({ ids: { unordered: idsOf(given) } }, "a sort may be one object");
    },
  }),
  defineLaw({
    id: "a-further-key-refines",
    title: "a further key only orders what was equal before",
    rules: ["S-1", "S-3"],
    tier: "core",
    cases: () => withSort(2),
    async check(scene, { keys }) {
      const [main, second] = keys;
      if (main === undefined || second === undefined) return;
      const coarse = groupIds(await scene.query("people", { sort: [main] }), [main]);
      const fine = groupIds(await scene.query("people", { sort: [main, second] }), [main]);
      const rank = new Map(fine.flat().map((id, i) => [id, i]));
      const expected = coarse.flatMap((group) =>
        [...group].sort((a, b) => (rank.get(a) ?? 0) - (rank.get(b) ?? 0)),
      );
      scene.expect({ ids: { exact: expected } }, "a further key only refines");
    },
  }),
  defineLaw({
    id: "random-permutes",
    title: "a random order holds every record once, and its pages join to it",
    rules: ["S-4", "G-6"],
    tier: "strict",
    cases: () => fc.record({ fixture: fixtureArbitrary(), size: fc.integer({ min: 1, max: 4 }) }),
    async check(scene, given) {
      const all = idsOf(given);
      const whole = await scene.query("people", { sort: { "*": "random" } });
      scene.expect({ ids: { unordered: all } }, "a random order loses and adds nothing");
      const { size } = given;
      const page = await scene.query("people", { page: { start: whole.cursor, size } });
      scene.expect({ ids: { exact: whole.ids.slice(0, size) } }, "start repeats a random order");
      await scene.query("people", { page: { after: page.cursor } });
      const next = whole.ids.slice(size, 2 * size);
      scene.expect({ ids: { exact: next } }, "a random order goes on where it was");
    },
  }),
  defineLaw({
    id: "random-breaks-ties",
    title: "a random key orders only what the keys before it leave equal",
    rules: ["S-4", "S-1"],
    tier: "core",
    cases: () => withSort(),
    async check(scene, given) {
      const [main = { name: "asc" }] = given.keys;
      const groups = groupIds(await scene.query("people", { sort: [main] }), [main]);
      const mixed = await scene.query("people", { sort: [main, { "*": "random" }] });
      const rank = new Map(mixed.ids.map((id, i) => [id, i]));
      const expected = groups.flatMap((group) =>
        [...group].sort((a, b) => (rank.get(a) ?? 0) - (rank.get(b) ?? 0)),
      );
      scene.expect({ ids: { exact: expected } }, "random only breaks ties");
    },
  }),
];
