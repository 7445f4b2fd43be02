import fc from "fast-check";
import type { Json } from "../../types.js";
import { evaluateSearch, wordsOf } from "../oracle/search.js";
import type { Fixture } from "../target/target.js";
import { readPointer } from "../vectors/pattern.js";
import { type JsonObject, oneOf } from "./cases.js";
import { defineLaw, type Law } from "./law.js";
import { branchPath } from "./scene.js";
import {
  COLUMNS,
  compareHits,
  documentArbitrary,
  documentsArbitrary,
  idsOf,
  markedWords,
  matchesOf,
  NEARLY,
  oracleOf,
  PATHS,
  plain,
  requestOf,
  search,
  searchArbitrary,
  textArbitrary,
} from "./search-cases.js";

/** Laws of search, against an oracle that has no index. */
export const SEARCH_LAWS: readonly Law[] = [
  defineLaw({
    id: "searches-equal-the-oracle",
    title: "a search finds, scores and orders what looking at each record does",
    rules: ["Q-1", "Q-2", "Q-3", "Q-4", "Q-5", "Q-6"],
    tier: "strict",
    needs: ["search"],
    cases: () =>
      fc.record({
        fixture: documentsArbitrary(),
        searches: fc.array(searchArbitrary(), { minLength: 1, maxLength: 3 }),
      }),
    async check(scene, { fixture, searches }) {
      for (const given of searches) {
        const found = await search(scene, requestOf(given));
        compareHits(scene, found, evaluateSearch(oracleOf(fixture), given));
      }
    },
  }),
  defineLaw({
    id: "searches-see-every-write",
    title: "a search sees every write before it",
    rules: ["Q-8"],
    tier: "strict",
    needs: ["search", "records"],
    cases: () =>
      fc.record({
        fixture: documentsArbitrary(),
        writes: fc.array(fc.tuple(oneOf(["d1", "d2", "new"]), fc.option(documentArbitrary())), {
          minLength: 1,
          maxLength: 3,
        }),
        given: searchArbitrary(),
      }),
    async check(scene, { fixture, writes, given }) {
      const held = new Map((fixture.tables[0]?.records ?? []).map((each) => [each.id, each]));
      await search(scene, requestOf(given));
      for (const [id, document] of writes) {
        const path = branchPath(`/tables/docs/data/${id}`);
        const gone = document === null;
        const status = gone && !held.has(id) ? 404 : [200, 201, 204];
        const request = gone ? { method: "DELETE", path } : { method: "PUT", path, body: document };
        await scene.send(request, { status });
        held.delete(id);
        if (document !== null) held.set(id, { id, ...document });
        const found = await search(scene, requestOf(given));
        const tables = [{ name: "docs", columns: COLUMNS, records: [...held.values()] }];
        compareHits(scene, found, evaluateSearch(oracleOf({ tables }), given));
      }
    },
  }),
  defineLaw({
    id: "filters-come-before-a-search",
    title: "a filter leaves of a search what it matches, each with the score it had",
    rules: ["Q-7", "Q-5"],
    tier: "strict",
    needs: ["search"],
    cases: () =>
      fc.record({ fixture: documentsArbitrary(), given: searchArbitrary(), n: oneOf([0, 1, 2]) }),
    async check(scene, { fixture, given, n }) {
      const oracle = oracleOf(fixture);
      const kept = oracle.records.filter(({ columns }) => columns.n === n).map(({ id }) => id);
      const wanted = evaluateSearch(oracle, given).filter(({ id }) => kept.includes(id));
      compareHits(scene, await search(scene, { ...requestOf(given), filter: { n } }), wanted);
    },
  }),
  defineLaw({
    id: "pages-of-a-search-join",
    title: "pages of a search join to the whole, in the same order",
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
        const ids = idsOf(whole).slice(offset, offset + size);
        scene.expect({ ids: { exact: ids } }, "pages join to the whole");
        scene.expect({ at: { "/totalCount": whole.totalCount } }, "all that match are counted");
      }
    },
  }),
  defineLaw({
    id: "scores-follow-their-laws",
    title:
      "a match more never lowers a score, an equal word is not below a close one, nor more weight below less",
    rules: ["Q-5"],
    tier: "strict",
    needs: ["search"],
    cases: () =>
      fc.record({
        others: fc.array(documentArbitrary(), { maxLength: 3 }),
        words: fc.array(oneOf(["abc", "zz9", "京"]), { maxLength: 3 }),
        weight: fc.integer({ min: 1, max: 9 }),
        // Each pair: the words of the record that must not be below, and of the other.
        pair: oneOf([
          [["abc", "dd1"], ["abc", "zzz9"], "abc dd1"],
          [["abc", "abc"], ["abc", "zzz9"], "abc"],
          [["abc"], ["abcd"], "abc"],
        ] as const),
        fixture: fc.constant<Fixture>({ tables: [] }),
      }),
    async check(scene, { others, words, weight, pair: [above, below, query] }) {
      const title = (some: readonly string[]): string => [...words, ...some].join(" ");
      const records = [
        ...others.map((other, i) => ({ id: `o${i}`, ...other })),
        { id: "above", title: title(above) },
        { id: "below", title: title(below) },
      ];
      const body = { records };
      const path = branchPath("/tables/docs");
      await scene.send({ method: "PUT", path }, { status: [200, 201] });
      const columns = COLUMNS as unknown as Json; // definitions are JSON
      await scene.send({ method: "PUT", path: `${path}/schema`, body: { columns } });
      await scene.send({ method: "POST", path: `${path}/bulk`, body }, { status: 200 });
      const scoresOf = async (given: JsonObject): Promise<Map<string, number>> => {
        const { hits } = await search(scene, given);
        return new Map(hits.map(({ id, score }) => [id, score]));
      };
      const scores = await scoresOf({ query, target: [{ column: "title", weight }] });
      const of = (id: string): number => scores.get(id) ?? 0;
      // As many digits as two sums of the same terms in another order share.
      if (of("above") < of("below") * (1 - NEARLY)) {
        scene.fail("a better match is not below", ["above", "below"], [...scores.keys()]);
      }
      const more = await scoresOf({ query, target: [{ column: "title", weight: weight + 1 }] });
      for (const [id, score] of scores) {
        if ((more.get(id) ?? 0) < score) scene.fail("more weight lowers no score", id, [score]);
      }
    },
  }),
  defineLaw({
    id: "highlights-mark-the-matches",
    title:
      "a highlight is of the record's own text, and marks every word that matches and no other",
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
          const value = readPointer(record, pointer) ?? [];
          const texts = (Array.isArray(value) ? value : [value]).map(String);
          const wanted = texts.filter((text) => matchesOf(text, asked, fuzziness).length > 0);
          const passages = readPointer(highlight, pointer) ?? [];
          const shown = (Array.isArray(passages) ? passages : [passages]).map(String);
          const marks = shown.map((passage) => markedWords(passage));
          const right = wanted.map((text) => matchesOf(text, asked, fuzziness));
          const isOwn = shown.every((passage) =>
            texts.some((text) => text.includes(plain(passage))),
          );
          if (isOwn && JSON.stringify(marks) === JSON.stringify(right.slice(0, 3))) continue;
          scene.fail(`the highlight of ${path} of ${id}`, right, shown);
        }
      }
    },
  }),
];
