import fc from "fast-check";
import type { ColumnDefinition, Json } from "../../types.js";
import { choose, derive, happens, several } from "../arbitraries/choice.js";
import type { JsonObject } from "./cases.js";
import { defineLaw, type Law, type LawCase } from "./law.js";
import { branchPath, type Scene } from "./scene.js";

/** What a condition says of a record; null where it compares with null (rule F-30). */
type Truth = boolean | null;

interface Condition {
  readonly filter: JsonObject;
  readonly test: (record: JsonObject) => Truth;
}

interface ManyCase extends LawCase {
  readonly seed: number;
}

/** Records enough to be stored in more than one part, whatever a service makes of it. */
const COUNT = 4300;
const COLUMNS: readonly ColumnDefinition[] = [
  { name: "n", type: "int" },
  { name: "f", type: "float" },
  { name: "on", type: "bool" },
  { name: "at", type: "datetime" },
  { name: "kind", type: "string" },
  { name: "body", type: "text" },
  { name: "labels", type: "multiple" },
  { name: "up", type: "link", link: { table: "rows" } },
];
const WORDS =
  "ant bee cat dog elk fox gnu hen ibis jay kite lynx antelope beetle ¿que? naïve".split(" ");
const KINDS = WORDS.slice(0, 7);
const LABELS = WORDS.slice(3, 15);

/** Laws of a table with thousands of records, against plain loops. */
export const MANY_LAWS: readonly Law[] = [
  defineLaw({
    id: "many-records-match-as-in-a-loop",
    title: "of thousands of records conditions match those of a loop, also after writes",
    rules: ["F-1", "F-2", "F-3", "F-8", "F-10", "F-11", "F-12", "F-13", "F-30", "X-6"],
    tier: "strict",
    needs: ["records", "transaction", "aggregate"],
    share: 0.03,
    requests: 300,
    cases: manyCases,
    async check(scene, given) {
      const held = recordsById(given);
      const conditions = conditionsOf(scene, given.seed, 12);
      const again = conditions.slice(0, 6);
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

function conditionsOf({ traits }: Scene, seed: number, size: number): Condition[] {
  const isSql = traits.profile.nullComparison === "sql";
  return several(seed, "conditions", size, size, (each) => makeCondition(each, isSql));
}

function makeRecord(seed: number, i: number): JsonObject {
  const at = derive(seed, `record ${i}`);
  const isThere = (name: string): boolean => !happens(at, `no ${name}`, 0.1);
  const labels = several(at, "labels", 0, 3, (each) => choose(each, "label", LABELS));
  const body = several(at, "body", 0, 9, (each) => choose(each, "word", WORDS)).join(" ");
  return {
    id: `r${i}`,
    ...(isThere("n") ? { n: (derive(at, "n") % 9000) - 4500 } : {}),
    ...(isThere("f") ? { f: (derive(at, "f") % 64) / 8 } : {}),
    ...(isThere("on") ? { on: happens(at, "on", 0.3) } : {}),
    ...(isThere("at")
      ? { at: new Date((derive(at, "at") % 1000) * 86_400_000).toISOString().replace(".000", "") }
      : {}),
    ...(isThere("kind") ? { kind: choose(at, "kind", KINDS) } : {}),
    ...(isThere("body") ? { body: happens(at, "own", 0.5) ? `${body} ${i}` : body } : {}),
    ...(isThere("labels") ? { labels } : {}),
    ...(isThere("up") ? { up: `r${derive(at, "up") % (COUNT + 50)}` } : {}),
  };
}

/** A condition on a column, or some of them joined or negated. */
function makeCondition(seed: number, isSql: boolean): Condition {
  const leaf = (label: string): Condition => makeLeaf(derive(seed, label), isSql);
  const form = derive(seed, "form") % 6;
  if (form === 3) {
    const parts = [leaf("a"), leaf("b")];
    const test = (record: JsonObject): Truth => all(parts.map((part) => part.test(record)));
    return { filter: { $all: parts.map(({ filter }) => filter) }, test };
  }
  if (form === 4) {
    const parts = [leaf("a"), leaf("b"), leaf("c")];
    const test = (record: JsonObject): Truth =>
      negate(all(parts.map((part) => negate(part.test(record), true))), true);
    return { filter: { $any: parts.map(({ filter }) => filter) }, test };
  }
  const { filter, test } = leaf("a");
  if (form !== 5) return { filter, test };
  return { filter: { $not: filter }, test: (record) => negate(test(record), isSql) };
}

function all(truths: readonly Truth[]): Truth {
  if (truths.includes(false)) return false;
  return truths.includes(null) ? null : true;
}

function negate(truth: Truth, isSql: boolean): Truth {
  if (truth === null) return isSql ? null : true;
  return !truth;
}

function makeLeaf(seed: number, isSql: boolean): Condition {
  const word = choose(seed, "word", WORDS);
  const number = derive(seed, "number");
  const text = `${choose(seed, "first", WORDS)} ${word}`;
  const forms: readonly (() => Condition)[] = [
    () => onText({ $contains: word }, (body) => body.includes(word)),
    () => onText({ $contains: text }, (body) => body.includes(text)),
    () => onText({ $contains: word.slice(1, 3) }, (body) => body.includes(word.slice(1, 3))),
    () => onText({ $startsWith: word }, (body) => body.startsWith(word)),
    () =>
      onText({ $endsWith: ` ${number % COUNT}` }, (body) => body.endsWith(` ${number % COUNT}`)),
    () => onText({ $iContains: word.toUpperCase() }, (body) => body.includes(word)),
    () =>
      onText({ $pattern: `*${word.slice(0, 1)}?${word.slice(2, 3)}*` }, (body) =>
        matchesGap(body, word),
      ),
    () =>
      on(
        "kind",
        { $is: choose(seed, "kind", KINDS) },
        (kind) => kind === choose(seed, "kind", KINDS),
      ),
    () => {
      const some = KINDS.filter((kind) => happens(seed, kind, 0.5));
      return on("kind", { $any: some }, (kind) => some.includes(String(kind)));
    },
    () => on("n", { $gt: (number % 9000) - 4500 }, (n) => Number(n) > (number % 9000) - 4500),
    () =>
      on(
        "n",
        { $ge: -number % 4000, $lt: number % 4000 },
        (n) => Number(n) >= -(number % 4000) && Number(n) < number % 4000,
      ),
    () => on("f", { $le: (number % 64) / 8 }, (f) => Number(f) <= (number % 64) / 8),
    () => on("f", { $is: (number % 64) / 8 }, (f) => f === (number % 64) / 8),
    () => on("on", happens(seed, "on", 0.5), (is) => is === happens(seed, "on", 0.5)),
    () => {
      const day = new Date((number % 1000) * 86_400_000).toISOString().replace(".000", "");
      return on("at", { $lt: day }, (at) => String(at) < day);
    },
    () => ({ filter: { $exists: "body" }, test: ({ body }) => body !== undefined }),
    () => ({ filter: { $notExists: "n" }, test: ({ n }) => n === undefined }),
    () =>
      onItems({ $includes: choose(seed, "label", LABELS) }, (items) =>
        items.includes(choose(seed, "label", LABELS)),
      ),
    () =>
      onItems(
        { $includesNone: [word, ...LABELS.slice(0, 2)] },
        (items) => ![word, ...LABELS.slice(0, 2)].some((each) => items.includes(each)),
      ),
    () =>
      onItems({ $includesAll: { $contains: "e" } }, (items) =>
        items.every((each) => each.includes("e")),
      ),
    () => on("up", `r${number % COUNT}`, (up) => up === `r${number % COUNT}`),
  ];
  const plain = choose(seed, "leaf", forms)();
  if (!happens(seed, "negated", 0.25) || "$exists" in plain.filter || "$notExists" in plain.filter)
    return plain;
  const [[path = "", predicate = null] = []] = Object.entries(plain.filter);
  return {
    filter: { [path]: { $not: predicate } },
    test: (record) => negate(plain.test(record), isSql),
  };
}

function on(path: string, predicate: Json, test: (value: Json) => boolean): Condition {
  return {
    filter: { [path]: predicate },
    test: ({ [path]: value }) => (value === undefined ? null : test(value)),
  };
}

function onText(predicate: Json, test: (text: string) => boolean): Condition {
  return on("body", predicate, (text) => test(String(text)));
}

/** A null list has no items (rule F-14). */
function onItems(predicate: Json, test: (items: readonly string[]) => boolean): Condition {
  return {
    filter: { labels: predicate },
    test: ({ labels = [] }) => test(labels as readonly string[]), // as `multiple` holds
  };
}

function matchesGap(text: string, word: string): boolean {
  const letters = [...text];
  const [first = "", , third] = word;
  return letters.some(
    (letter, i) => letter === first && i + 2 < letters.length && letters[i + 2] === third,
  );
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
