import { existsSync, lstatSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { refuse } from "../errors.js";
import { isPlainObject } from "../value/json.js";
import { readArguments } from "./arguments.js";
import type { Command } from "./command.js";
import { print } from "./print.js";
import { USAGES } from "./usage.js";

/** `twinbase init` */
export const INIT: Command = {
  run: (args) =>
    print("init", () => initProject(readArguments(args, USAGES.init).operands[0] ?? ".")),
};

interface Project {
  readonly runner: "vitest" | "jest" | "node:test";
  /** File extension; `cjs` means CommonJS. */
  readonly extension: "ts" | "mjs" | "cjs";
  readonly hasClient: boolean;
  /** Whether imports need extensions: module resolution of Node. */
  readonly needsExtensions: boolean;
  /** The tables of an existing `src/xata.ts`. */
  readonly generated: Generated | undefined;
  /** Packages to install. */
  readonly missing: readonly string[];
}

/** Exported tables are imported, others are copied as text. */
interface Generated {
  readonly isExported: boolean;
  readonly tables: string;
}

/** Writes a schema, a double and a test into a project. Never overwrites. */
export function initProject(folder: string): string {
  const project = inspect(folder);
  const { extension, missing, runner } = project;
  const files = {
    [`test/schema.${extension}`]: schemaFile(project),
    [`test/double.${extension}`]: doubleFile(project),
    [`test/double.test.${extension}`]: testFile(project),
  };
  for (const name of ["test", ...Object.keys(files)]) requireNoLooseLink(join(folder, name));
  const lines = Object.entries(files).map(([name, text]) => {
    const path = join(folder, name);
    if (existsSync(path)) return `kept   ${name}: it exists`;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { flag: "wx" }); // follows no link
    return `wrote  ${name}`;
  });
  const install = missing.length === 0 ? [] : [`  npm install -D ${missing.join(" ")}`];
  return [...lines, "", "Next:", ...install, `  ${COMMANDS[runner]}`, ""].join("\n");
}

function requireNoLooseLink(path: string): void {
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink();
  if (!isLink || existsSync(path)) return;
  refuse("invalid_request", `${path}: a link to nothing; remove it`);
}

const COMMANDS: Readonly<Record<Project["runner"], string>> = {
  vitest: "npx vitest run test/double",
  jest: "npx jest test/double",
  "node:test": "node --test test/double.test.mjs",
};

function inspect(folder: string): Project {
  const description = readDescription(join(folder, "package.json"));
  const packages = { ...description.dependencies, ...description.devDependencies };
  const runner = "vitest" in packages ? "vitest" : "jest" in packages ? "jest" : "node:test";
  const isTyped =
    existsSync(join(folder, "tsconfig.json")) &&
    (runner === "vitest" || (runner === "jest" && "ts-jest" in packages));
  const extension = isTyped ? "ts" : runner === "jest" ? "cjs" : "mjs";
  const missing = "twinbase" in packages ? [] : ["twinbase"];
  const hasClient = "@xata.io/client" in packages;
  const needsExtensions =
    extension === "ts" && NODE_RESOLUTION.test(readText(folder, "tsconfig.json"));
  const generated = extension === "ts" ? readGenerated(readText(folder, "src/xata.ts")) : undefined;
  return { runner, extension, hasClient, needsExtensions, generated, missing };
}

interface Description {
  readonly dependencies?: object;
  readonly devDependencies?: object;
}

function readDescription(path: string): Description {
  if (!existsSync(path)) return {};
  const text = readFileSync(path, "utf8").replace(/^\uFEFF/, "");
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch {} // refused next
  if (!isPlainObject(found)) refuse("invalid_request", `${path}: expected a JSON object`);
  return found; // npm validates its members
}

const NODE_RESOLUTION = /"module(?:Resolution)?"\s*:\s*"node(?:next|1[68]|20)"/i;

function readText(folder: string, name: string): string {
  const path = join(folder, name);
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}

/** Finds the tables in the file that `xata codegen` writes. */
function readGenerated(text: string): Generated | undefined {
  const [, exported, tables] =
    /^(export )?const tables = (\[[\s\S]*?\n?\]) as const;/m.exec(text) ?? [];
  return tables === undefined ? undefined : { isExported: exported !== undefined, tables };
}

function load({ extension }: Project, names: string, from: string): string {
  return extension === "cjs"
    ? `const { ${names} } = require("${from}");`
    : `import { ${names} } from "${from}";`;
}

function share({ extension }: Project, name: string): string {
  return extension === "cjs" ? `exports.${name} =` : `export const ${name} =`;
}

function beside({ extension, needsExtensions }: Project, name: string): string {
  if (extension !== "ts") return `./${name}.${extension}`;
  return needsExtensions ? `./${name}.js` : `./${name}`;
}

function schemaFile(project: Project): string {
  const isConst = project.extension === "ts" ? " as const" : "";
  const { generated } = project;
  if (generated !== undefined) {
    const from = beside(project, "../src/xata").replace("./../", "../");
    return generated.isExported
      ? `export { tables } from "${from}";\n`
      : `// Copied from src/xata.ts. To import them, write \`export\` before its \`const tables\`.
export const tables = ${generated.tables} as const;\n`;
  }
  return `// The tables of your database: copy them from the output of \`xata codegen\` or \`xata schema dump\`.
${share(project, "tables")} [
  { name: "teams", columns: [{ name: "name", type: "string" }] },
  {
    name: "users",
    columns: [
      { name: "email", type: "email", unique: true },
      { name: "team", type: "link", link: { table: "teams" } },
    ],
  },
]${isConst};
`;
}

function doubleFile(project: Project): string {
  return `${load(project, "createDouble", "twinbase/testing")}
${load(project, "tables", beside(project, "schema"))}

// The state that each test starts from: fork it.
${share(project, "seeded")} createDouble({
  schema: tables,
${project.generated === undefined ? RECORDS : "  records: {}, // by table\n"}});
`;
}

const RECORDS = `  records: {
    teams: [{ id: "blue", name: "Blue" }],
    users: [{ id: "ada", email: "ada@example.com", team: "blue" }],
  },
`;

function testFile(project: Project): string {
  const { runner, generated } = project;
  const hasClient = project.hasClient && generated === undefined;
  const isTyped = project.extension === "ts";
  const clientNames = `buildClient${isTyped ? ", type SchemaInference, type XataRecord" : ""}`;
  const clientTypes = [
    "",
    "type Inferred = SchemaInference<typeof tables>;",
    "type Tables = { [Name in keyof Inferred]: Inferred[Name] & XataRecord };",
  ];
  const runnerImport = {
    vitest: [load(project, "expect, test", "vitest")],
    jest: [],
    "node:test": ['import assert from "node:assert/strict";', load(project, "test", "node:test")],
  }[runner];
  const equal = (actual: string, expected: string): string =>
    runner === "node:test"
      ? `assert.equal(${actual}, ${expected});`
      : `expect(${actual}).toBe(${expected});`;
  const body =
    generated !== undefined
      ? [`  ${equal("double.branch.tables().length", "tables.length")}`]
      : hasClient
        ? [
            `  const client = new (buildClient())${isTyped ? "<Tables>" : ""}(double.client, tables);`,
            '  const ada = await client.db.users.read("ada", ["team.name"]);',
            `  ${equal("ada?.team?.name", '"Blue"')}`,
          ]
        : [
            '  const address = new URL("/db/app:main/tables/users/data/ada", double.client.databaseURL);',
            `  ${equal("(await double.fetch(address)).status", "200")}`,
          ];
  return [
    ...runnerImport,
    ...(hasClient ? [load(project, clientNames, "@xata.io/client")] : []),
    load(project, "seeded", beside(project, "double")),
    ...(hasClient || generated ? [load(project, "tables", beside(project, "schema"))] : []),
    ...(hasClient && isTyped ? clientTypes : []),
    "",
    `test("${generated === undefined ? "finds a user" : "has the tables of src/xata.ts"}", async () => {`,
    "  const double = seeded.fork();",
    ...body,
    "});",
    "",
  ].join("\n");
}
