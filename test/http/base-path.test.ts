import { describe, expect, it } from "vitest";
import { createControl, createFetch, createHandler, createJournal } from "../../src/http.js";
import { serve } from "../../src/node.js";
import { createFixture } from "./fixture.js";

const RECORDS = "/db/shop:main/tables/users/query";

describe("D-6, E-3: a handler with a base path", () => {
  const journal = createJournal();
  const options = { basePath: "/api/twin", workspace: "acme", journal, control: createControl() };
  const fetch = createFetch(createFixture(), options);
  const ask = (path: string, host = "localhost") =>
    fetch(`http://${host}${path}`, { method: path.endsWith("query") ? "POST" : "GET" });

  it("answers paths below the base path, for any host", async () => {
    expect((await ask(`/api/twin${RECORDS}`)).status).toBe(200);
    expect((await ask(`/api/twin${RECORDS}`, "www.example.com")).status).toBe(200);
    expect((await ask(`/api/twin/ws/acme/eu${RECORDS}`)).status).toBe(200);
    expect((await ask("/api/twin/_twinbase/health")).status).toBe(200);
    expect(journal.entries({ operation: "queryTable" })).toHaveLength(3);
  });

  it.each([
    ...[RECORDS, `/api/twins${RECORDS}`, "/api", "/", `/api/twin${RECORDS}`.toUpperCase()],
    ...["/api/twin", "/api/twin/", "/api/twin?x=1"],
  ])("answers 404 to %s", async (path) => {
    const answer = await ask(path);
    expect(answer.status).toBe(404);
    expect(answer.headers.get("x-request-id")).toBeTruthy();
    expect(await answer.json()).toMatchObject({ code: "route_not_found", rule: "E-3" });
  });

  it("describes its URLs with the path", async () => {
    const { servers } = (await (await ask("/api/twin/openapi.json")).json()) as {
      servers: { url: string }[];
    };
    expect(servers.map(({ url }) => url)).toEqual([
      "/api/twin",
      "/api/twin/ws/{workspace}/{region}",
    ]);
  });

  it("works over a socket", async () => {
    await using server = await serve(createFixture(), { basePath: "/twin", workspace: "acme" });
    const answer = await globalThis.fetch(`${server.url}/twin${RECORDS}`, { method: "POST" });
    expect(answer.status).toBe(200);
    expect((await globalThis.fetch(`${server.url}${RECORDS}`, { method: "POST" })).status).toBe(
      404,
    );
  });

  it.each(["twin", "/twin/", "//", "/a//b", "/a?b", 5, null])("rejects the path %j", (basePath) => {
    const options = { basePath: basePath as string }; // invalid values are the test
    expect(() => createHandler(createFixture(), options)).toThrow(
      expect.objectContaining({ code: "invalid_request", path: "/basePath" }),
    );
  });

  it("may be at the root", async () => {
    for (const basePath of ["", "/"]) {
      const root = createFetch(createFixture(), { basePath });
      const answer = await root(`http://acme.eu.example.com${RECORDS}`, { method: "POST" });
      expect(answer.status).toBe(200);
    }
  });
});
