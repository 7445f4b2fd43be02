import fc from "fast-check";
import type { Json } from "../../types.js";
import { boostHits, MODIFIERS, type OracleBooster } from "../oracle/boosters.js";
import { evaluateSearch, type OracleSearch } from "../oracle/search.js";
import type { Fixture, FixtureTable } from "../target/target.js";
import { isObject, readPointer } from "../vectors/pattern.js";
import { type JsonObject, oneOf } from "./cases.js";
import { defineLaw, type Law } from "./law.js";
import { branchPath, type Scene } from "./scene.js";
import {
  COLUMNS,
  compareHits,
  documentArbitrary,
  documentsArbitrary,
  fixtureOf,
  NEARLY,
  oracleOf,
  requestOf,
  search,
  searchArbitrary,
  textArbitrary,
} from "./search-cases.js";

const DONE = { status: [200, 201, 204] };

/** Laws of boosters, and of searches over all tables and in several branches. */
export const BRANCH_SEARCH_LAWS: readonly Law[] = [
  defineLaw({
    id: "boosters-add-what-they-say",
    title: "boosters add to the score of what matches what its values and their filter say",
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
      const oracle = oracleOf(fixture);
      const columnsOf = new Map(oracle.records.map(({ id, columns }) => [id, columns]));
      compareHits(scene, found, boostHits(evaluateSearch(oracle, given), columnsOf, boosters), 10);
    },
  }),
  defineLaw({
    id: "a-branch-is-searched-in-one-order",
    title: "a search of a branch finds what searches of its tables do, in one order of scores",
    rules: ["Q-1", "Q-5", "Q-6", "Q-7"],
    tier: "strict",
    needs: ["search"],
    cases: () => {
      const part = fc.record(
        {
          target: fc.uniqueArray(oneOf(["title", "labels"]), { minLength: 1 }),
          n: oneOf([0, 1, 2]),
        },
        { requiredKeys: [] },
      );
      const asked = fc.record({ docs: part, notes: part }, { requiredKeys: [] });
      return fc.record({
        fixture: fc
          .tuple(documentsArbitrary(), documentsArbitrary("notes"))
          .map((both): Fixture => ({ tables: both.flatMap(({ tables }) => tables) })),
        given: searchArbitrary(),
        asked: fc.option(
          asked.filter((tables) => Object.keys(tables).length > 0),
          { nil: undefined },
        ),
      });
    },
    async check(scene, { fixture, given: { weights: _, ...given }, asked }) {
      const tables = fixture.tables.flatMap((table) => {
        const part = asked === undefined ? {} : asked[table.name as keyof typeof asked];
        return part === undefined ? [] : [{ table, part }];
      });
      const wanted = tables.flatMap(({ table, part }) => {
        const weights = part.target && Object.fromEntries(part.target.map((path) => [path, 1]));
        return hitsIn(table, { ...given, ...(weights !== undefined && { weights }) }, part.n);
      });
      const request: JsonObject = { ...given, page: { size: 200 } };
      const named = tables.map(({ table: { name }, part: { target, n } }) => ({
        table: name,
        ...(target !== undefined && { target }),
        ...(n !== undefined && { filter: { n } }),
      }));
      const body = asked === undefined ? request : { ...request, tables: named };
      await requireHits(scene, "main", body, wanted);
    },
  }),
  defineLaw({
    id: "branches-are-searched-apart",
    title: "a branch is searched as it is: what was written to another is not found in it",
    rules: ["Q-8", "B-1", "Q-5"],
    tier: "strict",
    needs: ["search", "branches", "records"],
    share: 0.6,
    cases: () => {
      const write = fc.record({
        branch: oneOf(["main", "twig"] as const),
        id: oneOf(["d1", "d2", "new"]),
        document: fc.option(documentArbitrary(), { freq: 4 }),
      });
      return fc.record({
        fixture: documentsArbitrary(),
        given: searchArbitrary(),
        writes: fc.array(write, { minLength: 1, maxLength: 4 }),
      });
    },
    async check(scene, { fixture, given: { weights: _, ...given }, writes }) {
      const records = fixture.tables[0]?.records ?? [];
      const copiesRecords = scene.traits.profile.branchCopies === "records";
      const held = {
        main: new Map(records.map((record) => [String(record.id), record])),
        twig: new Map((copiesRecords ? records : []).map((record) => [String(record.id), record])),
      };
      const twig = { method: "PUT", path: branchPath("", "twig"), body: { from: "main" } };
      await scene.send(twig, DONE);
      const compare = async (): Promise<void> => {
        for (const branch of ["main", "twig"] as const) {
          const table = { name: "docs", columns: COLUMNS, records: [...held[branch].values()] };
          await requireHits(scene, branch, { ...given }, hitsIn(table, given));
        }
      };
      await compare();
      for (const { branch, id, document } of writes) {
        const path = branchPath(`/tables/docs/data/${id}`, branch);
        if (document === null) {
          await scene.send(
            { method: "DELETE", path },
            { status: held[branch].has(id) ? [200, 204] : 404 },
          );
          held[branch].delete(id);
        } else {
          await scene.send({ method: "PUT", path, body: document }, DONE);
          held[branch].set(id, { id, ...document });
        }
        await compare();
      }
    },
  }),
];

/** A record that was found in a branch. */
interface TableHit {
  readonly table: string;
  readonly id: string;
  readonly score: number;
}

/** What a search finds in a table, of the records with a number only where one is given. */
function hitsIn(table: FixtureTable, given: OracleSearch, n?: number): TableHit[] {
  const kept = new Map(table.records.map((record) => [String(record.id), record]));
  return evaluateSearch(oracleOf({ tables: [table] }), given)
    .filter(({ id }) => n === undefined || kept.get(id)?.n === n)
    .map((hit) => ({ ...hit, table: table.name }));
}

/** Searches a branch, and compares what is found: by falling score, ties by table, then id. */
async function requireHits(
  scene: Scene,
  branch: string,
  body: JsonObject,
  wanted: readonly TableHit[],
): Promise<void> {
  const path = branchPath("/search", branch);
  if (body.query === "") {
    await scene.send({ method: "POST", path, body }, { status: 400 });
    return;
  }
  const answer = await scene.send(
    { method: "POST", path, body },
    { status: 200, at: { "/totalCount": wanted.length }, count: wanted.length },
  );
  const records = readPointer(answer.body, "/records") as readonly JsonObject[]; // as wanted above
  const metadata = scene.traits.profile.metadataColumn;
  const found = records.map((record): TableHit => {
    const told = record[metadata];
    const { table, score } = isObject(told) ? told : {};
    return { table: String(table), id: String(record.id), score: Number(score) };
  });
  const scores = new Map(wanted.map(({ table, id, score }) => [`${table} ${id}`, score]));
  const isRight = found.every(({ table, id, score }, i) => {
    const right = scores.get(`${table} ${id}`);
    const before = found[i - 1];
    return (
      right !== undefined &&
      Math.abs(score - right) <= NEARLY * right &&
      (before === undefined || comesBefore(before, { table, id, score }))
    );
  });
  if (isRight) return;
  const shown = (hits: readonly TableHit[]): Json => hits.map((hit) => ({ ...hit }));
  scene.fail(`the search of ${branch}`, shown(wanted), shown(found));
}

function comesBefore(a: TableHit, b: TableHit): boolean {
  if (a.score !== b.score) return a.score > b.score;
  return a.table === b.table ? a.id < b.id : a.table < b.table;
}

/** Documents with a time; every title has the word that is searched. */
function datedArbitrary(): fc.Arbitrary<Fixture> {
  const at = fc.option(oneOf(["2024-01-30T12:00:00Z", "2024-02-01T00:00:00Z"]), { freq: 4 });
  const dated = fc
    .tuple(documentArbitrary(), at)
    .map(([{ title = "", ...rest }, time]): JsonObject => {
      const document = { title: `abc ${String(title)}`, ...rest };
      return time === null ? document : { ...document, at: time };
    });
  const columns = [...COLUMNS, { name: "at", type: "datetime" as const }];
  const some = fc.array(dated, { maxLength: 7, size: "max" });
  return some.map((documents) => fixtureOf(documents, "docs", columns));
}

const ONLY = [
  { filter: { n: { $ge: 1 } }, holds: ({ n }: JsonObject) => Number(n ?? 0) >= 1 },
  { filter: { $exists: "labels" }, holds: ({ labels = null }: JsonObject) => labels !== null },
  { filter: {}, holds: () => true },
] as const;

function boosterArbitrary(): fc.Arbitrary<OracleBooster> {
  const factor = oneOf([0, 0.5, 1, 3, -2]);
  const only = fc.option(oneOf(ONLY), { nil: undefined }).map((some) => some && { only: some });
  const number = fc.record({ column: fc.constant("n"), factor, modifier: oneOf(MODIFIERS) });
  const value = fc.record({
    factor,
    seen: oneOf([
      { column: "n", value: 0 },
      { column: "n", value: 2 },
      { column: "title", value: "abc " },
    ]),
  });
  const date = fc.record({
    column: fc.constant("at"),
    factor: oneOf([0, 1, 4]),
    origin: oneOf(["2024-01-31T12:00:00Z", "2024-02-01T01:00:00+01:00"]),
    days: oneOf([1, 3]),
    decay: oneOf([0.5, 0.1, 1]),
  });
  return fc
    .oneof(
      number.map((parts) => ({ kind: "numericBooster" as const, ...parts })),
      value.map(({ seen, ...parts }) => ({ kind: "valueBooster" as const, ...parts, ...seen })),
      date.map((parts) => ({ kind: "dateBooster" as const, ...parts })),
    )
    .chain((booster) => only.map((some) => ({ ...booster, ...some })));
}

/** A booster as a request has it. */
function boosterRequest(booster: OracleBooster): JsonObject {
  const { kind, only, ...parts } = booster;
  const filter: JsonObject = only === undefined ? {} : { ifMatchesFilter: only.filter };
  if (booster.kind !== "dateBooster") return { [kind]: { ...parts, ...filter } };
  const { column, factor, origin, decay, days } = booster;
  return { [kind]: { column, factor, origin, decay, scale: `${days}d`, ...filter } };
}
