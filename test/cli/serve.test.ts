import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { UsageError } from "../../src/cli/command.js";
import { startServing } from "../../src/cli/serve.js";
import { createEngine } from "../../src/index.js";
import type { EngineServer } from "../../src/node.js";
import { runPrinted } from "./printed-commands.js";

const folder = mkdtempSync(join(tmpdir(), "twinbase-serve-"));
const people = join(folder, "people.json");
writeFileSync(people, '[{"id":"a","name":"Ann","age":30},{"id":"b","name":"Bob","age":40}]');
const notes = join(folder, "notes.csv");
writeFileSync(notes, "text,likes\nAlpha,1\nBeta,2\n");

let started: EngineServer | undefined;

afterEach(() => started?.close());

async function start(...args: string[]): Promise<{ url: string; text: string }> {
  const { server, text } = await startServing(["--port", "0", ...args]);
  started = server;
  return { url: server.url, text };
}

describe("twinbase serve", () => {
  it("E-3: loads files into tables and serves them", async () => {
    const { url, text } = await start("--load", people, "--load", notes);
    expect(text).toContain(`${url} serves workspace local, database files:main`);
    expect(text).toContain("table people: 2 records");
    expect(text).toContain("table notes: 2 records");
    const answer = await fetch(`${url}/db/files:main/tables/people/data/b?columns=name`);
    expect(await answer.json()).toMatchObject({ id: "b", name: "Bob" });
  });

  it("E-3: takes files by themselves, names and a profile", async () => {
    const names = ["--workspace", "acme", "--database", "shop", "--profile", "xata"];
    const { url } = await start(...names, people, notes);
    const answer = await fetch(`${url}/ws/acme/us-east-1/db/shop:main/tables/notes/query`, {
      method: "POST",
    });
    const { records } = (await answer.json()) as { records: { text: string; xata: object }[] };
    expect(records.map((record) => record.text)).toEqual(["Alpha", "Beta"]);
    expect(records[0]).toHaveProperty("xata.version", 0);
  });

  it("serves what an export of the engine holds, and files beside it", async () => {
    const engine = createEngine({ profile: "xata", seed: 7 });
    const main = engine.createWorkspace("acme").createDatabase("shop").branch("main");
    main.createTable("teams", [{ name: "name", type: "string" }]).insert({ id: "b", name: "Blue" });
    const dump = join(folder, "dump.ndjson");
    writeFileSync(dump, [...engine.export()].join(""));
    const { url, text } = await start(dump, notes);
    expect(text).toContain("serves workspace acme, database shop:main (profile xata)");
    expect(text).toContain("table teams: 1 records");
    const answer = await fetch(`${url}/db/shop:main/tables/teams/data/b`);
    expect(await answer.json()).toMatchObject({ name: "Blue", xata: { version: 0 } });
    expect((await fetch(`${url}/db/shop:main/tables/notes/query`, { method: "POST" })).status).toBe(
      200,
    );
    await expect(startServing([dump, "--seed", "1"])).rejects.toThrow(/is an export/);
    await expect(startServing([dump, dump])).rejects.toThrow(/an export has been given/);
  });

  it("E-2: gives the same ids for the same seed", async () => {
    const ids: string[] = [];
    for (let i = 0; i < 2; i++) {
      const { url } = await start("--seed", "5", notes);
      const answer = await fetch(`${url}/db/files:main/tables/notes/query`, { method: "POST" });
      const { records } = (await answer.json()) as { records: { id: string }[] };
      ids.push(...records.map(({ id }) => id));
      await started?.close();
    }
    expect(ids.slice(0, 2)).toEqual(ids.slice(2));
  });

  it.each([[[people, notes]], [[]]])("E-2: prints commands that work, with %j", async (files) => {
    const { text } = await start(...files);
    expect((await runPrinted(text)).map(({ status }) => status < 300)).toEqual([true, true, true]);
  });

  it.each([
    ["--profile", "other"],
    ["--port", "eighty"],
    ["--port", "70000"],
    ["--seed", "-1"],
  ])("E-3: refuses %s %s", async (option, value) => {
    await expect(startServing([`${option}=${value}`])).rejects.toBeInstanceOf(UsageError);
  });

  it("E-3: refuses a file that is not of its format", async () => {
    const broken = join(folder, "broken.json");
    writeFileSync(broken, '[{"a":1},');
    await expect(startServing(["--port", "0", broken])).rejects.toMatchObject({
      code: "invalid_request",
      message: expect.stringContaining("broken.json"),
    });
  });
});
