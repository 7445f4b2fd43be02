import { describe, expect, it, vi } from "vitest";
import type { Touched } from "../../src/http/route.js";
import { ROUTE_TABLE } from "../../src/http/routes.js";
import { createFetch } from "../../src/http.js";
import { TwinbaseError } from "../../src/index.js";
import { createFixture } from "./fixture.js";

const QUERY = "http://acme.us-east-1.localhost/db/shop:main/tables/users/query";

const { routes: ROUTES, match } = ROUTE_TABLE;

describe("routes", () => {
  it("declare what they touch: records by id, the result of a query, or the catalog", () => {
    const operations = (touched: Touched): string[] =>
      ROUTES.filter(({ touches }) => touches === touched).map(({ operation }) => operation);
    expect(operations("query")).toEqual([
      "queryTable",
      "summarizeTable",
      "aggregateTable",
      "searchTable",
      "searchBranch",
      "vectorSearchTable",
      "getBranchStats",
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
