/** @module-tag slow */
import { spawnSync } from "node:child_process";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type LanguageService,
  type OpenProgram,
  openProgram,
  startTypeScript5,
  startTypeScript7,
} from "./language-services.js";
import { MISTAKES, POSITIONS, PROGRAM } from "./positions.js";

const root: string = resolve(import.meta.dirname, "../..");
const head: string = `
import { createEngine } from "${root}/src/index.js";
import { createFaults, createJournal } from "${root}/src/http.js";
import { createDouble } from "${root}/src/testing.js";
${PROGRAM}`;

describe.each([
  ["TypeScript 5", startTypeScript5],
  ["TypeScript 7", startTypeScript7],
])("the language service of %s", (_, start) => {
  let program: OpenProgram;
  let service: LanguageService;

  beforeAll(() => {
    program = openProgram(`${head}${POSITIONS.map(([position]) => `${position};`).join("\n")}`);
    service = start(program);
  });
  afterAll(async () => {
    await service.close();
    program.remove();
  });

  it.each(POSITIONS.map(([position, ...offered], i) => [position, i, offered] as const))(
    "completes %s",
    async (_position, i, offered) => {
      expect(await service.complete(program.cursors[i]!)).toEqual(expect.arrayContaining(offered));
    },
    60_000,
  );
});

describe("a typical mistake", () => {
  const program = openProgram(`${head}${MISTAKES.map(([mistake]) => mistake).join("\n")}\n`);
  afterAll(() => program.remove());

  it("is reported once, at its line, with its name and a suggestion in the last line", () => {
    const { stdout } = spawnSync(
      process.execPath,
      [
        join(root, "node_modules/typescript/bin/tsc"),
        ...["-p", join(program.file, ".."), "--pretty", "false", "--incremental", "false"],
      ],
      { cwd: join(program.file, ".."), encoding: "utf8" },
    );
    const messages = stdout.split(/^program\.mts/m).slice(1);
    const first = head.split("\n").length;
    for (const [i, [mistake, ...named]] of MISTAKES.entries()) {
      const found = messages.filter((text) => text.startsWith(`(${first + i},`));
      const texts = found.map((text) => text.replace(/^.*?error TS\d+: /, "").trim());
      expect(texts, mistake).toHaveLength(1);
      const lines = texts[0]!.split("\n");
      expect(lines.length, mistake).toBeLessThanOrEqual(2);
      expect(texts[0], mistake).not.toMatch(/Scope<|SortKeys|InnerMember|FilterIn|Several</);
      for (const name of named) expect(lines.at(-1), mistake).toContain(name);
    }
    expect(messages).toHaveLength(MISTAKES.length);
  });
});
