import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildClient, type XataRecord } from "@xata.io/client";
import { afterEach, describe, expect, it, vi } from "vitest";
import { startServing } from "../../src/cli/serve.js";
import { exportEngine } from "../../src/export.js";
import { createEngine } from "../../src/index.js";
import type { EngineServer } from "../../src/node.js";
import { defineColumns } from "../columns.js";
import { runPrinted } from "./printed-commands.js";

const folder = mkdtempSync(join(tmpdir(), "twinbase-serve-"));
const people = join(folder, "people.json");
writeFileSync(people, '[{"id":"a","name":"Ann","age":30},{"id":"b","name":"Bob","age":40}]');
const notes = join(folder, "notes.csv");
writeFileSync(notes, "text,likes\nAlpha,1\nBeta,2\n");

let started: EngineServer | undefined;
let lines: string[] = [];

afterEach(() => started?.close());

/** Starts a server in place of the one before. */
async function start(...args: string[]): Promise<{ url: string; text: string }> {
  await started?.close();
  lines = [];
  const { server, text } = await startServing(["--port", "0", ...args], (line) => lines.push(line));
  started = server;
  return { url: server.url, text };
}

describe("twinbase serve", () => {
  it("E-3: loads files into tables and serves them", async () => {
    const { url, text } = await start(people, notes);
    expect(text).toContain(`${url} serves workspace local, database files:main`);
    expect(text).toContain("table people: 2 records");
    expect(text).toContain("table notes: 2 records");
    const answer = await fetch(`${url}/db/files:main/tables/people/data/b?columns=name`);
    expect(await answer.json()).toMatchObject({ id: "b", name: "Bob" });
  });

  it("E-3: accepts names and a profile", async () => {
    const names = ["--workspace", "acme", "--database", "shop", "--profile", "xata"];
    const { url } = await start(...names, people, notes);
    const answer = await fetch(`${url}/ws/acme/us-east-1/db/shop:main/tables/notes/query`, {
      method: "POST",
    });
    const { records } = (await answer.json()) as { records: { text: string; xata: object }[] };
    expect(records.map((record) => record.text)).toEqual(["Alpha", "Beta"]);
    expect(records[0]).toHaveProperty("xata.version", 0);
  });

  it("serves an export with more files", async () => {
    const engine = createEngine({ profile: "xata", seed: 7 });
    const main = engine.createWorkspace("acme").createDatabase("shop").branch("main");
    main.createTable("teams", [{ name: "name", type: "string" }]).insert({ id: "b", name: "Blue" });
    const dump = join(folder, "dump.ndjson");
    writeFileSync(dump, [...exportEngine(engine)].join(""));
    const { url, text } = await start(dump, notes);
    expect(text).toContain("serves workspace acme, database shop:main (profile xata)");
    expect(text).toContain("table teams: 1 records");
    const answer = await fetch(`${url}/db/shop:main/tables/teams/data/b`);
    expect(await answer.json()).toMatchObject({ name: "Blue", xata: { version: 0 } });
    expect((await fetch(`${url}/db/shop:main/tables/notes/query`, { method: "POST" })).status).toBe(
      200,
    );
    await expect(startServing([dump, "--seed", "1"])).rejects.toThrow(/is an export/);
    await expect(startServing([dump, dump])).rejects.toThrow(/expected at most one export/);
  });

  it("R-3: the seed determines the engine's part of ids, beside the time and a counter", async () => {
    const parts: string[] = [];
    for (let i = 0; i < 2; i++) {
      const { url } = await start("--seed", "5", notes);
      const answer = await fetch(`${url}/db/files:main/tables/notes/query`, { method: "POST" });
      const { records } = (await answer.json()) as { records: { id: string }[] };
      parts.push(...records.map(({ id }) => id.slice(11, 19)));
    }
    expect(parts).toHaveLength(4);
    expect(new Set(parts).size).toBe(1);
  });

  it.each([[[people, notes]], [[]]])("E-2: prints commands that work, with %j", async (files) => {
    const { text } = await start(...files);
    expect((await runPrinted(text)).map(({ status }) => status < 300)).toEqual([true, true, true]);
  });

  it("prints a search that finds records", async () => {
    const file = join(folder, "places.csv");
    writeFileSync(file, "place,size\n,1\nΛάρισα,2\nWien,3\n");
    const { text } = await start(file);
    const [, , last] = await runPrinted(text);
    expect(await last?.json()).toMatchObject({ records: [{ place: expect.any(String) }] });
  });

  it("prints the profile that the npm client needs", async () => {
    const line = "The npm client @xata.io/client needs --profile xata.";
    expect((await start(people)).text).toContain(line);
    expect((await start(people, "--profile", "xata")).text).not.toContain(line);
  });

  it("prints the columns of the tables", async () => {
    const wide = join(folder, "wide.json");
    const record = Object.fromEntries(Array.from({ length: 11 }, (_, i) => [`c${i}`, i]));
    writeFileSync(wide, JSON.stringify([record]));
    const { text } = await start(people, wide);
    expect(text).toContain("  table people: 2 records (name string, age int)\n");
    expect(text).toMatch(/ {2}table wide: 1 records \(c0 int, .*c7 int, and 3 more\)\n/);
  });

  it("reports widened columns, and files that load into the same table", async () => {
    const file = join(folder, "people.csv");
    writeFileSync(file, "id,name,age\na,Cleo,50\n");
    const days = join(folder, "days.csv");
    writeFileSync(days, "joined\n2024-01-31\n2024-02-30\n2024-03-01\n");
    const failed = start(days, people, file);
    await expect(failed).rejects.toThrow(/table \[people\]: record "a" already exists/);
    expect(lines).toEqual([
      `${file}: loads into the table people, as ${people} does`,
      `${days}: column joined is string and not datetime, because of line 3 "2024-02-30"`,
    ]);
  });

  it("E-3: returns hints with 404 at the root and control paths", async () => {
    const messageOf = async (path: string) => {
      const answer = await fetch(`${url}${path}`);
      expect(answer.status).toBe(404);
      return ((await answer.json()) as { message: string }).message;
    };
    let { url } = await start(people);
    expect(await messageOf("/")).toBe(
      "no such route: /; /openapi.json lists all routes; start with --control for the explorer",
    );
    expect(await messageOf("/_twinbase/")).toMatch(
      /; start with --control, or pass `control` to the handler$/,
    );
    expect(await messageOf("/nothing")).toBe("no such route: /nothing");
    ({ url } = await start(people, "--control"));
    expect(await messageOf("/")).toMatch(/, \/_twinbase\/ is the explorer$/);
    expect(await messageOf("/_twinbase/nothing")).toBe("no such route: /_twinbase/nothing");
  });

  it("redirects browsers from the root to the explorer", async () => {
    const { url } = await start(people, "--control");
    const answer = await fetch(url, { headers: { accept: "text/html" }, redirect: "manual" });
    expect([answer.status, answer.headers.get("location")]).toEqual([302, "/_twinbase/"]);
  });

  it("prints settings of the npm client that work unchanged", async () => {
    const { text } = await start(people, "--profile", "xata");
    const settings = Object.fromEntries(
      Array.from(text.matchAll(/^ {2}(XATA_\w+)=(.*)$/gm), ([, name, value]) => [name, value]),
    );
    const tables = [{ name: "people", columns: [{ name: "name", type: "string" }] }] as const;
    const options = {
      databaseURL: settings.XATA_DATABASE_URL,
      branch: settings.XATA_BRANCH,
      apiKey: settings.XATA_API_KEY,
      fetch,
    };
    const { db } = new (buildClient())<{ people: XataRecord }>(options, tables);
    expect(await db.people.getAll()).toHaveLength(2);
  });

  it("serves countries and cities with --demo", async () => {
    const { text } = await start("--demo");
    expect(text).toMatch(/table countries: 250 records/);
    expect(text).toMatch(/table cities: 810 records/);
    expect((await runPrinted(text)).map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  it("creates the tables of a schema, and loads files into them", async () => {
    const schema = join(folder, "schema.json");
    const tables = [
      { name: "notes", columns: defineColumns({ text: "text", likes: "float" }) },
      { name: "teams", columns: defineColumns({ lead: "-> people" }) },
    ];
    writeFileSync(schema, JSON.stringify({ formatVersion: "1.0", tables }));
    const { url } = await start("--schema", schema, notes);
    const described = (await (await fetch(`${url}/db/files:main`)).json()) as { schema: object };
    expect(described).toMatchObject({ schema: { tables } });
    const again = join(folder, "again.json");
    writeFileSync(again, JSON.stringify(described.schema));
    expect((await start("--schema", again)).text).toContain("table teams: 0 records");
    writeFileSync(schema, '{"tables":[{"name":"t","colums":[]}]}');
    await expect(startServing(["--schema", schema])).rejects.toMatchObject({
      code: "invalid_request",
    });
    writeFileSync(schema, '{"tables":');
    await expect(startServing(["--schema", schema])).rejects.toThrow(/schema\.json: /);
  });

  it("logs a line per request, as text and as JSON", async () => {
    const first = await start("--verbose", people);
    await fetch(`${first.url}/db/files:main/tables/people/query`, { method: "POST" });
    await fetch(`${first.url}/nothing`);
    expect(lines).toEqual([
      expect.stringMatching(
        /^POST \/db\/files:main\/tables\/people\/query → 200 in [\d.]+ ms, 2 records$/,
      ),
      expect.stringMatching(/^GET \/nothing → 404 in [\d.]+ ms: no such route: \/nothing$/),
    ]);
    const second = await start("--log", "json", people);
    await fetch(`${second.url}/db/files:main/tables/people/query`, { method: "POST" });
    expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
      {
        method: "POST",
        path: "/db/files:main/tables/people/query",
        status: 200,
        ms: expect.any(Number),
        rows: 2,
      },
    ]);
  });

  it("allows origins with --cors", async () => {
    const allowedOrigin = async (url: string, origin: string) =>
      (await fetch(`${url}/user`, { headers: { origin } })).headers.get(
        "access-control-allow-origin",
      );
    const { url } = await start("--cors", "http://a.example", "--cors", "http://b.example");
    expect(await allowedOrigin(url, "http://b.example")).toBe("http://b.example");
    expect(await allowedOrigin(url, "http://c.example")).toBe(null);
    expect(await allowedOrigin((await start("--cors", "*")).url, "http://c.example")).toBe(
      "http://c.example",
    );
    expect(await allowedOrigin((await start()).url, "http://c.example")).toBe(null);
  });

  it("delays each answer with --latency", async () => {
    const { url } = await start("--latency", "60");
    for (let i = 0; i < 2; i++) {
      const begun = performance.now();
      await fetch(`${url}/user`);
      expect(performance.now() - begun).toBeGreaterThan(55);
    }
  });

  it("reloads changed files, and keeps the data if that fails", async () => {
    const watched = join(folder, "watched.json");
    writeFileSync(watched, '[{"id":"a","n":1},{"id":"b","n":2}]');
    const { url } = await start("--watch", watched, notes);
    const table = `${url}/db/files:main/tables/watched`;
    const ids = async (page: object) => {
      const body = JSON.stringify({ columns: [], page });
      const answer = await fetch(`${table}/query`, { method: "POST", body });
      const { records, meta } = (await answer.json()) as {
        records: { id: string }[];
        meta: { page: { cursor: string } };
      };
      return { ids: records.map(({ id }) => id), cursor: meta.page.cursor };
    };
    const { cursor } = await ids({ size: 1 });
    writeFileSync(watched, '[{"id":"a","n":1},{"id":"c","n":3}]');
    await vi.waitFor(() => expect(lines.at(-1)).toMatch(/watched\.json has changed/), 20_000);
    expect((await ids({ after: cursor })).ids).toEqual(["c"]);
    writeFileSync(watched, "[{]");
    await vi.waitFor(() => expect(lines.at(-1)).toMatch(/malformed JSON/), 20_000);
    expect((await ids({})).ids).toEqual(["a", "c"]);
  });

  it("serves control routes only with --control; reset restores the loaded data", async () => {
    const { url } = await start("--control", "--latency", "1", people);
    await fetch(`${url}/db/files:main/tables/people/data/a`, { method: "DELETE" });
    expect((await fetch(`${url}/_twinbase/reset`, { method: "POST" })).status).toBe(200);
    expect((await fetch(`${url}/db/files:main/tables/people/data/a`)).status).toBe(200);
    const journal = await (await fetch(`${url}/_twinbase/journal`)).json();
    expect(journal).toMatchObject({ entries: [{ operation: "getRecord" }] });
    const closed = await start(people);
    expect((await fetch(`${closed.url}/_twinbase/reset`, { method: "POST" })).status).toBe(404);
  });

  it("U-1: serves the control routes of an export with users to the control key only", async () => {
    const engine = createEngine({ seed: 1 });
    engine.createWorkspace("acme").createDatabase("shop");
    engine.createUser({ email: "a@b.c", fullname: "A", keys: ["user"], workspaces: ["acme"] });
    const closed = join(folder, "closed.ndjson");
    writeFileSync(closed, [...exportEngine(engine)].join(""));
    const statusOf = async (url: string, key: string) => {
      const headers = { authorization: `Bearer ${key}` };
      return (await fetch(`${url}/_twinbase/counts`, { headers })).status;
    };
    const { url } = await start("--control-key", "mine", closed);
    expect([await statusOf(url, "mine"), await statusOf(url, "user")]).toEqual([200, 403]);
    expect(lines).toEqual([]);
    vi.stubEnv("TWINBASE_CONTROL_KEY", "own");
    const again = await start("--control", closed);
    expect([await statusOf(again.url, "own"), await statusOf(again.url, "user")]).toEqual([
      200, 403,
    ]);
    vi.unstubAllEnvs();
    const without = await start("--control", closed);
    expect(lines).toEqual(["users have keys: the control routes need --control-key"]);
    expect(await statusOf(without.url, "user")).toBe(403);
  });

  it("H-4: begins file URLs with --public-url", async () => {
    const files = join(folder, "files.json");
    writeFileSync(files, '{"tables":[{"name":"docs","columns":[{"name":"scan","type":"file"}]}]}');
    const { url } = await start(
      "--schema",
      files,
      "--public-url",
      "https://proxy.example.com/base/",
    );
    const record = `${url}/db/files:main/tables/docs/data/a?columns=scan.url`;
    const answer = await fetch(record, { method: "PUT", body: '{"scan":{}}' });
    expect(await answer.text()).toContain('"url":"https://proxy.example.com/base/file/');
  });

  it("writes an export at exit, and loads it at the next start", async () => {
    const kept = join(folder, "kept.ndjson");
    const { url } = await start("--export-on-exit", kept, people);
    const record = `${url}/db/files:main/tables/people/data/c`;
    expect((await fetch(record, { method: "PUT", body: '{"name":"Cyd"}' })).status).toBe(201);
    const again = await start(kept, "--export-on-exit", kept);
    const answer = await fetch(`${again.url}/db/files:main/tables/people/data/c`);
    expect(await answer.json()).toMatchObject({ name: "Cyd" });
  });

  it("stores writes in a folder, and loads files only if it is new", async () => {
    const data = join(folder, "data");
    const { url } = await start("--data", data, people);
    const record = `${url}/db/files:main/tables/people/data/c`;
    expect((await fetch(record, { method: "PUT", body: '{"name":"Cyd"}' })).status).toBe(201);
    await expect(startServing(["--port", "0", "--data", data])).rejects.toMatchObject({
      code: "unavailable",
    });
    const again = await start("--data", data, people, "--workspace", "other");
    expect(lines).toEqual([`${data} contains data: continuing with it, no files loaded`]);
    expect(again.text).toContain("workspace other");
    const { text } = await start("--data", data);
    expect(text).toContain("table people: 3 records");
    await started?.close();
    const towns = join(folder, "towns.csv");
    writeFileSync(towns, "id,size,xata.version\nb,2,4\na,1,5\n");
    const schema = join(folder, "towns.json");
    const size = { name: "size", type: "float" };
    writeFileSync(
      schema,
      JSON.stringify({
        tables: ["people", "towns", "wrong"].map((name) => ({ name, columns: [size] })),
      }),
    );
    const wrong = join(folder, "wrong.csv");
    writeFileSync(wrong, "id,size\nb,x\n");
    const adding = ["--data", data, "--add", "--schema", schema, towns];
    await expect(startServing([...adding, wrong])).rejects.toThrow(/wrong\.csv/);
    expect((await start("--data", data)).text).not.toContain("towns");
    for (const args of [adding, ["--data", data]]) {
      const { url, text } = await start(...args);
      expect(text).toContain("table people: 3 records");
      const answer = await fetch(`${url}/db/files:main/tables/towns/data/a`);
      expect(await answer.json()).toMatchObject({ size: 1, service: { version: 5 } });
      const described = await fetch(`${url}/db/files:main/tables/towns/schema`);
      expect(await described.json()).toEqual({ columns: [size] });
    }
    await started?.close();
    await expect(startServing(["--data", data, "--add", towns])).rejects.toThrow(/has records/);
    await expect(startServing(["--add", towns])).rejects.toThrow(/--add needs --data/);
    await expect(startServing(["--data", data, "--watch"])).rejects.toThrow(/--watch/);
    await expect(startServing(["--data", data, "--seed", "1"])).rejects.toThrow(/seed: expected/);
  });

  it("E-3: rejects a malformed file", async () => {
    const broken = join(folder, "broken.json");
    writeFileSync(broken, '[{"a":1},');
    await expect(startServing(["--port", "0", broken])).rejects.toMatchObject({
      code: "invalid_request",
      message: expect.stringContaining("broken.json"),
    });
  });
});
