// Checks the OpenAPI description: a generated client compiles under strict and makes ten calls; a linter finds
// nothing. The tools need an older compiler than this project.
// node scripts/check-openapi.mjs
import { execFile } from "node:child_process";
import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { createFetch } from "../dist/http.js";
import { createEngine, PROFILES } from "../dist/index.js";
import { serve } from "../dist/node.js";
import { inFolder, makeProject, ROOT, run } from "./packed.mjs";

const TOOLS = [
  "openapi-typescript@7.13.0",
  "openapi-fetch@0.17.0",
  "@redocly/cli@1.34.5",
  "typescript@5.9.3",
  "@types/node@20",
];

await inFolder(async (folder) => {
  cpSync(join(ROOT, "scripts/openapi-client"), folder, { recursive: true });
  makeProject(folder, TOOLS, "module");
  const runTool = (...args) => {
    const output = run(folder, "npx", ...args);
    if (/\bwarning\b/i.test(output)) throw new Error(`${args.join(" ")}:\n${output}`);
  };
  for (const profile of Object.keys(PROFILES)) {
    const answer = await createFetch(createEngine({ profile }))("http://localhost/openapi.json");
    writeFileSync(join(folder, `${profile}.json`), await answer.text());
    runTool("redocly", "lint", `${profile}.json`, "--max-problems=20", "--format=stylish");
  }
  runTool("openapi-typescript", "documented.json", "-o", "description.d.ts");
  runTool("tsc", "-p", ".");
  const engine = createEngine();
  engine.createWorkspace("local");
  const server = await serve(engine);
  try {
    // Not `run`, which would block the server in this process.
    await promisify(execFile)(process.execPath, [join(folder, "out/program.js"), server.url]);
  } finally {
    await server.close();
  }
  console.log("the generated client compiles and works; the linter finds no problems");
});
