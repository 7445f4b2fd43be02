import { describe, expect, it, vi } from "vitest";
import { walkDiff } from "../../src/engine/changes.js";
import { catalogOf } from "../../src/engine.js";
import type { Touched } from "../../src/http/route.js";
import { ROUTE_TABLE } from "../../src/http/routes.js";
import { createControl, createFaults, createFetch, createJournal } from "../../src/http.js";
import { TwinbaseError } from "../../src/index.js";
import type { JsonSchema } from "../../src/json-schema.js";
import { createFixture } from "./fixture.js";
import { goodBodies, prepareForBodies } from "./good-bodies.js";

const QUERY = "http://acme.us-east-1.localhost/db/shop:main/tables/users/query";

const { routes: ROUTES, match } = ROUTE_TABLE;

describe("routes", () => {
  it("declare what they touch: records by id, the result of a query, or the catalog", () => {
    const operations = (touched: Touched): string[] =>
      ROUTES.filter(({ touches }) => touches === touched).map(({ operation }) => operation);
    expect(operations("query")).toEqual([
      ...["queryTable", "summarizeTable", "aggregateTable", "searchTable", "searchBranch"],
      ...["vectorSearchTable", "getBranchStats"],
    ]);
    expect(operations("records")).toEqual([
      "insertRecord",
      "getRecord",
      "insertRecordWithID",
      "updateRecordWithID",
      "upsertRecordWithID",
      "deleteRecord",
      "bulkInsertTableRecords",
      "branchTransaction",
      ...["getFile", "putFile", "deleteFile", "getFileItem", "putFileItem", "deleteFileItem"],
      ...["fileAccess", "fileUpload"],
      "copyBranch",
    ]);
    const known: readonly unknown[] = ["catalog", "records", "query"] satisfies Touched[];
    expect(ROUTES.filter(({ touches }) => !known.includes(touches))).toEqual([]);
  });

  it("declare that they read where a good request changes nothing", async () => {
    const engine = createFixture();
    await prepareForBodies(engine);
    const fetch = createFetch(engine);
    const bodies = await goodBodies(engine.profile.mappingTarget, fetch);
    const saved = engine.snapshot();
    const [reading, writing, changing] = [new Set<string>(), new Set<string>(), new Set<string>()];
    for (const { method, path, body } of bodies) {
      const { operation, reads } = match(path.slice(1).split("/"))!.routes.get(method)!;
      (reads ? reading : writing).add(operation);
      const before = catalogOf(engine);
      const init = { method, body: JSON.stringify(body) };
      const { status } = await fetch(`http://acme.us-east-1.localhost${path}`, init);
      expect(status, path).toBeLessThan(300);
      const isSame = catalogOf(engine) === before && walkDiff(saved, engine.snapshot()).next().done;
      if (!isSame) changing.add(operation);
      engine.restore(saved);
    }
    expect([...reading].filter((operation) => changing.has(operation))).toEqual([]);
    // The member has that role already.
    const unchanged = ["updateWorkspaceMemberRole"];
    expect([...writing].filter((operation) => !changing.has(operation))).toEqual(unchanged);
  });

  it("have bodies of no form that their reader does not check", () => {
    const all = [
      ...ROUTES,
      ...createControl().routes(createFixture(), {
        faults: createFaults(),
        journal: createJournal(),
      }),
    ];
    for (const { body, takesContent, operation } of all) {
      if (body !== undefined && !takesContent) expect(listUnchecked(body, operation)).toEqual([]);
    }
  });

  it("are each found by their own template", () => {
    for (const route of ROUTES) {
      const found = match(route.path.slice(1).split("/"));
      expect(found?.routes.get(route.method), route.path).toBe(route);
    }
  });

  it("may answer later", async () => {
    const route = ROUTES.find(({ operation }) => operation === "queryTable")!;
    const act = vi.spyOn(route, "act");
    try {
      const fetch = createFetch(createFixture());
      act.mockResolvedValueOnce({ status: 200, json: '{"records":[]}' });
      const answer = await fetch(QUERY, { method: "POST" });
      expect([answer.status, await answer.text()]).toEqual([200, '{"records":[]}']);
      act.mockRejectedValueOnce(new TwinbaseError("version_conflict", "lost the race"));
      const refused = await fetch(QUERY, { method: "POST" });
      expect([refused.status, await refused.json()]).toMatchObject([
        422,
        { code: "version_conflict", message: "lost the race" },
      ]);
    } finally {
      act.mockRestore();
    }
  });
});

/** The members of schemas that `readBySchema` checks, and those that describe or name. */
const CHECKED: Readonly<Record<string, readonly string[]>> = {
  object: ["properties", "required", "additionalProperties"],
  array: ["items"],
  string: ["minLength", "maxLength", "enum"],
  integer: ["minimum", "maximum"],
  number: ["minimum", "maximum"],
  const: ["const"],
};
const DESCRIBING: readonly string[] = ["type", "title", "description", "reading"];

/** The parts of a schema with a constraint that `readBySchema` ignores. */
function listUnchecked(schema: JsonSchema, at: string): string[] {
  if (schema.reading?.byEngine) return [];
  const { type, properties = {}, additionalProperties: more, items } = schema;
  const kind = schema.const === undefined ? type : "const";
  const checked = typeof kind === "string" ? CHECKED[kind] : undefined;
  const isOpen = more !== undefined && more !== false;
  if (isOpen && (typeof more === "object" || Object.keys(properties).length > 0)) return [at];
  return [
    ...(checked === undefined ? [at] : []),
    ...Object.keys(schema)
      .filter((key) => !DESCRIBING.includes(key) && !checked?.includes(key))
      .map((key) => `${at}: ${key}`),
    ...Object.entries(properties).flatMap(([key, each]) => listUnchecked(each, `${at}/${key}`)),
    ...(items === undefined ? [] : listUnchecked(items, `${at}/0`)),
  ];
}
