import { describe, expect, it } from "vitest";
import { showLoading } from "../../src/cli/loading.js";
import { withLog } from "../../src/cli/request-log.js";
import { describeServer, paintServerText } from "../../src/cli/server-text.js";
import { createFaults, createFetch, createJournal } from "../../src/http.js";
import { createEngine } from "../../src/index.js";

describe("progress of loading a file", () => {
  function load(isTTY: boolean) {
    let written = "";
    let time = 0;
    const stream = { isTTY, write: (text: string) => (written += text) };
    const loading = showLoading("cities.csv", stream, () => time);
    for (let rows = 10_000; rows <= 50_000; rows += 10_000) {
      time += 400;
      loading.rows(rows);
    }
    loading.end(50_000);
    return written;
  }

  it("shows rows and a rate on a terminal after a second", () => {
    expect(load(true).replaceAll("\r\x1b[K", "|")).toBe(
      "|cities.csv: 30,000 rows, 25,000 a second|cities.csv: 40,000 rows, 25,000 a second" +
        "|cities.csv: 50,000 rows, 25,000 a second|cities.csv: 50,000 rows in 2.0 s\n",
    );
  });

  it("prints nothing without a terminal", () => {
    expect(load(false)).toBe("");
  });
});

describe("the log line of a request", () => {
  it("has no count of records for an injected body that is not JSON", async () => {
    const lines: string[] = [];
    const journal = withLog(createJournal(), "text", (line) => lines.push(line));
    const faults = createFaults();
    const fetch = createFetch(createEngine(), { faults, journal });
    faults.add({ answer: { status: 200, body: '{"records":[' } });
    const answer = await fetch("http://localhost/user");
    expect([answer.status, await answer.text()]).toEqual([200, '{"records":[']);
    expect(lines[0]).toMatch(/^GET \/user → 200 in [\d.]+ ms$/);
  });
});

describe("the text that serve prints", () => {
  const engine = createEngine();
  engine.createWorkspace("w").createDatabase("d").branch("main");
  const served = { workspace: "w", database: "d", branch: "main" };
  const url = "http://127.0.0.1:4000";

  it("has commands for PowerShell on Windows", () => {
    const text = describeServer(engine, url, served, "win32");
    expect(text).toContain(
      `  '{"text":"hello"}' | curl.exe -s ${url}/db/d:main/tables/notes/data -d '@-'\n`,
    );
    expect(text).toContain(`  curl.exe -s -X PUT ${url}/db/d:main/tables/notes\n`);
  });

  it("has a coloured URL and commands", () => {
    const text = paintServerText(describeServer(engine, url, served, "linux"));
    expect(text).toContain(`\x1b[1m${url}\x1b[0m serves`);
    expect(text).toContain("  \x1b[36mcurl -s -X PUT ");
  });
});
