import { describe, expect, it } from "vitest";
import { withLog } from "../../src/cli/request-log.js";
import { createFaults, createFetch, createJournal, type Journal } from "../../src/http.js";
import { createEngine } from "../../src/index.js";
import { serve } from "../../src/node.js";
import { defineColumns } from "../columns.js";

describe("a journal", () => {
  it("records requests and answers", async () => {
    const { journal, ask } = setUp();
    await ask("POST", "tables/users/query?x=1", { filter: { name: "Ada" } });
    await ask("PUT", "tables/users/data/ada%20l", { name: "Ada" });
    await ask("GET", "nothing");
    expect(journal.entries()).toMatchObject([
      {
        index: 0,
        method: "POST",
        path: "/db/shop:main/tables/users/query",
        search: "x=1",
        operation: "queryTable",
        workspace: "acme",
        database: "shop",
        branch: "main",
        table: "users",
        request: { filter: { name: "Ada" } },
        status: 400,
        response: { code: "invalid_request" },
      },
      { operation: "insertRecordWithID", record: "ada l", status: 201, response: { id: "ada l" } },
      { index: 2, operation: undefined, status: 404 },
    ]);
  });

  it("finds matching entries", async () => {
    const { journal, ask } = setUp();
    await ask("POST", "tables/users/query", { filter: { $not: { "team.name": "Blue" } } });
    await ask("POST", "tables/teams/query", { page: { size: 1 } });
    await ask("POST", "tables/users/data", { name: "Ada" });
    const count = (pattern: Parameters<Journal["entries"]>[0]) => journal.entries(pattern).length;
    expect(count({ operation: "queryTable" })).toBe(2);
    expect(count({ table: "users" })).toBe(2);
    expect(count({ path: /query$/, table: "users" })).toBe(1);
    expect(count({ path: "/tables/" })).toBe(3);
    expect(count({ status: 201, request: { name: "Ada" } })).toBe(1);
    expect(count({ request: { page: {} } })).toBe(1);
    expect(count({ response: { records: [] } })).toBe(2);
    expect(count({ filteredBy: "team.name" })).toBe(1);
    expect(count({ filteredBy: ["team.name", "x"] })).toBe(0);
    expect(journal.expect({ table: "teams" })).toHaveLength(1);
    const misspelt = { operations: "queryTable" } as object;
    expect(() => journal.entries(misspelt)).toThrow("did you mean operation?");
    expect(journal.expect({ table: "none" }, 0)).toEqual([]);
  });

  it("reports the nearest entries if nothing matches", async () => {
    const { journal, ask } = setUp();
    await ask("POST", "tables/users/query", { filter: { name: "Ada" } });
    await ask("POST", "tables/users/query", {});
    await ask("POST", "tables/teams/query", { filter: { email: "x" } });
    const pattern = { operation: "queryTable", table: "users", filteredBy: "email" } as const;
    expect(messageOf(() => journal.expect(pattern))).toBe(
      [
        'expected one or more calls with operation "queryTable", table "users", filteredBy "email"; found 0',
        '2 calls match otherwise, none with filteredBy "email"',
        'nearest: queryTable POST /db/shop:main/tables/users/query {"filter":{"name":"Ada"}} → 200',
        "nearest: queryTable POST /db/shop:main/tables/users/query {} → 200",
      ].join("\n"),
    );
    expect(messageOf(() => journal.expect({ operation: "queryTable" }, 2))).toBe(
      'expected 2 calls with operation "queryTable"; found 3',
    );
    journal.clear();
    expect(messageOf(() => journal.expect({}))).toMatch(/found 0\nthe journal is empty$/);
  });

  it.each([
    [{ tabel: "users" }, "/tabel", /did you mean table\?/],
    [{ operation: "queryTabel" }, "/operation", /such as queryTable, found "queryTabel"/],
    [{ method: "get" }, "/method", /such as GET, found "get"/],
    [{ table: /users/ }, "/table", /expected a string/],
  ])("E-3: refuses a pattern that no call can match: %j", (pattern, path, message) => {
    const journal = createJournal();
    const refusal = { code: "invalid_request", path, message: expect.stringMatching(message) };
    for (const act of [
      () => journal.entries(pattern as object),
      () => journal.expect(pattern as object, 0),
    ]) {
      expect(act).toThrow(expect.objectContaining(refusal));
    }
  });

  it("keeps the last entries, with their indexes", async () => {
    const { journal, ask } = setUp(3);
    for (let i = 0; i < 10; i++) await ask("GET", `tables/users/data/${i}`);
    expect(journal.entries().map(({ index, record }) => [index, record])).toEqual([
      [7, "7"],
      [8, "8"],
      [9, "9"],
    ]);
  });

  it("records faults and the requests they struck", async () => {
    const engine = createUsers();
    const [journal, faults] = [createJournal(), createFaults()];
    const fetch = createFetch(engine, { journal, faults });
    const ask = () =>
      fetch("https://acme.eu.example.com/db/shop:main/tables/users/data", {
        method: "POST",
        body: '{"name":"Ada"}',
      });
    faults.add({ answer: { status: 500, body: "no" } });
    faults.add({ drop: "answer" });
    await ask();
    await expect(ask()).rejects.toThrow();
    expect(journal.entries()).toMatchObject([
      { status: 500, request: { name: "Ada" }, response: "no" },
      { request: { name: "Ada" } },
    ]);
    expect(journal.entries()[1]).not.toHaveProperty("status");
  });

  it("A-5: contains no keys, invitations and file URLs, however they are written", async () => {
    const engine = createEngine({ seed: 1, now: 0 });
    const main = engine.createWorkspace("acme").createDatabase("shop").branch("main");
    main.createTable("docs", defineColumns({ note: "text", scan: "file" }));
    const lines: string[] = [];
    const journal = withLog(createJournal(), "json", (line) => lines.push(line));
    const fetch = createFetch(engine, { journal });
    const ask = async (method: string, path: string, body?: object | string) => {
      const sent = typeof body === "object" ? JSON.stringify(body) : body;
      const init = { method, ...(sent !== undefined && { body: sent }) };
      const answer = await fetch(`https://acme.eu.example.com${path}`, init);
      return JSON.parse((await answer.text()) || "null");
    };
    const docs = "/db/shop:main/tables/docs/data";
    const { key } = await ask("POST", "/user/keys/mine");
    const invite = { email: "a@example.com", role: "owner" };
    const { inviteKey } = await ask("POST", "/workspaces/acme/invites", invite);
    const file = {
      name: "a",
      enablePublicUrl: true,
      base64Content: "aGk=",
      mediaType: "text/plain",
    };
    await ask("PUT", `${docs}/a`, { scan: file });
    const names = ["url", "signedUrl", "uploadUrl"];
    const { scan } = await ask("GET", `${docs}/a?columns=${names.map((name) => `scan.${name}`)}`);
    const tokens = names.map((name) => String(scan[name]).split("/file/")[1] ?? "");
    expect(tokens.map((token) => token.length > 100)).toEqual([true, true, true]);
    const encode = (text: string, to: (code: string) => string) =>
      Array.from(text, (letter) => to(letter.charCodeAt(0).toString(16).padStart(2, "0"))).join("");
    const inJson = (text: string) => encode(text, (code) => `\\u00${code}`);
    const inUrl = (text: string) => encode(text, (code) => `%${code}`);
    for (const token of tokens) {
      await ask("PUT", `/file/${token}`, "text");
      await ask("PUT", `/file/${inUrl(token)}`, "text");
      await ask("POST", docs, { note: `see https://example.com/file/${token}?x` });
      await ask("POST", docs, `{"note":"https:\\/\\/x\\/file\\/${inJson(token)}"}`);
      await ask("POST", docs, `{"note":"https://x${inJson("/file/")}${token}"`);
    }
    await ask("POST", `${docs}?from=${key}&at=${inUrl(key)}`, { note: key, [key]: inviteKey });
    await ask("GET", `${docs}/${inUrl(key)}`);
    await ask("POST", docs, `{"note":"${inJson(key)} ${inJson(inviteKey)}"`);
    await ask("POST", `/workspaces/acme/invites/${inUrl(inviteKey)}/accept`);
    await ask("POST", `/workspaces/acme/invites/${inviteKey}/accept`);
    const told = JSON.stringify(journal.entries()) + lines.join();
    for (const secret of [key, inviteKey, ...tokens]) {
      for (const form of [secret, inUrl(secret), inJson(secret), secret.slice(-16)]) {
        expect(told).not.toContain(form);
      }
    }
    const [keyMade, invited] = journal.entries();
    expect(keyMade).toMatchObject({ response: { name: "mine", key: "key_…" } });
    expect(invited).toMatchObject({ response: { inviteKey: "ik_…" } });
    expect(journal.entries({ operation: "fileUpload" })).toHaveLength(6);
    // Ids of files are none.
    await ask("GET", `${docs}/a/column/scan/file/file_0123456789`);
    expect(journal.entries().at(-1)?.path).toBe(`${docs}/a/column/scan/file/file_0123456789`);
  });

  it.each(["%2ffile", "/file/", "/file/aaaa", "key_", "ik_aaa", "\\u006", "x", "\\/file"])(
    "E-5: does not hang on megabytes of %s",
    async (part) => {
      const { journal, ask } = setUp();
      const name = part.repeat(2_000_000 / part.length);
      await ask("POST", "tables/users/data", { name });
      expect(JSON.stringify(journal.entries()[0]?.request).length).toBeGreaterThan(1_900_000);
    },
  );

  it("keeps the text of bodies, not their values", async () => {
    const { journal, ask } = setUp();
    await ask("POST", "tables/users/data", { name: "Ada" });
    const [first] = journal.entries();
    expect(first?.request).toEqual({ name: "Ada" });
    expect(first?.request).not.toBe(first?.request);
    expect(JSON.parse(JSON.stringify(first))).toMatchObject({ request: { name: "Ada" } });
  });

  it("records requests to a server too", async () => {
    const journal = createJournal();
    await using server = await serve(createUsers(), { workspace: "acme", journal });
    await fetch(`${server.url}/db/shop:main/tables/users/query`, { method: "POST", body: "{}" });
    journal.expect({ operation: "queryTable", table: "users", status: 200 }, 1);
  });
});

function setUp(limit?: number) {
  const journal = createJournal(limit === undefined ? {} : { limit });
  const fetch = createFetch(createUsers(), { journal });
  const ask = (method: string, path: string, body?: object) =>
    fetch(`https://acme.eu.example.com/db/shop:main/${path}`, {
      method,
      ...(body && { body: JSON.stringify(body) }),
    });
  return { journal, ask };
}

function createUsers() {
  const engine = createEngine({ seed: 1, now: 0 });
  const main = engine.createWorkspace("acme").createDatabase("shop").branch("main");
  main.createTable("teams", defineColumns({ name: "string", email: "string" }));
  main.createTable("users", defineColumns({ name: "string", team: "-> teams" }));
  return engine;
}

function messageOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    return (error as Error).message;
  }
  return "nothing was thrown";
}
