import { Branch } from "../../engine/branch.js";
import type { Change } from "../../engine/change.js";
import { walkBranches, walkDiff } from "../../engine/changes.js";
import { queryAnywhereAsJson } from "../../engine/query-json.js";
import type { Snapshot } from "../../engine/snapshot.js";
import type { AnyEngine } from "../../engine.js";
import type { QueryRequest } from "../../types.js";
import { readFields, readString, refuseValue } from "../../value/fields.js";
import { findBranch, findNothing, findTable } from "../address.js";
import { unchecked } from "../fields.js";
import {
  ANY_OBJECT,
  arrayOf,
  FLAG,
  type JsonSchema,
  objectOf,
  refer,
  TEXT,
} from "../openapi/schema.js";
import { defineRoute, type Route } from "../route.js";
import { findSnapshot } from "./snapshots.js";

const BRANCH = "/_twinbase/db/{db_branch_name}";
const DEFAULT_LIMIT = 1000;
const LIMIT: JsonSchema = { type: "integer", minimum: 1, description: "Default 1000." };
const CHANGES = objectOf({ changes: arrayOf(ANY_OBJECT), more: FLAG });

/** What the service itself does not tell: what two states differ in, and what a query looks at. */
export function createLookRoutes(
  engine: AnyEngine,
  snapshots: ReadonlyMap<string, Snapshot>,
): readonly Route[] {
  const open = (name: unknown, key: string): Snapshot =>
    name === undefined
      ? engine.snapshot()
      : findSnapshot(
          snapshots,
          readString(name, 0, 1024, { what: key, path: `/${key}`, rule: "E-3" }),
        );
  return [
    defineRoute({
      plane: "control",
      touches: "catalog",
      find: findNothing,
      method: "POST",
      path: "/_twinbase/diff",
      operation: "compareSnapshots",
      summary: "What leads from one snapshot to another; one that is not named is the present.",
      body: objectOf({ before: TEXT, after: TEXT, limit: LIMIT }, []),
      answers: { 200: CHANGES },
      handle: (_, { body }) => {
        const known = ["before", "after", "limit"] as const;
        const given = readFields(body, known, { what: "diff", rule: "E-3" });
        const limit = readLimit(given.limit);
        const changes = walkDiff(open(given.before, "before"), open(given.after, "after"));
        return { status: 200, body: take(changes, limit) };
      },
    }),
    defineRoute({
      plane: "workspace",
      touches: "catalog",
      find: findBranch,
      method: "POST",
      path: `${BRANCH}/diff/{branch_name}`,
      operation: "compareBranches",
      summary: "What leads from one branch to another of the same database.",
      body: objectOf({ limit: LIMIT }, []),
      answers: { 200: CHANGES },
      handle: (branch, { names, body }) => {
        const limit = readLimit(readFields(body, ["limit"], { what: "diff", rule: "E-3" }).limit);
        const { address } = Branch.sourceOf(branch);
        const changes = walkBranches(engine.snapshot(), address, names.branch_name!);
        return { status: 200, body: take(changes, limit) };
      },
    }),
    defineRoute({
      plane: "workspace",
      touches: "query",
      find: findTable,
      method: "POST",
      path: `${BRANCH}/tables/{table_name}/explain`,
      operation: "explainQuery",
      summary: "How a query would be answered: what is looked at, and how many records.",
      body: refer("QueryRequest"),
      answers: { 200: ANY_OBJECT },
      handle: (table, { body }) => ({
        status: 200,
        body: table.explain(unchecked<QueryRequest>(body)),
      }),
    }),
    defineRoute({
      plane: "workspace",
      touches: "query",
      find: findTable,
      method: "POST",
      path: `${BRANCH}/tables/{table_name}/query`,
      operation: "queryAnywhere",
      summary: "A query of the service, with an offset of any size.",
      body: ANY_OBJECT,
      answers: { 200: refer("QueryResult") },
      handle: (table, { body }) => ({ status: 200, json: queryAnywhereAsJson(table, body) }),
    }),
  ];
}

function readLimit(limit: unknown): number {
  if (limit === undefined) return DEFAULT_LIMIT;
  if (Number.isSafeInteger(limit) && Number(limit) > 0) return Number(limit);
  const place = { what: "limit", path: "/limit", rule: "E-3" };
  return refuseValue(limit, "a whole number from 1 up", place);
}

function take(changes: Iterable<Change>, limit: number): { changes: Change[]; more: boolean } {
  const taken: Change[] = [];
  for (const change of changes) {
    if (taken.length === limit) return { changes: taken, more: true };
    taken.push(change);
  }
  return { changes: taken, more: false };
}
