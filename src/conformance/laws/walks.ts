import fc from "fast-check";
import type { QueryRequest } from "../../types.js";
import { featureCases } from "../arbitraries/feature-cases.js";
import { fixtureArbitrary, oneOf, plainQueryArbitrary } from "../arbitraries/people.js";
import {
  boundsOf,
  findMarks,
  type PageStep,
  type PageTurn,
  requestOf,
  type Walk,
} from "../arbitraries/walk.js";
import {
  evaluateQuery,
  type OraclePage,
  type OraclePageRequest,
  type PageToken,
} from "../oracle/evaluate.js";
import type { OracleDatabase } from "../oracle/model.js";
import { isRandomSort } from "../oracle/order.js";
import { damageText } from "../vectors/variables.js";
import {
  type ComparePage,
  comparePage,
  comparePlainPage,
  compareRandomPage,
  databaseOf,
  readDatabase,
} from "./compare.js";
import { CASES_OF_A_LAW, defineLaw, type Law, type LawDefinition } from "./law.js";
import { branchPath, type Scene, type SceneQuery } from "./scene.js";

const SIZE = fc.integer({ min: 1, max: 4 });
const OFFSET = oneOf([0, 0, 0, 0, 1, 1, 2, 9]);

/** A law of pages that equal the oracle's; in tier `core` forward, of records without null. */
function walkLaw(
  law: Omit<LawDefinition<never>, "cases" | "check">,
  kinds: readonly PageStep["kind"][],
): Law {
  const isCore = law.tier === "core";
  const of = fc.nat({ max: 3 });
  const page = fc.record({ kind: oneOf(kinds), of, until: of, size: SIZE, offset: OFFSET });
  const all = fc.record({
    kind: fc.constant("all" as const),
    forward: isCore ? fc.constant(true) : fc.boolean(),
    sizes: fc.array(SIZE, { minLength: 1, maxLength: 3 }),
  });
  const some = { minLength: 1, maxLength: 7, size: "max" } as const;
  const steps = fc.array(fc.oneof({ weight: 3, arbitrary: page }, all), some);
  return defineLaw({
    ...law,
    // Biased to small cases most pages would be empty.
    cases: (traits) =>
      fc.noBias(
        fc.record({
          fixture: fixtureArbitrary(8, !isCore),
          query: fc
            .tuple(plainQueryArbitrary(traits, law.tier), SIZE, OFFSET)
            .map(([query, size, offset]) => ({ ...query, page: { size, offset } })),
          steps,
        }),
      ),
    async check(scene, { fixture, query, steps }) {
      const options = { compare: comparePlainPage, skipsGaps: isCore };
      const walk = { table: "people", query: query as QueryRequest, steps }; // a filter of people
      await comparePages(scene, databaseOf(scene.traits, fixture), walk, options);
    },
  });
}

export const WALK_LAWS: readonly Law[] = [
  defineLaw({
    id: "features-equal-the-oracle",
    title: "every pair of features of queries equals the oracle",
    rules: [
      ...(["F-4", "F-8", "F-9", "F-10", "F-11", "F-12", "F-13", "F-17", "F-18", "F-30"] as const),
      ...(["F-3", "F-5", "F-6", "F-14", "F-15", "S-1", "S-2", "S-3", "S-4", "S-5"] as const),
      ...(["G-1", "G-2", "G-5", "G-6", "G-9", "G-10", "P-1", "P-2", "P-3", "P-4"] as const),
      ...(["P-5", "P-6", "P-11", "N-4", "T-1", "T-2", "T-3", "T-4", "T-5", "T-6", "T-7"] as const),
      ...(["T-8", "T-9", "T-10", "T-11", "T-12", "T-13", "R-1", "R-4", "P-10"] as const),
    ],
    tier: "core",
    requests: 95,
    features: 4300,
    cases: (traits, tier) => featureCases({ ...traits, tier }, CASES_OF_A_LAW),
    async check(scene, given) {
      const isStrict = scene.tier === "strict";
      const db = isStrict
        ? await readDatabase(scene, given)
        : databaseOf(scene.traits, given.fixture);
      const compare = isStrict ? comparePage : comparePlainPage;
      for (const choose of given.walks) {
        const { walk, features } = choose();
        await comparePages(scene, db, walk, { compare });
        for (const each of features) scene.covered.add(each);
      }
    },
  }),
  walkLaw(
    {
      id: "pages-join-forward",
      title: "pages of any size join to the whole result",
      rules: [
        ...(["G-5", "G-2", "G-1", "G-3", "G-4", "G-10"] as const),
        ...(["P-1", "P-2", "P-3", "P-4", "S-1", "R-1"] as const),
      ],
      tier: "core",
      share: 2,
    },
    ["next", "next", "query", "tail"],
  ),
  walkLaw(
    {
      id: "random-walk",
      title: "paging follows positions, with gaps and ranges",
      rules: ["G-11", "G-5", "G-2", "G-6", "G-9", "G-4", "G-10"],
      tier: "complete",
    },
    ["next", "next", "previous", "first", "last", "rest", "range", "tail", "back"],
  ),
  defineLaw({
    id: "damaged-cursors-are-refused",
    title: "a cursor with any character changed is refused",
    rules: ["G-13"],
    tier: "core",
    cases: (traits) =>
      fc.record({
        fixture: fixtureArbitrary(3),
        query: plainQueryArbitrary(traits, "core"),
        key: oneOf(["after", "before", "start", "end"]),
        at: fc.nat({ max: 400 }),
      }),
    async check(scene, { query, at, key }) {
      const { cursor } = await scene.query("people", { ...query, page: { size: 1 } });
      const body = { page: { [key]: damageText(cursor, at) } };
      const request = { method: "POST", path: branchPath("/tables/people/query"), body };
      await scene.send(request, { fails: true, error: { code: "invalid_cursor" } });
    },
  }),
];

interface WalkOptions {
  readonly compare: ComparePage;
  /** Whether steps from empty pages only go to the next one. */
  readonly skipsGaps?: boolean;
}

/** A page on both sides. */
export interface Bookmark {
  readonly cursor: string;
  readonly token: PageToken;
  readonly more: boolean;
  readonly isEmpty: boolean;
}

/** Walks through the pages of a case on both sides. */
export async function comparePages(
  scene: Scene,
  db: OracleDatabase,
  walk: Walk,
  { compare: compareOrdered, skipsGaps = false }: WalkOptions,
): Promise<void> {
  const isRandom = isRandomSort(walk.query.sort);
  const compare = isRandom ? compareRandomPage(db, walk) : compareOrdered;
  const bookmarks: Bookmark[] = [];
  const turn = (step: PageTurn, query = walk.query): Promise<Bookmark | undefined> => {
    const marks = findMarks(bookmarks, step);
    if (skipsGaps && marks[0]?.isEmpty && step.kind !== "next") return Promise.resolve(undefined);
    return turnPage({ scene, db, compare }, { ...walk, query }, step, marks);
  };
  for (const step of [{ kind: "query" } as const, ...walk.steps]) {
    if (step.kind === "all") {
      // G-5: all pages in one direction, with the sizes in turn.
      const { page: _, ...query } = walk.query;
      const kind = step.forward ? "query" : "back";
      let last = await turn({ kind, size: step.sizes[0] ?? 1 }, query);
      for (let i = 1; last?.more && i < 100; i++) {
        bookmarks.push(last);
        const size = step.sizes[i % step.sizes.length] ?? 1;
        last = await turn({ kind: step.forward ? "next" : "previous", of: 0, size }, query);
      }
    } else {
      const bookmark = await turn(step);
      if (bookmark !== undefined) bookmarks.push(bookmark);
    }
  }
}

type Marks = readonly [of: Bookmark | undefined, until: Bookmark | undefined];

interface Sides {
  readonly scene: Scene;
  readonly db: OracleDatabase;
  readonly compare: ComparePage;
  readonly branch?: string;
}

/** Requests a page on both sides; undefined if it is refused. */
export async function turnPage(
  { scene, db, compare, branch }: Sides,
  { table, query }: Omit<Walk, "steps">,
  step: PageTurn,
  marks: Marks,
): Promise<Bookmark | undefined> {
  const { page: bounds, ...rest } = requestOf(query, step, marks[0] === undefined);
  const tokens = boundsOf(step.kind, marks, "token") as OraclePageRequest; // `start` has a token
  const cursors = boundsOf(step.kind, marks, "cursor");
  const wire = { ...rest, page: { ...cursors, ...bounds } } as SceneQuery; // JSON
  let expected: OraclePage;
  try {
    expected = evaluateQuery(db, table, { ...rest, page: { ...tokens, ...bounds } });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    // G-9: contradictory bounds.
    const path = branchPath(`/tables/${table}/query`, branch);
    await scene.send({ method: "POST", path, body: wire }, { fails: true });
    return undefined;
  }
  const page = await scene.query(table, wire, branch);
  compare(scene, page, expected);
  const { token, more } = expected;
  return { cursor: page.cursor, token, more, isEmpty: expected.records.length === 0 };
}
