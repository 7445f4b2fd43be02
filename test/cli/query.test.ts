import { spawnSync } from "node:child_process";
import { appendFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, describe, expect, it } from "vitest";
import { inspectExport } from "../../src/cli/inspect.js";
import { queryFile } from "../../src/cli/query-file.js";
import { exportEngine } from "../../src/export.js";
import { openEngine } from "../../src/node.js";
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

  it("prints a table", async () => {
    expect(await queryFile([path, "--sort", "population:desc"])).toBe(
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

  it("takes a filter, columns and a limit", async () => {
    const filter = '{"population":{"$gt":300000}}';
    const args = [path, "--filter", filter, "--columns", "name,loc.lat", "--limit", "1"];
    expect(await queryFile([...args, "--sort", '{"name":"desc"}'])).toBe(
      "name    loc.lat\n------  -------\nZürich     47.4\n1 of 2 records\n",
    );
    expect(JSON.parse(await queryFile([...args, "--json", "--sort", "name"]))).toMatchObject([
      { name: "Wien", loc: { lat: 48.2 } },
    ]);
  });

  it("prints inferred columns", async () => {
    expect(await queryFile([path, "--schema"])).toBe(
      "name: string\npopulation: int\nloc: object\n  lat: float\n  lon: float\nnote: string\n",
    );
  });

  const people = fileOf(
    "people.csv",
    "ID;Name (full);born;zip;note\n9;Müller;31/12/1990;01067;\n10;Ray;01/02/1985;10115;\n",
  );
  const query = (...args: string[]): Promise<string> => queryFile([people, ...args], () => {});

  it("accepts the file's names and dates", async () => {
    const filter = '{"$all":[{"born":{"$lt":"01/01/1990"}},{"$exists":"Name (full)"}]}';
    expect(await query("--filter", filter, "--columns", "Name (full)", "--json")).toBe(
      `${JSON.stringify([{ Name_full_: "Ray" }], undefined, 2)}\n`,
    );
    const sorted = await query("--sort", "Name (full):desc", "--format", "ndjson");
    expect(sorted.split("\n").map((line) => line.slice(0, 8))).toEqual([
      '{"ID":10',
      '{"ID":9,',
      "",
    ]);
  });

  it("prints tables and CSV with all columns, null ones too", async () => {
    expect(await query("--sort", "ID", "--limit", "1")).toBe(
      [
        "ID  Name_full_  born                  zip    note",
        "--  ----------  --------------------  -----  ----",
        " 9  Müller      1990-12-31T00:00:00Z  01067",
        "1 of 2 records",
        "",
      ].join("\n"),
    );
    const csv = "ID,Name_full_,born,zip,note\n9,Müller,1990-12-31T00:00:00Z,01067,\n";
    expect(await query("--sort", "ID", "--limit", "1", "--format", "csv")).toBe(csv);
  });

  it("prints summaries", async () => {
    const args = ["--group-by", "zip", "--summarize", "count,max:ID", "--format", "csv"];
    expect(await query(...args)).toBe("zip,count,max_ID\n01067,1,9\n10115,1,10\n");
    expect(await query("--summarize", "average:ID", "--format", "ndjson")).toBe(
      '{"average_ID":9.5}\n',
    );
    await expect(query("--summarize", "median:ID")).rejects.toThrow(/^--summarize: expected count/);
    await expect(query("--summarize", "count", "--columns", "ID")).rejects.toThrow(
      /^--columns: gr/,
    );
  });

  it("compares texts with dates in the filter as they are", async () => {
    const mixed = fileOf("mixed.csv", "born\n31/12/1990\n01/02/1985\n02/02/1985\nunknown\n");
    const filter = ["--filter", '{"born":"31/12/1990"}', "--format", "csv"];
    expect(await queryFile([mixed, ...filter], () => {})).toBe("born\n31/12/1990\n");
    const args = ["--types", "born=string", "--columns", "born", ...filter];
    expect(await query(...args)).toBe("born\n31/12/1990\n");
  });

  it("escapes formulas in CSV on request", async () => {
    const formulas = fileOf("formulas.csv", "=a,n\n@b,-1\n");
    const args = [formulas, "--columns", "=a,n", "--format", "csv"];
    expect(await queryFile(args, () => {})).toBe("_a,n\n@b,-1\n");
    expect(await queryFile([...args, "--escape-formulas"], () => {})).toBe("_a,n\n'@b,-1\n");
  });

  it("reads a compressed file", async () => {
    const packed = fileOf("packed.csv.gz", gzipSync(Buffer.from("n\nMüller\n", "latin1")));
    const said: string[] = [];
    const args = [packed, "--format", "csv"];
    expect(await queryFile(args, (line) => said.push(line))).toBe("n\nMüller\n");
    expect(said).toEqual([`${packed}: read as windows-1252`]);
    const cut = fileOf("cut.csv.gz", gzipSync("n\n1\n").subarray(0, 12));
    await expect(queryFile([cut])).rejects.toThrow(`${cut}: damaged gzip data`);
  });

  // 5 MB that become 5 GB, and a JSON object of 1.5 GB: more than the longest string.
  it("refuses a bomb, and an object that is too long, in bounded memory", {
    tags: ["slow"],
  }, async () => {
    const bomb = fileOf("bomb.csv.gz", "");
    const million = gzipSync(Buffer.alloc(2 ** 20, "1\n"), { level: 9 });
    for (let i = 0; i < 5120; i++) appendFileSync(bomb, million); // gzip files can be concatenated
    const long = fileOf("long.json", '{"records":[{"s":"x"}');
    const piece = Buffer.from(',{"s":"x"}'.repeat(100_000));
    for (let i = 0; i < 1500; i++) appendFileSync(long, piece);
    const preload = "process.on('exit', () => console.error(process.resourceUsage().maxRSS, 'kB'))";
    const args = ["--max-old-space-size=1536", "--import", `data:text/javascript,${preload}`];
    for (const [path, message] of [
      [bomb, "decompress it first: more than 1 GiB of text"],
      [long, "a JSON object or record of more than 512 MB: expected an array of records"],
    ] as const) {
      const { stderr, status } = spawnSync(
        process.execPath,
        [...args, "dist/cli.js", "query", path],
        { encoding: "utf8" },
      );
      const [said, memory] = stderr.split("\n");
      expect(said).toBe(`twinbase query: ${path}: ${message}`);
      expect(status).toBe(1);
      expect(Number.parseInt(memory ?? "", 10)).toBeLessThan(2e6);
    }
  });

  it("rejects a malformed file, filter or argument", async () => {
    const bad = fileOf("bad.csv", 'a\n"1');
    const query = (...args: string[]): Promise<string> => queryFile(args);
    const asCommas = query(bad, "--delimiter", ",");
    await expect(asCommas).rejects.toThrow(`${bad}:2:1: a quote that is not closed`);
    await expect(query(path, "--filter", '{"nam":"x"}')).rejects.toThrow(/name/);
    await expect(query(path, "--filter", "{")).rejects.toThrow(/^--filter: /);
    await expect(query(people, "--columns", "[1]")).rejects.toThrow(/expected a column path/);
    await expect(query(path, "--limit", "x")).rejects.toThrow(/^--limit: /);
    await expect(query(path, "--types", "name=word")).rejects.toThrow(/^--types: expected/);
    await expect(query()).rejects.toThrow("expected <file.csv");
    await expect(query(path, "--encoding", "latin-9")).rejects.toThrow("unknown encoding");
    writeFileSync(bad, Uint8Array.of(0x61, 0x0a, 0xff));
    await expect(query(bad, "--encoding", "utf-8")).rejects.toThrow("expected text in utf-8");
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

  it("prints the contents of a data folder, and creates nothing in another", async () => {
    const data = join(folder, "data");
    const engine = await openEngine({ folder: data, initial: () => createShop() });
    await engine.close();
    const path = fileOf("same.ndjson", [...exportEngine(createShop())].join(""));
    expect(await inspectExport([data])).toBe(await inspectExport([path]));
    const other = mkdtempSync(join(folder, "other-"));
    await expect(inspectExport([other])).rejects.toThrow(`${other}: no data of serve --data`);
    expect(readdirSync(other)).toEqual([]);
    await expect(inspectExport([join(folder, "typo")])).rejects.toThrow("ENOENT");
  });

  it("reports the line of a damaged export", async () => {
    const text = [...exportEngine(createShop())].join("").replace("Blue", "Glue");
    await expect(inspectExport([fileOf("damaged.ndjson", text)])).rejects.toThrow(
      /^import: line 12: /,
    );
  });
});

function fileOf(name: string, text: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}
