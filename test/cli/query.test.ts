import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { inspectExport } from "../../src/cli/inspect.js";
import { queryFile } from "../../src/cli/query.js";
import { exportEngine } from "../../src/export.js";
import { createShop } from "../double/shop.js";

const folder: string = mkdtempSync(join(tmpdir(), "twinbase-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("twinbase query", () => {
  const path = fileOf(
    "cities.csv",
    [
      "name,population,loc.lat,loc.lon,note",
      "Wien,1691468,48.2,16.4,",
      'Graz,222326,47.1,15.4,"a\nb"',
      "Zürich,341730,47.4,8.6,",
    ].join("\n"),
  );

  it("prints a table", () => {
    expect(queryFile([path, "--sort", "population:desc"])).toBe(
      [
        "name    population  loc.lat  loc.lon  note",
        "------  ----------  -------  -------  ----",
        "Wien       1691468     48.2     16.4",
        "Zürich      341730     47.4      8.6",
        "Graz        222326     47.1     15.4  a b",
        "3 of 3 records",
        "",
      ].join("\n"),
    );
  });

  it("takes a filter, columns and a limit", () => {
    const filter = '{"population":{"$gt":300000}}';
    const args = [path, "--filter", filter, "--columns", "name,loc.lat", "--limit", "1"];
    expect(queryFile([...args, "--sort", '{"name":"desc"}'])).toBe(
      "name    loc.lat\n------  -------\nZürich     47.4\n1 of 2 records\n",
    );
    expect(JSON.parse(queryFile([...args, "--json", "--sort", "name"]))).toMatchObject([
      { name: "Wien", loc: { lat: 48.2 } },
    ]);
  });

  it("prints inferred columns", () => {
    expect(queryFile([path, "--schema"])).toBe(
      "name: string\npopulation: int\nloc: object\n  lat: float\n  lon: float\nnote: string\n",
    );
  });

  it("rejects a malformed file, filter or argument", () => {
    const bad = fileOf("bad.csv", 'a\n"1');
    expect(() => queryFile([bad])).toThrow(`${bad}:2:1: a quote that is not closed`);
    expect(() => queryFile([path, "--filter", '{"nam":"x"}'])).toThrow(/name/);
    expect(() => queryFile([path, "--filter", "{"])).toThrow(/^--filter: /);
    expect(() => queryFile([path, "--limit", "x"])).toThrow(/^--limit: /);
    expect(() => queryFile([])).toThrow("expected <file.csv");
    writeFileSync(bad, Uint8Array.of(0xff));
    expect(() => queryFile([bad])).toThrow("expected UTF-8");
  });
});

describe("twinbase inspect", () => {
  it("prints the contents of an export", async () => {
    const path = fileOf("shop.ndjson", [...exportEngine(createShop())].join(""));
    expect(await inspectExport([path])).toBe(
      [
        "profile documented (metadata under service), seed 1",
        "time 2024-01-31T00:00:00.000Z, 1 user",
        "workspace acme",
        "  database shop (us-east-1, 2024-01-31T00:00:00Z)",
        "    branch main",
        "      table teams: 1 records",
        "        name: string",
        "      table users: 2 records",
        "        email: email unique",
        "        team: link → teams",
        "        address: object",
        "          zipcode: int",
        "        labels: multiple",
        "        joined: datetime",
        "",
      ].join("\n"),
    );
  });

  it("reports the line of a damaged export", async () => {
    const text = [...exportEngine(createShop())].join("").replace("Blue", "Glue");
    await expect(inspectExport([fileOf("damaged.ndjson", text)])).rejects.toThrow(
      /^import: line 12: /,
    );
  });
});

function fileOf(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}
