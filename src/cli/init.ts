import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
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
  /** Packages to install. */
  readonly missing: readonly string[];
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
  const lines = Object.entries(files).map(([name, text]) => {
    const path = join(folder, name);
    if (existsSync(path)) return `kept   ${name}: it exists`;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return `wrote  ${name}`;
  });
  const install = missing.length === 0 ? [] : [`  npm install -D ${missing.join(" ")}`];
  return [...lines, "", "Next:", ...install, `  ${COMMANDS[runner]}`, ""].join("\n");
}

const COMMANDS: Readonly<Record<Project["runner"], string>> = {
  vitest: "npx vitest run test/double",
  jest: "npx jest test/double",
  "node:test": "node --test test/double.test.mjs",
};

function inspect(folder: string): Project {
  const path = join(folder, "package.json");
  const description = (existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : {}) as {
    readonly dependencies?: object;
    readonly devDependencies?: object;
  }; // npm validates the shape
  const packages = { ...description.dependencies, ...description.devDependencies };
  const runner = "vitest" in packages ? "vitest" : "jest" in packages ? "jest" : "node:test";
  const isTyped =
    existsSync(join(folder, "tsconfig.json")) &&
    (runner === "vitest" || (runner === "jest" && "ts-jest" in packages));
  const extension = isTyped ? "ts" : runner === "jest" ? "cjs" : "mjs";
  const missing = "twinbase" in packages ? [] : ["twinbase"];
  return { runner, extension, hasClient: "@xata.io/client" in packages, missing };
}

function load({ extension }: Project, names: string, from: string): string {
  return extension === "cjs"
    ? `const { ${names} } = require("${from}");`
    : `import { ${names} } from "${from}";`;
}

function share({ extension }: Project, name: string): string {
  return extension === "cjs" ? `exports.${name} =` : `export const ${name} =`;
}

function beside({ extension }: Project, name: string): string {
  return extension === "ts" ? `./${name}` : `./${name}.${extension}`;
}

function schemaFile(project: Project): string {
  const isConst = project.extension === "ts" ? " as const" : "";
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
  records: {
    teams: [{ id: "blue", name: "Blue" }],
    users: [{ id: "ada", email: "ada@example.com", team: "blue" }],
  },
});
`;
}

function testFile(project: Project): string {
  const { runner, hasClient } = project;
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
  const equal = (given: string, expected: string): string =>
    runner === "node:test"
      ? `assert.equal(${given}, ${expected});`
      : `expect(${given}).toBe(${expected});`;
  const body = hasClient
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
    ...(hasClient ? [load(project, "tables", beside(project, "schema"))] : []),
    ...(hasClient && isTyped ? clientTypes : []),
    "",
    'test("finds a user", async () => {',
    "  const double = seeded.fork();",
    ...body,
    "});",
    "",
  ].join("\n");
}
