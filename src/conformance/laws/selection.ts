import fc from "fast-check";
import type { Json } from "../../types.js";
import { isObject } from "../vectors/pattern.js";
import {
  filterArbitrary,
  fixtureArbitrary,
  type JsonObject,
  oneOf,
  sortArbitrary,
  totalSort,
} from "./cases.js";
import { defineLaw, type Law } from "./law.js";
import type { SceneRecord } from "./scene.js";

const PATHS: readonly string[] = [
  "name",
  "age",
  "at",
  "labels",
  "place",
  "place.zip",
  "place.*",
  "place.city",
];

function withColumns() {
  return fc.record({
    fixture: fixtureArbitrary(),
    columns: fc.array(oneOf(PATHS), { maxLength: 3 }),
    filter: fc.oneof({ weight: 3, arbitrary: fc.constant<JsonObject>({}) }, filterArbitrary(1)),
    keys: sortArbitrary(),
  });
}

/** What a selection leaves of a whole record, its metadata as it was. */
function prune(record: SceneRecord, columns: readonly string[], metadata: string): Json {
  const kept = (path: string): boolean => columns.some((column) => covers(column, path));
  const walk = (value: unknown, path: string): unknown => {
    if (kept(path)) return value;
    if (!isObject(value)) return undefined;
    const inner = Object.entries(value)
      .map(([key, member]) => [key, walk(member, `${path}.${key}`)])
      .filter(([, member]) => member !== undefined);
    return inner.length === 0 ? undefined : Object.fromEntries(inner);
  };
  const entries = Object.entries(record).map(([key, value]) => [
    key,
    key === "id" || key === metadata ? value : walk(value, key),
  ]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as Json; // from JSON
}

function covers(column: string, path: string): boolean {
  const base = column.endsWith(".*") ? column.slice(0, -2) : column;
  return path === base || path.startsWith(`${base}.`);
}

/** Laws of column selection. */
export const SELECTION_LAWS: readonly Law[] = [
  defineLaw({
    id: "selection-only-leaves-out",
    title: "selected records are the whole ones with columns left out, in the same order",
    rules: ["P-2", "P-4", "R-1"],
    tier: "core",
    cases: withColumns,
    async check(scene, { columns, filter, keys }) {
      const { metadataColumn } = scene.traits.profile;
      const query = { filter, sort: totalSort(keys) };
      const whole = await scene.query("people", query);
      await scene.query("people", { ...query, columns });
      const records = whole.records.map((record) => prune(record, columns, metadataColumn));
      scene.expect({ records: { exact: records } }, "a selection only leaves out columns");
    },
  }),
  defineLaw({
    id: "star-is-everything",
    title: "* and no selection give the same",
    rules: ["P-3", "P-1"],
    tier: "core",
    cases: withColumns,
    async check(scene, { columns, filter }) {
      const query = { filter, sort: { id: "asc" } };
      const whole = await scene.query("people", query);
      const records = whole.records as unknown as Json[]; // from JSON
      await scene.query("people", { ...query, columns: ["*"] });
      scene.expect({ records: { exact: records } }, "* is every column");
      await scene.query("people", { ...query, columns: ["*", ...columns] });
      scene.expect({ records: { exact: records } }, "* takes in every column");
    },
  }),
];
