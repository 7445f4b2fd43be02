// Holds the service's description against what people do with it: a client is generated from it,
// compiled under strict, and makes ten calls; a linter finds neither errors nor warnings. The tools
// are installed into a folder of their own, as they want another compiler than this project has.
// Runs on the built package: node scripts/check-openapi.mjs
import { execFile, execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createFetch } from "../dist/http.js";
import { createEngine, PROFILES } from "../dist/index.js";
import { serve } from "../dist/node.js";

const TOOLS = [
  "openapi-typescript@7.13.0",
  "openapi-fetch@0.17.0",
  "@redocly/cli@1.34.5",
  "typescript@5.9.3",
  "@types/node@20",
];

const folder = mkdtempSync(join(tmpdir(), "twinbase-openapi-"));
try {
  await check();
} finally {
  rmSync(folder, { recursive: true });
}

async function check() {
  cpSync(fileURLToPath(new URL("openapi-client", import.meta.url)), folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{"type":"module","private":true}');
  run("npm", "install", "--no-audit", "--no-fund", "--loglevel=error", ...TOOLS);
  for (const profile of Object.keys(PROFILES)) {
    const answer = await createFetch(createEngine({ profile }))("http://localhost/openapi.json");
    writeFileSync(join(folder, `${profile}.json`), await answer.text());
    // Warnings count as errors.
    run("npx", "redocly", "lint", `${profile}.json`, "--max-problems=20", "--format=stylish");
  }
  run("npx", "openapi-typescript", "documented.json", "-o", "description.d.ts");
  run("npx", "tsc", "-p", ".");
  const engine = createEngine();
  engine.createWorkspace("local");
  const server = await serve(engine);
  try {
    await call(server.url);
  } finally {
    await server.close();
  }
  process.stdout.write("the generated client compiles and works; the linter has nothing to say\n");
}

/** In a process of its own, as the server answers from this one. */
async function call(url) {
  await promisify(execFile)(process.execPath, [join(folder, "out/program.js"), url]);
}

function run(command, ...args) {
  const output = execFileSync(command, args, { cwd: folder, encoding: "utf8", stdio: "pipe" });
  if (/\bwarning\b/i.test(output)) throw new Error(`${command} ${args.join(" ")}:\n${output}`);
}
