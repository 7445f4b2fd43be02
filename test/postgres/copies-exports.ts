import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { copy } from "../../src/cli/copy.js";
import { exportEngine, importEngine } from "../../src/export.js";
import { enableFiles } from "../../src/files.js";
import { createEngine } from "../../src/index.js";
import { defineColumns } from "../columns.js";
import { sealLines } from "../seal-lines.js";

/** A folder that is removed after the test. */
export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "twinbase-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Copies an export into a database, from there into another one and back, without loss. */
export async function requireRoundTrip(target: string, other: string): Promise<void> {
  const folder = await makeFolder();
  const [given, taken] = [join(folder, "given.export"), join(folder, "taken.export")];
  const engine = enableFiles(createEngine({ profile: "xata", seed: 7, now: 1e12 }));
  const shop = engine.createWorkspace("w").createDatabase("shop");
  const main = shop.branch("main");
  main.createTable("teams", [{ name: "name", type: "string", unique: true }]);
  main.createTable(
    "users",
    defineColumns({
      team: "-> teams",
      settings: "json",
      labels: "multiple",
      born: "datetime",
      rating: "float",
      portrait: "file",
    }),
  );
  main.table("teams").insert({ id: "b", name: "zero \u0000 'quoted'" });
  for (let i = 0; i < 30; i++) {
    const settings = { deep: [i, { "": null }], text: "\u0001" };
    main.table("users").insert({ team: "b", settings, labels: ["", "x"], rating: i / 7 });
  }
  const born = "1994-01-02T03:04:05.006007Z";
  const portrait = { name: "ann.png", mediaType: "image/png", base64Content: "aGVsbG8=" };
  main.table("users").insert({ id: "ann", born, portrait });
  engine.clock.advance(1000);
  main.table("users").update("ann", { rating: -0.1 });
  shop.createBranch("twig", { from: "main" }).table("teams").addColumn({ name: "n", type: "int" });
  await writeFile(given, [...exportEngine(engine)].join(""));

  const copied = await copy([given, target]);
  expect(copied).toMatch(/^copied 4 tables with 32 records, verified: [0-9a-f]{64}\n$/);
  await expect(copy([given, target])).rejects.toThrow("the database has workspace [w]");
  // Equal records have equal hashes in every place.
  expect(await copy([target, other, "--profile", "xata"])).toBe(copied);
  await expect(copy([target, other, "--profile", "xata"])).rejects.toThrow("workspace [w]");
  const text = await copy([other, taken, "--profile", "xata"]);
  const hash = createHash("sha256")
    .update(await readFile(taken))
    .digest("hex");
  expect(text).toBe(`copied 32 records, verified: ${hash}\n`);
  expect(await readdir(folder)).toHaveLength(2);
  const back = importEngine(await readFile(taken, "utf8"));
  const database = back.workspace("w").database("shop");
  expect(database.branches()).toEqual(shop.branches());
  for (const { name } of shop.branches()) {
    const [was, is] = [shop.branch(name), database.branch(name)];
    expect(is.tables()).toEqual(was.tables());
    for (const table of was.tables()) {
      const all = { sort: { id: "asc" } } as const;
      expect([...is.table(table.name).scan(all)]).toEqual([...was.table(table.name).scan(all)]);
      expect(is.table(table.name).schema()).toEqual(was.table(table.name).schema());
    }
  }
  const columns = ["portrait.base64Content", "portrait.name"];
  const { records } = database
    .branch("main")
    .table("users")
    .query({ filter: { id: "ann" }, columns });
  expect(records).toMatchObject([{ portrait: { base64Content: "aGVsbG8=", name: "ann.png" } }]);
  const teams = database.branch("main").table("teams");
  expect(() => teams.insert({ name: "zero \u0000 'quoted'" })).toThrow("unique");
  await expect(copy([given, taken])).rejects.toThrow("one operand must be postgres");
  await expect(copy([target, target])).rejects.toThrow("source and target are the same");
}

export async function requireRefusals(target: string): Promise<void> {
  const folder = await makeFolder();
  const file = join(folder, "given.export");
  const engine = createEngine({ seed: 7, now: 1e12 });
  const main = engine.createWorkspace("w").createDatabase("shop").branch("main");
  main.createTable("teams", defineColumns({ name: "string unique", tags: "multiple unique" }));
  main.table("teams").insert([
    { id: "a", name: "Ants", tags: ["x"] },
    { id: "b", name: "Bees", tags: ["y"] },
    { id: "c", name: "Cats", tags: ["z"] },
  ]);
  const text = [...exportEngine(engine)].join("");
  const write = (change: (line: readonly unknown[]) => readonly unknown[]): string => {
    const lines = text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as unknown[]);
    return sealLines(lines.map((line) => change(line.slice(0, -1))));
  };
  const inRecord = (id: string, at: number, value: unknown) => (line: readonly unknown[]) =>
    line[0] === "r" && line[2] === id ? line.toSpliced(at, 1, value) : line;
  const refused: [text: string, message: RegExp][] = [
    [text.replace("Bees", "Bugs"), /^import: line \d+: it is damaged/],
    [text.slice(0, -20), /^import: line \d+: it ends in the middle/],
    [
      write(inRecord("b", 6, "Ants")),
      /^workspace \[w\], database \[shop:main\], table \[teams\]|unique/,
    ],
    [write(inRecord("b", 7, ["x"])), /tags\] must be unique/],
    [write(inRecord("b", 6, 7)), /^import: line \d+: .*expected string/],
    [write(inRecord("b", 2, "\n")), /^import: line \d+: record: expected the id/],
    [write((line) => (line[0] === "commit" ? line.with(1, 2) : line)), /number 1/],
  ];
  for (const [given, message] of refused) {
    await writeFile(file, given);
    await expect(copy([file, target]), String(message)).rejects.toThrow(message);
  }
  await writeFile(file, text);
  expect(await copy([file, target])).toMatch(/^copied 1 tables with 3 records/);
}
