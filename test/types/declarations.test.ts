import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { copyBuild } from "../built-package.js";
import { checkProject } from "./compiler.js";

const program = `
import { type AnyShape, type AnyTable, createEngine, type TypedTable } from "twinbase";
import { createFetch, createHandler } from "twinbase/http";
import { serve } from "twinbase/node";
import { createDouble } from "twinbase/testing";

const engine = createEngine();
export const fetch = createFetch(engine);
export const handle = createHandler(createEngine({ profile: "xata" }));
export const server = serve(createEngine());
export const double = createDouble({
  schema: { users: [{ name: "email", type: "email" }] },
});
const main = engine.createWorkspace("w").createDatabase("d").branch("main");
const { users } = main.createTables({
  users: [
    { name: "email", type: "email" },
    { name: "team", type: "link", link: { table: "teams" } },
  ],
  teams: [{ name: "name", type: "string", notNull: true }],
});
declare function listen<S extends AnyShape>(table: TypedTable<S>): void;
const anyTable: AnyTable = users;
listen(anyTable);
users.insert({ emial: "x@example.com" });
users.insert([{ emial: "x@example.com" }]);
users.update("ada", { emial: "x@example.com" });
`;

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "twinbase-declarations-"));
  const home = join(folder, "node_modules/twinbase");
  mkdirSync(home, { recursive: true });
  copyBuild(home);
  const options = { target: "ES2022", module: "NodeNext", strict: true, skipLibCheck: true };
  const config = { compilerOptions: { ...options, types: [] }, files: ["program.ts"] };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  writeFileSync(join(folder, "program.ts"), program);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the declarations of the package", () => {
  const check = (compiler: "TypeScript 5" | "TypeScript 7", instantiations: number): void => {
    const report = checkProject(folder, compiler);
    // The measured count and 30 %; 0 if the compiler timed out.
    expect(report.instantiations).toBeGreaterThan(instantiations / 2);
    expect(report.instantiations).toBeLessThan(instantiations * 1.3);
    expect(report.types).toBeLessThan(9_000);
    const lines = report.faults.map((fault) => {
      expect(fault).toContain("there is no column emial; did you mean email?");
      return program.split("\n")[Number(/\((\d+),/.exec(fault)?.[1]) - 1];
    });
    expect(lines).toEqual(program.split("\n").filter((line) => line.includes("emial")));
  };

  it("are quick to check with TypeScript 5", { tags: ["slow"] }, () =>
    check("TypeScript 5", 30_500),
  );
  it("are quick to check with TypeScript 7", () => check("TypeScript 7", 24_000));
});
