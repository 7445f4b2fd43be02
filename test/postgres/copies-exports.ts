import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { copy } from "../../src/cli/copy.js";
import { exportEngine, importEngine } from "../../src/export.js";
import { enableFiles } from "../../src/files.js";
import { createEngine } from "../../src/index.js";

/** An export goes into a database and back, with all that it holds, or nothing. */
export async function requireRoundTrip(target: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "twinbase-"));
  const [given, taken] = [join(folder, "given.export"), join(folder, "taken.export")];
  try {
    const engine = enableFiles(createEngine({ profile: "xata", seed: 7, now: 1e12 }));
    const shop = engine.createWorkspace("w").createDatabase("shop");
    const main = shop.branch("main");
    main.createTable("teams", [{ name: "name", type: "string", unique: true }]);
    main.createTable("users", [
      { name: "team", type: "link", link: { table: "teams" } },
      { name: "settings", type: "json" },
      { name: "labels", type: "multiple" },
      { name: "born", type: "datetime" },
      { name: "rating", type: "float" },
      { name: "portrait", type: "file" },
    ]);
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
    shop
      .createBranch("twig", { from: "main" })
      .table("teams")
      .addColumn({ name: "n", type: "int" });
    await writeFile(given, [...exportEngine(engine)].join(""));

    expect(await copy([given, target])).toBe(
      "copied 4 tables with 32 records, and compared them\n",
    );
    await expect(copy([given, target])).rejects.toThrow("the database has workspace [w]");
    expect(await copy([target, taken, "--profile", "xata"])).toMatch(/^copied 32 records/);
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
    await expect(copy([given, taken])).rejects.toThrow("one of the two is an export");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
