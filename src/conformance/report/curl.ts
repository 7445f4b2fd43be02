// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of vectors and of shells
import type { Json } from "../../types.js";
import type { Connection } from "../target/connection.js";
import type { Names } from "../target/names.js";
import { seedingRequests } from "../target/sandbox.js";
import type { Fixture } from "../target/target.js";
import { baseVariables, substitute } from "../vectors/variables.js";
import type { VectorStep } from "../vectors/vector.js";

type Sendable = Omit<VectorStep, "expect" | "capture">;

const MOST_CHARACTERS = 20_000;

/** Renders shell commands that create a database, fill it and send the steps. */
export function renderCurl(
  fixture: Fixture,
  steps: readonly VectorStep[],
  connection: Connection,
): string {
  const { names } = connection;
  const kept = baseVariables(connection, "")
    .set("db", "${DB}")
    .set("workspace", "${WORKSPACE}")
    .set("otherKey", "${OTHER_KEY}");
  const lines = [
    "# Set WORKSPACE_URL, CONTROL_URL, WORKSPACE and KEY for your service",
    "DB=counterexample",
    ...[DATABASE, ...seedingRequests("${db}", fixture)].map(
      (step) => renderCommand(fill(step as Sendable, kept, names)), // seeding sends JSON
    ),
  ];
  if (JSON.stringify(steps).includes("${damage:")) lines.push(DAMAGE);
  for (const step of steps) lines.push(...renderStep(step, kept, names));
  return `${lines.join("\n")}\n`;
}

const DATABASE: Sendable = {
  method: "PUT",
  path: "/workspaces/${workspace}/dbs/${db}",
  address: "control",
  body: {},
};

/** As `damage` in vectors: changes one character; the position wraps around. */
const DAMAGE = `damage() { jq -rn --argjson n "$1" --arg c "$2" '($c | length) as $l | ((($n % $l) + $l) % $l) as $i | $c[:$i] + (if $c[$i:$i + 1] == "A" then "B" else "A" end) + $c[$i + 1:]'; }`;

function renderStep(
  step: VectorStep,
  variables: Map<string, Json>,
  names: Names | undefined,
): string[] {
  const { capture = {}, expect: _, ...given } = step;
  const lines: string[] = [];
  const define = (name: string, value: string): string => {
    lines.push(`${name}=${value}`);
    variables.set(name, `\${${name}}`);
    return `\${${name}}`;
  };
  const text = JSON.stringify(given)
    .replace(/\$\{damage:(-?\d+):(\w+)\}/g, (_, place: string, name: string) =>
      define(`${name}_${place.replace("-", "m")}`, `$(damage ${place} "$${name}")`),
    )
    .replace(/\$\{after:\/:(\w+)\}/g, (_, name: string) =>
      define(`${name}_end`, `"\${${name}##*/}"`),
    );
  const command = renderCommand(fill(JSON.parse(text) as Sendable, variables, names)); // substitution keeps its shape
  const entries = Object.entries(capture);
  lines.push(entries.length === 0 ? command : `${command} | tee answer.json`);
  for (const [name, pointer] of entries) {
    const place = jqPath(String(substitute(pointer, variables)), names);
    lines.push(`${name}=$(jq -r '${place}' answer.json)`);
    variables.set(name, `\${${name}}`);
  }
  return lines;
}

function fill(
  step: Sendable,
  variables: ReadonlyMap<string, Json>,
  names: Names | undefined,
): Sendable {
  const filled = substitute(step as unknown as Json, variables) as unknown as Sendable; // keeps its shape
  return names?.request(filled) ?? filled;
}

function renderCommand(step: Sendable): string {
  const base = step.address === "control" ? "$CONTROL_URL" : "$WORKSPACE_URL";
  const search = step.query === undefined ? "" : `?${new URLSearchParams(step.query)}`;
  const text = step.raw ?? (step.body === undefined ? undefined : JSON.stringify(step.body));
  const headers: { [name: string]: string | null } = {
    authorization: "Bearer ${KEY}",
    ...(text === undefined ? {} : { "content-type": "application/json" }),
    ...step.headers,
  };
  const parts = [`curl -sS -X ${step.method}`, `"${base}${quoteDouble(step.path + search)}"`];
  for (const [name, value] of Object.entries(headers)) {
    if (value !== null) parts.push(`-H "${quoteDouble(`${name}: ${value}`)}"`);
  }
  if (text !== undefined) parts.push(`-d ${quoteSingle(text)}`);
  const command = parts.join(" ");
  return command.length > MOST_CHARACTERS
    ? `# ${step.method} ${step.path}: a request of ${text?.length} characters, see the vector`
    : command;
}

function quoteDouble(text: string): string {
  return text.replace(/[\\"`]|\$(?!\{)/g, "\\$&");
}

function quoteSingle(text: string): string {
  const plain = text.replaceAll("'", "'\\''");
  return `'${plain.replace(/\$\{\w+\}/g, (variable) => `'"${variable}"'`)}'`;
}

function jqPath(pointer: string, names: Names | undefined): string {
  const path = pointer.split("/").slice(1).join(".");
  const parts = (names?.path(path) ?? path).split(".");
  return parts.map((part) => (/^\d+$/.test(part) ? `[${part}]` : `.${part}`)).join("");
}
