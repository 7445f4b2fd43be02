import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { showProgress } from "../../src/cli/progress.js";
import { QUERY } from "../../src/cli/query-file.js";
import { withLog } from "../../src/cli/request-log.js";
import { escapeControls } from "../../src/errors.js";
import { createJournal } from "../../src/http.js";

/** Sequences that clear a terminal and set its title, and a one-character CSI. */
const CONTROLS = "\u001b[2J\u001b]0;title\u0007\u009b31m\u007f\r";
const ESCAPED = "\\u001b[2J\\u001b]0;title\\u0007\\u009b31m\\u007f\\u000d";

const folder = mkdtempSync(join(tmpdir(), "controls-"));
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => vi.restoreAllMocks());

async function query(...args: string[]): Promise<string> {
  let printed = "";
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, "write").mockImplementation((text) => {
      printed += String(text);
      return true;
    });
  }
  await QUERY.run(args);
  return printed;
}

describe("control characters on a terminal", () => {
  it("are escaped, except line feeds and tabs", () => {
    expect(escapeControls(`a\n\tb é \u{1f600}${CONTROLS}`)).toBe(`a\n\tb é \u{1f600}${ESCAPED}`);
  });

  it("of values and messages are escaped by query, without changing JSON values", async () => {
    const file = join(folder, "people.json");
    writeFileSync(file, JSON.stringify([{ name: CONTROLS }]));
    const text = await query(file, "--json");
    expect(text).not.toMatch(/[^\P{Cc}\n]/u);
    expect(JSON.parse(text)).toMatchObject([{ name: CONTROLS }]);
    expect(await query(file, "--filter", JSON.stringify({ [CONTROLS]: 1 }))).not.toMatch(
      /[^\P{Cc}\n]/u,
    );
  });

  it("of requests and answers are escaped in logs and progress", () => {
    let line = "";
    const journal = withLog(createJournal(), "text", (text) => {
      line = text;
    });
    const answer = { status: 200, headers: {}, body: "{}" };
    journal.add({ method: "GET", path: `/${CONTROLS}` } as never, undefined, answer, 1);
    expect(line).toContain(`/${ESCAPED} → 200`);
    let shown = "";
    const progress = showProgress({ write: (text) => (shown += text) }, {});
    progress.onDivergence?.({ check: "c", rules: ["F-3"], message: CONTROLS } as never);
    expect(shown).toBe(`diverges: F-3 c: ${ESCAPED}\n`);
  });
});
