import fc from "fast-check";
import type { ColumnDefinition, Filter, QueryRequest } from "../../types.js";
import type { LawCase } from "../arbitraries/cases.js";
import { choose, derive, happens, several } from "../arbitraries/choice.js";
import {
  COLUMNS,
  COUNT,
  filtersOf,
  idOf,
  leavesOf,
  makeChanges,
  makeRow,
} from "../arbitraries/many.js";
import type { WalkStep } from "../arbitraries/walk.js";
import { matchingRecords } from "../oracle/evaluate.js";
import type { JsonObject } from "../oracle/model.js";
import { evaluateSearch, wordsOf } from "../oracle/search.js";
import type { OracleWorld } from "../oracle/world.js";
import type { OracleWrite } from "../oracle/write.js";
import { databaseAt, play, worldOf } from "./commands.js";
import { comparePlainPage } from "./compare.js";
import { defineLaw, type Law } from "./law.js";
import { branchPath, type Scene } from "./scene.js";
import { comparePages } from "./walks.js";

interface ManyCase extends LawCase {
  readonly seed: number;
}

export const MANY_LAWS: readonly Law[] = [
  defineLaw({
    id: "many-records-match-as-in-a-loop",
    title: "filters on thousands of records equal a plain loop, also after writes",
    rules: ["F-1", "F-2", "F-3", "F-8", "F-9", "F-10", "F-11", "F-12", "F-13", "F-30", "X-6"],
    tier: "strict",
    needs: ["records", "transaction", "summarize"],
    share: 0.03,
    requests: 350,
    cases: () => manyCases("rows", COLUMNS, COUNT, makeRow),
    async check(scene, given) {
      const filters = [...leavesOf(given.seed), ...filtersOf(given.seed, 12)];
      const again = filters.filter((_, i) => i % 5 === 0);
      // Repeated: caches of the first time are used now.
      const writes = changeRows(scene, given.seed);
      await aroundWrites(scene, given, [[...filters, ...again], writes, again], count);
    },
  }),
  // Separate, so errors of the order are not reported as errors of the filters.
  defineLaw({
    id: "many-records-are-ordered-as-in-a-loop",
    title: "pages of thousands of records equal a plain loop, also after writes",
    rules: ["S-1", "S-3", "S-5", "G-4", "G-5", "G-6"],
    tier: "strict",
    needs: ["records", "transaction"],
    share: 0.02,
    requests: 100,
    cases: () => manyCases("rows", COLUMNS, COUNT, makeRow),
    async check(scene, given) {
      const filters = [{ up: idOf("r", given.seed % COUNT) }, ...filtersOf(given.seed, 2)];
      const writes = changeRows(scene, given.seed);
      await aroundWrites(scene, given, [filters, writes, filters.slice(0, 2)], walkBoth);
    },
  }),
  defineLaw({
    id: "many-words-are-those-of-a-loop",
    title: "searches of thousands of words equal a plain loop, also after writes",
    rules: ["Q-2", "Q-3", "Q-4", "Q-6", "Q-8"],
    tier: "strict",
    needs: ["search", "records", "transaction"],
    share: 0.04,
    requests: 400,
    cases: () => manyCases("notes", [{ name: "text", type: "text" }], TEXTS, makeNote),
    async check(scene, given) {
      const { seed } = given;
      const searches = several(seed, "searches", 16, 16, (each) => makeSearch(each, seed));
      const changes = { table: "notes", count: TEXTS, writes: 300, seed };
      const writes = makeChanges(changes, (i) => ({ text: makeText(seed + 1, i) }));
      await aroundWrites(scene, given, [searches, writes, searches], countHits);
    },
  }),
];

function manyCases(
  name: string,
  columns: readonly ColumnDefinition[],
  count: number,
  make: (seed: number, i: number) => JsonObject,
): fc.Arbitrary<ManyCase> {
  return fc.noShrink(fc.nat()).map((seed) => {
    const records = Array.from({ length: count }, (_, i) => make(seed, i));
    return { seed, fixture: { tables: [{ name, columns, records }] } };
  });
}

/** Compares with the oracle before and after many writes. */
async function aroundWrites<Asked>(
  scene: Scene,
  { fixture }: ManyCase,
  [before, writes, after]: readonly [readonly Asked[], readonly OracleWrite[], readonly Asked[]],
  compare: (scene: Scene, world: OracleWorld, asked: Asked) => Promise<void>,
): Promise<void> {
  let world = worldOf(scene.traits, fixture);
  for (const asked of before) await compare(scene, world, asked);
  for (let from = 0; from < writes.length; from += RUN) {
    const some = writes.slice(from, from + RUN);
    world = await play(scene, world, { kind: "transaction", branch: "main", writes: some });
  }
  for (const asked of after) await compare(scene, world, asked);
}

/** Without links where one to a deleted record would refuse its whole transaction (T-18). */
function changeRows({ traits }: Scene, seed: number): OracleWrite[] {
  const changes = { table: "rows", count: COUNT, writes: MANY_WRITES, seed };
  return makeChanges(changes, (i) => {
    const row = makeRow(seed + 1, i);
    if (traits.profile.links === "free") return row;
    const { up: _, ...rest } = row;
    return rest;
  });
}

/** Enough for caches and indexes to be made anew. */
const MANY_WRITES = 2600;
/** Operations of a transaction; one that writes an eighth of the records drops the indexes. */
const RUN = 500;

async function count(scene: Scene, world: OracleWorld, filter: JsonObject): Promise<void> {
  const matching = matchingRecords(databaseAt(world), "rows", filter as Filter); // a filter of these columns
  const numbers = matching.flatMap(({ columns: { n } }) => (typeof n === "number" ? [n] : []));
  const sum = numbers.length === 0 ? null : numbers.reduce((a, b) => a + b, 0);
  // Aggregations take only some filters under `xata`.
  const body = { filter, summaries: { count: { count: "*" }, sum: { sum: "n" } } };
  const request = { method: "POST", path: branchPath("/tables/rows/summarize"), body };
  const json = { summaries: [{ count: matching.length, sum }] };
  await scene.send(request, { status: 200, json });
}

/** Forward and backward, in the default order and by two keys. */
async function walkBoth(scene: Scene, world: OracleWorld, filter: JsonObject): Promise<void> {
  for (const sort of [{}, { sort: [{ kind: "asc" }, { n: "desc" }] }]) {
    const query = { columns: ["id"], filter, ...sort, page: { size: 100 } } as QueryRequest; // JSON
    const walk = { table: "rows", query, steps: PAGES };
    await comparePages(scene, databaseAt(world), walk, { compare: comparePlainPage });
  }
}

const PAGES: readonly WalkStep[] = [
  { kind: "next", of: 0 },
  { kind: "back", size: 150 },
  { kind: "previous", of: 0, offset: 30 },
];

const TEXTS = 900;
/** Some have two code units. U+FE73 precedes them by code point and follows them by code unit. */
const LETTERS = [..."aabbcdeé", "\u{10330}", "\u{10331}", "\ufe73"];

function makeNote(seed: number, i: number): JsonObject {
  return { id: idOf("r", i), text: makeText(seed, i) };
}

function makeText(seed: number, i: number): string {
  return several(derive(seed, `text ${i}`), "word", 1, 5, makeWord).join(" ");
}

function makeWord(seed: number): string {
  return several(seed, "letters", 2, 7, (each) => choose(each, "letter", LETTERS)).join("");
}

type Search = Parameters<typeof evaluateSearch>[1];

function makeSearch(seed: number, texts: number): Search {
  const own = wordsOf(makeText(texts, derive(seed, "text") % TEXTS));
  if (happens(seed, "phrase", 0.25)) {
    const from = derive(seed, "from") % own.length;
    const phrase = own.slice(from, from + 2);
    const cut = [...(phrase.at(-1) ?? "")].slice(0, 1 + (derive(seed, "cut") % 4)).join("");
    return { query: [...phrase.slice(0, -1), cut].join(" "), prefix: "phrase" };
  }
  const fuzziness = derive(seed, "fuzziness") % 3;
  return { query: spoil(seed, choose(seed, "own", own), derive(seed, "edits") % 3), fuzziness };
}

function spoil(seed: number, word: string, edits: number): string {
  const letters = [...word];
  for (let i = 0; i < edits; i++) {
    const at = derive(seed, `at ${i}`) % letters.length;
    const form = derive(seed, `form ${i}`) % 4;
    const letter = choose(seed, `letter ${i}`, LETTERS);
    if (form === 0) letters.splice(at, 0, letter);
    else if (form === 1) letters[at] = letter;
    else if (form === 2 && letters.length > 3) letters.splice(at, 1);
    else letters.splice(at, 2, ...letters.slice(at, at + 2).reverse());
  }
  return wordsOf(letters.join("")).join("");
}

async function countHits(scene: Scene, world: OracleWorld, search: Search): Promise<void> {
  const [table] = databaseAt(world).tables;
  const totalCount = table === undefined ? 0 : evaluateSearch(table, search).length;
  const path = branchPath("/tables/notes/search");
  const body = { ...search, page: { size: 1 } };
  await scene.send(
    { method: "POST", path, body },
    { status: 200, at: { "/totalCount": totalCount } },
  );
}
