import type { Json, QueryRequest } from "../../types.js";
import { choose, happens } from "../arbitraries/choice.js";
import { type PageCommand, programArbitrary, type WriteCommand } from "../arbitraries/commands.js";
import type { QueriedSchema } from "../arbitraries/paths.js";
import { renderQuery } from "../arbitraries/query.js";
import { findMarks, renderTurn, renderWrite } from "../arbitraries/walk.js";
import { hasFiles } from "../oracle/files.js";
import type { OracleDatabase } from "../oracle/model.js";
import { type OracleCommand, type OracleWorld, resolveBranch } from "../oracle/world.js";
import type { OracleWrite } from "../oracle/write.js";
import { LackError } from "../target/target.js";
import { compareRecords, play, playPossible, worldOf } from "./commands.js";
import { comparePage, readDatabase, readTimes } from "./compare.js";
import { defineLaw, type Law } from "./law.js";
import { databasePath, named, type Scene } from "./scene.js";
import { type Bookmark, turnPage } from "./walks.js";

export const PROGRAM_LAWS: readonly Law[] = [
  defineLaw({
    id: "commands-follow-the-model",
    title: "programs of two clients equal the oracle",
    rules: [
      ...(["G-2", "G-5", "G-6", "G-9", "G-10", "G-11", "G-12", "R-7", "X-1", "X-2"] as const),
      ...(["X-3", "X-4", "T-16", "B-1", "B-2", "B-3", "B-4", "B-5", "B-6", "M-1"] as const),
      ...(["M-2", "M-3", "M-4", "F-1", "F-7", "F-8", "F-16", "F-18", "F-30", "S-1"] as const),
      ...(["S-2", "S-3", "S-5", "P-1", "P-5", "P-11"] as const),
    ],
    tier: "strict",
    needs: ["records"],
    requests: 40,
    cases: programArbitrary,
    async check(scene, given) {
      const { capabilities } = scene.traits;
      const begin = new Map([["main", await readDatabase(scene, given)]]);
      let world: OracleWorld = { ...worldOf(scene.traits, given.fixture), branches: begin };
      const clients = new Map<number, Client>();
      for (const step of given.steps) {
        if (step.kind === "page") await turnClient(scene, world, step, clients);
        else if (step.kind === "writes") world = await write(scene, world, step);
        else {
          world = CHANGES.includes(step.kind)
            ? await playPossible(scene, world, [step])
            : await play(scene, world, step);
          for (const [id, client] of clients) if (isPast(client, step)) clients.delete(id);
        }
      }
      await compareRecords(scene, world, "the records after a program");
      if (capabilities.has("mappings")) await compareMapping(scene, world);
      if (capabilities.has("resolve")) await compareResolution(scene, world);
    },
  }),
];

/** Changes that are sent only if they are possible: no rule orders their errors. */
const CHANGES: readonly string[] = ["rename table", "column", "rename column", "drop column"];

function schemaOf({ traits }: Scene, tables: OracleDatabase["tables"]): QueriedSchema {
  const { base, metadataColumn } = traits.profile;
  return { tables, base, metadataColumn };
}

/** Chooses a table, mostly the first. */
function chooseTable<T>(tables: readonly T[], seed: number): T {
  return choose(seed, "table", happens(seed, "first", 0.5) ? tables.slice(0, 1) : tables);
}

/** Sends writes for the tables that a branch has now, or for a missing one. */
async function write(
  scene: Scene,
  world: OracleWorld,
  { branch, seeds, whole }: WriteCommand,
): Promise<OracleWorld> {
  const tables = world.branches.get(branch)?.tables ?? [];
  const schema = schemaOf(scene, tables);
  const missing = { name: "u", columns: [] };
  // a transaction may exclude files.
  const fit = tables.filter(({ columns }) => !whole || !columns.some(hasFiles));
  const writes = seeds.map((seed): OracleWrite => {
    const given = renderWrite(schema, chooseTable([...fit, missing], seed), seed);
    if (given.kind === "insert")
      return whole ? { ...given, records: given.records.slice(0, 1) } : given;
    // HTTP has no replace that does not insert.
    return given.kind === "replace" ? { ...given, kind: "put" } : given;
  });
  const [first] = writes;
  if (first === undefined) return world;
  const command: OracleCommand = whole
    ? { kind: "transaction", branch, writes }
    : { kind: "write", branch, write: first };
  const after = await play(scene, world, command);
  const db = after.branches.get(branch);
  if (db === undefined || after === world) return after;
  // A deletion may change the records that link to it (T-18).
  const changed = writes.some(({ kind }) => kind === "delete")
    ? tables.map(({ name }) => name)
    : writes.map(({ table }) => table);
  let timed = db;
  for (const name of new Set(changed)) {
    if (db.tables.some((table) => table.name === name)) {
      timed = await readTimes(scene, timed, name, branch);
    }
  }
  return { ...after, branches: new Map(after.branches).set(branch, timed) };
}

/** A client with the pages of its query. */
interface Client {
  readonly branch: string;
  readonly table: string;
  readonly query: QueryRequest;
  readonly bookmarks: readonly Bookmark[];
}

/** Whether a change makes the cursors of a client invalid (G-13), or unsure. */
function isPast({ branch, table, query, bookmarks }: Client, change: OracleCommand): boolean {
  if (!("branch" in change) || change.branch !== branch) return false;
  if (change.kind === "drop branch") return true;
  if (change.kind === "drop table" || change.kind === "rename table") return change.table === table;
  if (change.kind !== "drop column" && change.kind !== "rename column") return false;
  const named = JSON.stringify([query, bookmarks.map(({ token }) => token.columns)]);
  return new RegExp(`\\b${change.column}\\b`).test(named);
}

async function turnClient(
  scene: Scene,
  world: OracleWorld,
  step: PageCommand,
  clients: Map<number, Client>,
): Promise<void> {
  const held = step.query === undefined ? clients.get(step.client) : undefined;
  const branch = held?.branch ?? step.branch;
  const db = world.branches.get(branch);
  const table =
    db?.tables.find(({ name }) => name === held?.table) ??
    (db?.tables.length && chooseTable(db.tables, step.seed));
  if (db === undefined || !table) return;
  const schema = schemaOf(scene, db.tables);
  const query = held?.query ?? renderQuery(schema, table, step.query ?? {}, { random: false });
  const bookmarks = held?.bookmarks ?? [];
  const turn = renderTurn(schema, table, step.step, step.seed);
  const marks = findMarks(bookmarks, turn);
  const sides = { scene, db, branch, compare: comparePage };
  try {
    const bookmark = await turnPage(sides, { table: table.name, query }, turn, marks);
    const pages = bookmark === undefined ? bookmarks : [...bookmarks, bookmark];
    clients.set(step.client, { branch, table: table.name, query, bookmarks: pages });
  } catch (error) {
    // A page that the service lacks.
    if (!(error instanceof LackError)) throw error;
  }
}

async function compareResolution(scene: Scene, world: OracleWorld): Promise<void> {
  for (const gitBranch of ["copy", "git", "x"]) {
    for (const fallbackBranch of [undefined, "z"]) {
      const { branch, code } = resolveBranch(world, gitBranch, fallbackBranch);
      const query = { gitBranch, ...(fallbackBranch === undefined ? {} : { fallbackBranch }) };
      const request = { method: "GET", path: databasePath("/resolveBranch"), query };
      await scene.send(request, { status: 200, at: { "/branch": branch, "/reason/code": code } });
    }
  }
}

async function compareMapping(scene: Scene, { mapping }: OracleWorld): Promise<void> {
  const entries = [...mapping].map(([gitBranch, branch]): Json => {
    return { gitBranch, [named("target")]: branch };
  });
  const request = { method: "GET", path: databasePath("/gitBranches") };
  await scene.send(request, { status: 200, json: { [named("mappings")]: entries } });
}
