import fc from "fast-check";
import type { Json } from "../../types.js";
import type { Expectation } from "../vectors/vector.js";
import { oneOf } from "./cases.js";
import { defineLaw, type Law } from "./law.js";
import { branchPath, databasePath, named, type Scene } from "./scene.js";

/** A table: the number that each record holds, by id. */
type ModelTable = Map<string, number | null>;

/** What a database is to a client: small enough to be checked by eye. */
interface Model {
  /** Tables by branch, the oldest branch first. */
  readonly branches: Map<string, Map<string, ModelTable>>;
  readonly mapping: Map<string, string>;
}

/** A command: it always runs, and the model says what comes of it. */
type Command =
  | { readonly kind: "branch"; readonly branch: string; readonly from: string | undefined }
  | { readonly kind: "drop-branch"; readonly branch: string }
  | { readonly kind: "table" | "drop-table"; readonly branch: string; readonly table: string }
  | {
      readonly kind: "rename";
      readonly branch: string;
      readonly table: string;
      readonly name: string;
    }
  | {
      readonly kind: "put" | "patch" | "delete";
      readonly branch: string;
      readonly table: string;
      readonly id: string;
      readonly n: number | null;
    }
  | {
      readonly kind: "query";
      readonly branch: string;
      readonly table: string;
      readonly least: number;
      readonly direction: "asc" | "desc";
    }
  | { readonly kind: "map"; readonly git: string; readonly branch: string }
  | { readonly kind: "unmap" | "resolve"; readonly git: string };

function commandArbitrary(): fc.Arbitrary<Command> {
  const branch = oneOf(["main", "dev"]);
  const table = oneOf(["t", "u"]);
  const n = oneOf([0, 1, 2, null]);
  const kind = <const K extends Command["kind"]>(...kinds: K[]): fc.Arbitrary<K> => oneOf(kinds);
  const record = { branch, table, id: oneOf(["a", "b"]), n };
  const direction = oneOf(["asc", "desc"] as const);
  const from = fc.option(branch, { nil: undefined });
  const git = oneOf(["dev", "git"]);
  return fc.oneof(
    { weight: 2, arbitrary: fc.record({ kind: kind("branch"), branch, from }) },
    { weight: 1, arbitrary: fc.record({ kind: kind("drop-branch"), branch }) },
    { weight: 4, arbitrary: fc.record({ kind: kind("table"), branch, table }) },
    { weight: 1, arbitrary: fc.record({ kind: kind("drop-table"), branch, table }) },
    { weight: 1, arbitrary: fc.record({ kind: kind("rename"), branch, table, name: table }) },
    { weight: 6, arbitrary: fc.record({ kind: kind("put", "put", "patch", "delete"), ...record }) },
    {
      weight: 4,
      arbitrary: fc.record({ kind: kind("query"), branch, table, least: oneOf([0, 1]), direction }),
    },
    { weight: 2, arbitrary: fc.record({ kind: kind("map"), git, branch }) },
    { weight: 2, arbitrary: fc.record({ kind: kind("unmap", "resolve", "resolve"), git }) },
  );
}

/** Sequences of commands over branches, tables, records, mappings and queries. */
export const MODEL_LAWS: readonly Law[] = [
  defineLaw({
    id: "commands-follow-the-model",
    title: "any sequence of commands leads where a small model says",
    rules: ["B-1", "B-3", "B-5", "B-6", "M-1", "M-2", "M-3", "M-4", "X-1", "R-7", "S-3"],
    tier: "strict",
    needs: ["branches", "tables", "schema", "records", "mappings", "resolve"],
    cases: () =>
      fc.record({
        fixture: fc.constant({ tables: [] }),
        commands: fc.array(commandArbitrary(), { maxLength: 16, size: "max" }),
      }),
    async check(scene, { commands }) {
      const model: Model = { branches: new Map([["main", new Map()]]), mapping: new Map() };
      for (const command of commands) await runCommand(scene, model, command);
      for (const [branch, tables] of model.branches) {
        for (const [table, records] of tables) {
          const path = branchPath(`/tables/${table}/query`, branch);
          const ids = { unordered: [...records.keys()] };
          await scene.send({ method: "POST", path, body: {} }, { status: 200, ids });
        }
      }
      const entries = [...model.mapping].map(([gitBranch, branch]) => ({
        gitBranch,
        [named("target")]: branch,
      }));
      const json = { [named("mappings")]: entries };
      await scene.send(
        { method: "GET", path: databasePath("/gitBranches") },
        { status: 200, json },
      );
    },
  }),
];

const DONE: Expectation = { status: [200, 201] };
const MISSING: Expectation = { status: 404 };
const TAKEN: Expectation = { status: 422 };

function runCommand(scene: Scene, model: Model, command: Command): Promise<void> {
  switch (command.kind) {
    case "branch":
    case "drop-branch":
      return runBranchCommand(scene, model, command);
    case "map":
    case "unmap":
    case "resolve":
      return runMappingCommand(scene, model, command);
    default:
      return runTableCommand(scene, model, command);
  }
}

async function runBranchCommand(
  scene: Scene,
  { branches, mapping }: Model,
  command: Extract<Command, { kind: "branch" | "drop-branch" }>,
): Promise<void> {
  const path = branchPath("", command.branch);
  const known = branches.has(command.branch);
  if (command.kind === "drop-branch") {
    const last = known && branches.size === 1;
    await scene.send({ method: "DELETE", path }, last ? TAKEN : known ? DONE : MISSING);
    if (last || !known) return;
    branches.delete(command.branch);
    for (const [git, branch] of mapping) if (branch === command.branch) mapping.delete(git);
    return;
  }
  const source =
    command.from === undefined ? new Map<string, ModelTable>() : branches.get(command.from);
  // What is wrong first when both names are, no rule says.
  const expectation = known || source === undefined ? { fails: true as const } : DONE;
  const body = command.from === undefined ? {} : { from: command.from };
  await scene.send({ method: "PUT", path, body }, expectation);
  if (known || source === undefined) return;
  const takes = scene.traits.profile.branchCopies === "records";
  const copy = [...source].map(([name, records]) => [name, new Map(takes ? records : [])] as const);
  branches.set(command.branch, new Map(copy));
}

async function runMappingCommand(
  scene: Scene,
  { branches, mapping }: Model,
  command: Extract<Command, { kind: "map" | "unmap" | "resolve" }>,
): Promise<void> {
  const path = databasePath("/gitBranches");
  const gitBranch = command.git;
  const held = mapping.get(gitBranch);
  if (command.kind === "map") {
    const known = branches.has(command.branch);
    const body = { gitBranch, [named("target")]: command.branch };
    const status = known ? (held === undefined ? 204 : 201) : 400;
    await scene.send({ method: "POST", path, body }, { status });
    if (known) mapping.set(gitBranch, command.branch);
  } else if (command.kind === "unmap") {
    const status = held === undefined ? 404 : 204;
    await scene.send({ method: "DELETE", path, query: { gitBranch } }, { status });
    mapping.delete(gitBranch);
  } else {
    const [oldest = ""] = branches.keys();
    const fallback = branches.has("main") ? "main" : oldest;
    const branch = held ?? (branches.has(gitBranch) ? gitBranch : fallback);
    const query = { gitBranch };
    const at = { "/branch": branch };
    await scene.send(
      { method: "GET", path: databasePath("/resolveBranch"), query },
      { status: 200, at },
    );
  }
}

async function runTableCommand(
  scene: Scene,
  { branches }: Model,
  command: Exclude<Command, { kind: "branch" | "drop-branch" | "map" | "unmap" | "resolve" }>,
): Promise<void> {
  const { branch, table } = command;
  const tables = branches.get(branch);
  const records = tables?.get(table);
  const path = branchPath(`/tables/${table}`, branch);
  switch (command.kind) {
    case "table": {
      const expectation = tables === undefined ? MISSING : records === undefined ? DONE : TAKEN;
      await scene.send({ method: "PUT", path }, expectation);
      if (tables === undefined || records !== undefined) return;
      const body = { columns: [{ name: "n", type: "int" }] };
      await scene.send({ method: "PUT", path: `${path}/schema`, body }, DONE);
      tables.set(table, new Map());
      return;
    }
    case "drop-table":
      await scene.send({ method: "DELETE", path }, records === undefined ? MISSING : DONE);
      tables?.delete(table);
      return;
    case "rename": {
      // What becomes of a table renamed to its own name no rule says.
      if (command.name === table) return;
      const taken = records !== undefined && tables?.has(command.name) === true;
      const body = { name: command.name };
      const expectation = records === undefined ? MISSING : taken ? TAKEN : DONE;
      await scene.send({ method: "PATCH", path, body }, expectation);
      if (records === undefined || taken) return;
      tables?.delete(table);
      tables?.set(command.name, records);
      return;
    }
    case "query": {
      const filter = { n: { $ge: command.least } };
      const body = { filter, sort: [{ n: command.direction }, { id: "asc" }] } as Json;
      const sign = command.direction === "asc" ? 1 : -1;
      const found = [...(records ?? [])]
        .filter(([, n]) => n !== null && n >= command.least)
        .sort(([a, m], [b, n]) => sign * (Number(m) - Number(n)) || (a < b ? -1 : 1));
      const ids = { exact: found.map(([id]) => id) };
      const expectation = records === undefined ? MISSING : { status: 200, ids };
      await scene.send({ method: "POST", path: `${path}/query`, body }, expectation);
      return;
    }
    default:
      return runRecordCommand(scene, records, command, path);
  }
}

async function runRecordCommand(
  scene: Scene,
  records: ModelTable | undefined,
  command: Extract<Command, { kind: "put" | "patch" | "delete" }>,
  table: string,
): Promise<void> {
  const { id, n } = command;
  const path = `${table}/data/${id}`;
  const known = records?.has(id) === true;
  const missing = records === undefined || (command.kind !== "put" && !known);
  if (command.kind === "delete") {
    await scene.send({ method: "DELETE", path }, missing ? MISSING : { status: 204 });
    records?.delete(id);
    return;
  }
  const method = command.kind === "put" ? "PUT" : "PATCH";
  const body = n === null ? {} : { n };
  const done = { status: known ? 200 : 201 };
  await scene.send({ method, path, body }, missing ? MISSING : done);
  if (missing) return;
  const held = command.kind === "patch" ? (records.get(id) ?? null) : null;
  records.set(id, n ?? held);
}
