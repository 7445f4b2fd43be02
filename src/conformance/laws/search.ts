import fc from "fast-check";
import { readPointer } from "../../errors.js";
import type { Json } from "../../types.js";
import {
  boosterArbitrary,
  datedArbitrary,
  documentArbitrary,
  documentsArbitrary,
  PATHS,
  searchArbitrary,
  textArbitrary,
} from "../arbitraries/documents.js";
import { oneOf, recordsOf } from "../arbitraries/people.js";
import { boostHits, type OracleBooster } from "../oracle/boosters.js";
import { type JsonObject, requireTable } from "../oracle/model.js";
import {
  evaluateSearch,
  itemsOf,
  matchesOf,
  type OracleSearch,
  similarityOf,
  wordsOf,
} from "../oracle/search.js";
import type { OracleCommand } from "../oracle/world.js";
import type { OracleWrite } from "../oracle/write.js";
import type { Fixture } from "../target/target.js";
import { databaseAt, play, worldOf } from "./commands.js";
import { databaseOf } from "./compare.js";
import {
  compareBranchHits,
  compareHits,
  countIn,
  hitsIn,
  idsOf,
  requestOf,
  search,
} from "./hits.js";
import { defineLaw, type Law } from "./law.js";
import { branchPath } from "./scene.js";

export const SEARCH_LAWS: readonly Law[] = [
  defineLaw({
    id: "searches-equal-the-oracle",
    title: "searches equal the oracle, after each write and in each branch",
    rules: ["Q-1", "Q-2", "Q-3", "Q-4", "Q-5", "Q-6", "Q-7", "Q-8", "B-1"],
    tier: "strict",
    needs: ["search", "records"],
    cases: ({ capabilities }) => {
      const write = writeArbitrary(capabilities.has("branches") ? ["main", "twig"] : ["main"]);
      const asked = fc.tuple(searchArbitrary(), fc.option(oneOf([0, 1, 2]), { nil: undefined }));
      return fc.record({
        fixture: documentsArbitrary(),
        searches: fc.array(asked, { minLength: 1, maxLength: 3 }),
        writes: fc.array(write, { minLength: 1, maxLength: 4 }),
      });
    },
    async check(scene, { fixture, searches, writes }) {
      const isBranched = scene.traits.capabilities.has("branches");
      let world = worldOf(scene.traits, fixture);
      for (const command of [undefined, ...(isBranched ? [TWIG] : []), ...writes]) {
        if (command !== undefined) world = await play(scene, world, command);
        const docs = requireTable(databaseAt(world), "docs");
        for (const [given, n] of searches) {
          const filter = n === undefined ? {} : { filter: { n } };
          const found = await search(scene, { ...requestOf(given), ...filter });
          const total = given.query === "" ? countIn(docs, n) : undefined;
          compareHits(scene, found, hitsIn(docs, given, n), { total });
          const { weights: _, ...plain } = given;
          for (const [branch, db] of world.branches) {
            await compareBranchHits(scene, branch, plain, hitsIn(requireTable(db, "docs"), plain));
          }
        }
      }
    },
  }),
  defineLaw({
    id: "pages-of-a-search-join",
    title: "pages of a search join to the whole result",
    rules: ["Q-7", "Q-6"],
    tier: "strict",
    needs: ["search"],
    share: 0.5,
    cases: () =>
      fc.record({
        fixture: documentsArbitrary(),
        given: searchArbitrary(),
        size: fc.integer({ min: 1, max: 3 }),
      }),
    async check(scene, { given, size }) {
      const whole = await search(scene, requestOf(given));
      for (let offset = 0; offset <= whole.hits.length; offset += size) {
        await search(scene, { ...requestOf(given), page: { size, offset } });
        const ids = idsOf(whole.hits).slice(offset, offset + size);
        scene.expect({ ids: { exact: ids } }, "the pages join to the whole result");
        scene.expect({ at: { "/totalCount": whole.totalCount } }, "the total counts all matches");
      }
    },
  }),
  defineLaw({
    id: "highlights-mark-the-matches",
    title: "a highlight marks exactly the matching words of the record's text",
    rules: ["Q-6", "Q-3"],
    tier: "strict",
    needs: ["search"],
    cases: () =>
      fc.record({
        fixture: documentsArbitrary(),
        query: textArbitrary(3),
        fuzziness: oneOf([0, 1, 2]),
      }),
    async check(scene, { fixture, query, fuzziness }) {
      const { hits } = await search(scene, { query, fuzziness });
      const asked = wordsOf(query);
      for (const { id, highlight } of hits) {
        const record = fixture.tables[0]?.records.find((each) => each.id === id) ?? {};
        for (const path of PATHS) {
          const pointer = `/${path.replaceAll(".", "/")}`;
          const texts = itemsOf((readPointer(record, pointer) ?? null) as Json);
          const wanted = texts.map((text) => matchesOf(text, asked, fuzziness));
          const right = wanted.filter((words) => words.length > 0);
          const shown = itemsOf((readPointer(highlight, pointer) ?? null) as Json);
          const marks = shown.map((passage) => markedWords(passage));
          const isOwn = shown.every((passage) =>
            texts.some((text) => text.includes(plain(passage))),
          );
          if (isOwn && JSON.stringify(marks) === JSON.stringify(right.slice(0, 3))) continue;
          scene.fail(`the highlight of ${path} of ${id}`, right, shown);
        }
      }
    },
  }),
  defineLaw({
    id: "boosters-add-what-they-say",
    title: "boosters add to scores by value and filter",
    rules: ["Q-5", "Q-6"],
    tier: "strict",
    needs: ["search"],
    cases: () =>
      fc.record({
        fixture: datedArbitrary(),
        given: textArbitrary(1).map((text): OracleSearch => ({ query: `abc ${text}` })),
        boosters: fc.array(boosterArbitrary(), { minLength: 1, maxLength: 3 }),
      }),
    async check(scene, { fixture, given, boosters }) {
      const found = await search(scene, {
        ...requestOf(given),
        boosters: boosters.map(boosterRequest),
      });
      const table = requireTable(databaseOf(scene.traits, fixture), "docs");
      const columnsOf = new Map(table.records.map(({ id, columns }) => [id, columns]));
      const boosted = boostHits(evaluateSearch(table, given), columnsOf, boosters);
      compareHits(
        scene,
        found,
        boosted.map((hit) => ({ ...hit, table: "docs" })),
        { least: 10 },
      );
    },
  }),
  defineLaw({
    id: "a-branch-is-searched-in-one-order",
    title: "a search of a branch joins searches of its tables, by score",
    rules: ["Q-1", "Q-5", "Q-6", "Q-7"],
    tier: "strict",
    needs: ["search"],
    cases: () => {
      const target = fc.uniqueArray(oneOf(["title", "labels"]), { minLength: 1 });
      const part = fc.record({ target, n: oneOf([0, 1, 2]) }, { requiredKeys: [] });
      const tables = fc.record({ docs: part, notes: part }, { requiredKeys: [] });
      return fc.record({
        fixture: fc
          .tuple(documentsArbitrary(), documentsArbitrary("notes"))
          .map((both): Fixture => ({ tables: both.flatMap((each) => each.tables) })),
        given: searchArbitrary(),
        asked: fc.option(
          tables.filter((some) => Object.keys(some).length > 0),
          { nil: undefined },
        ),
      });
    },
    async check(scene, { fixture, given: { weights: _, ...given }, asked }) {
      const tables = databaseOf(scene.traits, fixture).tables.flatMap((table) => {
        const part = asked === undefined ? {} : asked[table.name as keyof typeof asked];
        return part === undefined ? [] : [{ table, part }];
      });
      const wanted = tables.flatMap(({ table, part }) => {
        const weights = part.target && Object.fromEntries(part.target.map((path) => [path, 1]));
        return hitsIn(table, { ...given, ...(weights !== undefined && { weights }) }, part.n);
      });
      const named = tables.map(({ table: { name }, part: { target, n } }) => ({
        table: name,
        ...(target !== undefined && { target }),
        ...(n !== undefined && { filter: { n } }),
      }));
      const request: JsonObject = { ...given, page: { size: 200 } };
      const body = asked === undefined ? request : { ...request, tables: named };
      await compareBranchHits(scene, "main", body, wanted);
    },
  }),
  defineLaw({
    id: "vectors-come-as-a-loop-orders-them",
    title: "a vector search orders like a plain loop, ties by id",
    rules: ["V-1", "V-2"],
    tier: "strict",
    needs: ["vectorSearch"],
    cases: () => {
      const record = fc.record({ v: vectorArbitrary(), n: oneOf([0, 1]) }, { requiredKeys: ["n"] });
      return fc.record({
        fixture: fc.array(record, { maxLength: 8, size: "max" }).map(vectorsFixture),
        queryVector: vectorArbitrary(),
        similarityFunction: fc.option(oneOf(FUNCTIONS), { nil: undefined }),
        size: fc.integer({ min: 1, max: 9 }),
        n: fc.option(oneOf([0, 1]), { nil: undefined }),
      });
    },
    async check(scene, { fixture, queryVector, similarityFunction, size, n }) {
      const path = branchPath("/tables/items/vectorSearch");
      const body = {
        column: "v",
        queryVector,
        size,
        ...(similarityFunction === undefined ? {} : { similarityFunction }),
        ...(n === undefined ? {} : { filter: { n } }),
      };
      const wanted = recordsOf({ fixture }, "items").flatMap(({ id, v, n: held }) => {
        if (!Array.isArray(v) || (n !== undefined && held !== n)) return [];
        const score = similarityOf(similarityFunction, v.map(Number), queryVector);
        return [{ table: "items", id: String(id), score }];
      });
      compareHits(scene, await search(scene, body, path), wanted, { least: 1, size });
    },
  }),
];

const TWIG: OracleCommand = { kind: "branch", branch: "twig", from: "main" };

function writeArbitrary(branches: readonly string[]): fc.Arbitrary<OracleCommand> {
  const record = fc.option(documentArbitrary(), { freq: 4 });
  return fc
    .record({ branch: oneOf(branches), id: oneOf(["d1", "d2", "new"]), record })
    .map(({ branch, id, record }) => {
      const to = { table: "docs", id };
      const write: OracleWrite =
        record === null ? { kind: "delete", ...to } : { kind: "put", ...to, record };
      return { kind: "write", branch, write };
    });
}

function markedWords(passage: string): string[] {
  return [...passage.matchAll(/<em>(.*?)<\/em>/g)].flatMap(([, word = ""]) => wordsOf(word));
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
  "&#x27;": "'",
  "&amp;": "&",
};

function plain(passage: string): string {
  return passage
    .replace(/<\/?em>/g, "")
    .replace(/&(?:lt|gt|quot|#39|#x27|amp);/g, (entity) => ENTITIES[entity] ?? entity);
}

function boosterRequest(booster: OracleBooster): JsonObject {
  const { kind, only, ...parts } = booster;
  const filter: JsonObject = only === undefined ? {} : { ifMatchesFilter: only.filter };
  if (booster.kind !== "dateBooster") return { [kind]: { ...parts, ...filter } };
  const { column, factor, origin, decay, days } = booster;
  return { [kind]: { column, factor, origin, decay, scale: `${days}d`, ...filter } };
}

const FUNCTIONS = ["cosineSimilarity", "l1", "l2"] as const;

/** Few numbers, so ties are common. */
const COMPONENT = [0, 1, -1, 2, 0.5] as const;

function vectorArbitrary(): fc.Arbitrary<number[]> {
  return fc.array(oneOf(COMPONENT), { minLength: 3, maxLength: 3 });
}

function vectorsFixture(records: readonly JsonObject[]): Fixture {
  return {
    tables: [
      {
        name: "items",
        columns: [
          { name: "v", type: "vector", vector: { dimension: 3 } },
          { name: "n", type: "int" },
        ],
        records: records.map((record, i) => ({ id: `r${i + 1}`, ...record })),
      },
    ],
  };
}
