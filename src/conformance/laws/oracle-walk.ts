import type { WalkCase } from "../arbitraries/cases.js";
import { CLOCK_START } from "../arbitraries/domains.js";
import type { WalkStep } from "../arbitraries/walk.js";
import {
  evaluateQuery,
  type OraclePage,
  type OraclePageRequest,
  type PageToken,
} from "../oracle/evaluate.js";
import type { OracleDatabase } from "../oracle/model.js";
import { applyWrite, type OracleWrite } from "../oracle/write.js";
import type { JsonObject } from "./cases.js";
import { comparePage, readDatabase, readTimes } from "./oracle-mirror.js";
import { branchPath, type Scene, type SceneQuery } from "./scene.js";

/** A page as both gave it. */
interface Bookmark {
  readonly cursor: string;
  readonly token: PageToken;
}

/** Goes through the pages of a case on both sides, with its writes in between. */
export async function compareWalk(scene: Scene, given: WalkCase): Promise<void> {
  let db = await readDatabase(scene, given);
  const bookmarks: Bookmark[] = [];
  const steps: readonly WalkStep[] = [{ kind: "query" }, ...given.steps];
  for (const step of steps) {
    if (step.kind === "write") {
      db = await writeBoth(scene, db, step.write);
    } else if (step.kind === "all") {
      await walkAll(scene, db, given, step);
    } else {
      const bookmark = await turnPage(scene, db, given, step, bookmarks);
      if (bookmark !== undefined) bookmarks.push(bookmark);
    }
  }
}

const METHODS = {
  update: "PATCH",
  upsert: "POST",
  put: "PUT",
  replace: "PUT",
  delete: "DELETE",
} as const;

/** Over HTTP there is no replacing that does not insert. */
async function writeBoth(
  scene: Scene,
  db: OracleDatabase,
  given: OracleWrite,
): Promise<OracleDatabase> {
  const kind = given.kind === "replace" ? "put" : given.kind;
  const write = { ...given, kind } as OracleWrite; // both kinds have the same parts
  const outcome = applyWrite(db, write, CLOCK_START);
  const known =
    write.kind !== "insert" &&
    db.tables.some(
      ({ name, records }) => name === write.table && records.some(({ id }) => id === write.id),
    );
  const done = { status: [200, 201, 204] };
  const refused = typeof outcome === "string" || (write.kind === "delete" && !known);
  const expectation = refused ? { fails: true as const } : done;
  if (write.kind === "insert") {
    const path = branchPath(`/tables/${write.table}/bulk`);
    await scene.send({ method: "POST", path, body: { records: write.records } }, expectation);
  } else {
    const path = branchPath(`/tables/${write.table}/data/${encodeURIComponent(write.id)}`);
    const method = METHODS[write.kind];
    const body = write.kind === "delete" ? {} : { body: write.record };
    await scene.send({ method, path, ...body }, expectation);
  }
  return typeof outcome === "string" ? db : readTimes(scene, outcome, write.table);
}

async function turnPage(
  scene: Scene,
  db: OracleDatabase,
  given: WalkCase,
  step: Exclude<WalkStep, { kind: "all" | "write" }>,
  bookmarks: readonly Bookmark[],
): Promise<Bookmark | undefined> {
  const back = (count: number): Bookmark | undefined =>
    bookmarks.at(-1 - (count % Math.max(1, bookmarks.length)));
  const of = "of" in step ? back(step.of) : undefined;
  const keys = pageKeys(step.kind, of, "until" in step ? back(step.until) : undefined);
  const fresh = of === undefined;
  const { query } = given;
  const bounds = {
    ...optional("size", step.size ?? (fresh ? query.page?.size : undefined)),
    ...optional("offset", step.offset ?? (fresh ? query.page?.offset : undefined)),
  };
  const rest = {
    ...optional("columns", step.columns ?? (fresh ? query.columns : undefined)),
    ...(fresh && { ...optional("filter", query.filter), ...optional("sort", query.sort) }),
  };
  const wire = { ...rest, page: { ...keys.wire, ...bounds } } as SceneQuery; // JSON
  let expected: OraclePage;
  try {
    expected = evaluateQuery(db, given.table, { ...rest, page: { ...keys.oracle, ...bounds } });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const path = branchPath(`/tables/${given.table}/query`);
    // G-9: the range does not agree.
    await scene.send({ method: "POST", path, body: wire }, { status: 400 });
    return undefined;
  }
  const page = await scene.query(given.table, wire);
  comparePage(scene, page, expected);
  return { cursor: page.cursor, token: expected.token };
}

function optional<K extends string, V>(key: K, value: V | undefined): { [key in K]?: V } {
  return (value === undefined ? {} : { [key]: value }) as { [key in K]?: V }; // a computed key widens
}

interface PageKeys {
  readonly wire: JsonObject;
  readonly oracle: OraclePageRequest;
}

function pageKeys(
  kind: Exclude<WalkStep["kind"], "all" | "write">,
  of: Bookmark | undefined,
  until: Bookmark | undefined,
): PageKeys {
  const both = (
    keys: { [key in "after" | "before" | "start" | "end"]?: Bookmark | "end" | undefined },
  ): PageKeys => {
    const given = Object.entries(keys).filter(([, value]) => value !== undefined);
    const pick = (field: keyof Bookmark): object =>
      Object.fromEntries(given.map(([key, at]) => [key, at === "end" ? at : at?.[field]]));
    return { wire: pick("cursor") as JsonObject, oracle: pick("token") }; // of the same keys
  };
  switch (kind) {
    case "query":
      return both({});
    case "tail":
      return both({ after: "end" });
    case "back":
      return both({ before: "end" });
    case "next":
      return both({ after: of });
    case "previous":
      return both({ before: of });
    case "first":
      return both({ start: of });
    case "last":
      return both({ end: of });
    case "rest":
      return both({ after: of, before: "end" });
    case "range":
      return both({ after: of, before: until });
  }
}

/** G-5: each page in one direction, their sizes in turn. */
async function walkAll(
  scene: Scene,
  db: OracleDatabase,
  given: WalkCase,
  walk: Extract<WalkStep, { kind: "all" }>,
): Promise<void> {
  const { page: _, ...query } = given.query;
  const bookmarks: Bookmark[] = [];
  for (let i = 0; i < 100; i++) {
    const size = walk.sizes[i % walk.sizes.length] ?? 1;
    const first = walk.forward ? "query" : "back";
    const further = { kind: walk.forward ? "next" : "previous", of: 0, size } as const;
    const step = i === 0 ? ({ kind: first, size } as const) : further;
    const bookmark = await turnPage(scene, db, { ...given, query }, step, bookmarks);
    if (bookmark === undefined || !moreOf(scene)) return;
    bookmarks.push(bookmark);
  }
}

function moreOf(scene: Scene): boolean {
  const body = scene.steps.at(-1)?.answer?.body as
    | { readonly meta: { readonly page: { readonly more: boolean } } }
    | undefined; // a page was just compared
  return body?.meta.page.more === true;
}
