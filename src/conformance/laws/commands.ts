import { CLOCK_START } from "../arbitraries/domains.js";
import { answerTo, isBatch } from "../oracle/answers.js";
import type { JsonObject, OracleDatabase } from "../oracle/model.js";
import { type OracleCommand, type OracleWorld, type Outcome, runCommand } from "../oracle/world.js";
import type { OracleWrite } from "../oracle/write.js";
import type { WireRequest } from "../target/connection.js";
import type { Fixture, TargetTraits } from "../target/target.js";
import type { Expectation } from "../vectors/vector.js";
import { databaseOf, tablePatterns, withAnyTimes } from "./compare.js";
import { branchPath, databasePath, named, type Scene } from "./scene.js";

export const DONE: Expectation = { status: [200, 201, 202, 204] };

export function worldOf({ profile }: TargetTraits, fixture: Fixture): OracleWorld {
  const branches = new Map([["main", databaseOf({ profile }, fixture)]]);
  return { profile, branches, mapping: new Map() };
}

export function databaseAt({ branches }: OracleWorld, branch = "main"): OracleDatabase {
  const db = branches.get(branch);
  if (db === undefined) throw new Error(`no branch ${branch}`);
  return db;
}

/** Sends a command and compares its answer with the oracle's; returns the next world. */
export async function play(
  scene: Scene,
  world: OracleWorld,
  command: OracleCommand,
): Promise<OracleWorld> {
  const [after, outcome] = runCommand(world, command, CLOCK_START);
  const expectation = expectationOf(command, outcome);
  const json = answerTo([world, after], command, outcome, CLOCK_START);
  const answer = json === undefined ? {} : { json: withAnyTimes(json) };
  await scene.send(requestOf(command), { ...expectation, ...answer });
  return after;
}

export function runAll(world: OracleWorld, commands: readonly OracleCommand[]): OracleWorld {
  return commands.reduce((held, command) => runCommand(held, command, CLOCK_START)[0], world);
}

export async function playPossible(
  scene: Scene,
  world: OracleWorld,
  commands: readonly OracleCommand[],
): Promise<OracleWorld> {
  let held = world;
  for (const command of commands) {
    const [, outcome] = runCommand(held, command, CLOCK_START);
    if (outcome === "created" || outcome === "changed") held = await play(scene, held, command);
  }
  return held;
}

export async function compareRecords(scene: Scene, world: OracleWorld, why: string): Promise<void> {
  for (const [branch, db] of world.branches) {
    for (const { name } of db.tables) {
      const records = tablePatterns(db, name);
      const path = branchPath(`/tables/${name}/query`, branch);
      await scene.send({ method: "POST", path, body: { page: { size: 200 } } });
      scene.expect({ status: 200, records: { exact: records } }, why);
    }
  }
}

function requestOf(command: OracleCommand): WireRequest {
  const table = (rest = ""): string =>
    "table" in command ? branchPath(`/tables/${command.table}${rest}`, command.branch) : "";
  switch (command.kind) {
    case "branch": {
      const body = command.from === undefined ? {} : { from: command.from };
      return { method: "PUT", path: branchPath("", command.branch), body };
    }
    case "drop branch":
      return { method: "DELETE", path: branchPath("", command.branch) };
    case "table":
      return { method: "PUT", path: table() };
    case "drop table":
      return { method: "DELETE", path: table() };
    case "rename table":
      return { method: "PATCH", path: table(), body: { name: command.name } };
    case "column": {
      const { name, type } = command.column;
      return { method: "POST", path: table("/columns"), body: { name, type } };
    }
    case "drop column":
      return { method: "DELETE", path: table(`/columns/${command.column}`) };
    case "rename column": {
      const body = { name: command.name };
      return { method: "PATCH", path: table(`/columns/${command.column}`), body };
    }
    case "write":
      return writeRequest(command.write, command.branch);
    case "transaction":
      return transactionRequest(command.branch, command.writes);
    case "map": {
      const body = { gitBranch: command.git, [named("target")]: command.branch };
      return { method: "POST", path: databasePath("/gitBranches"), body };
    }
    case "unmap": {
      const query = { gitBranch: command.git };
      return { method: "DELETE", path: databasePath("/gitBranches"), query };
    }
  }
}

const METHODS = { update: "PATCH", upsert: "POST", put: "PUT", replace: "PUT", delete: "DELETE" };

function writeRequest(write: OracleWrite, branch: string): WireRequest {
  const path = branchPath(`/tables/${write.table}`, branch);
  const columns = write.columns && { columns: write.columns.join() };
  const asked = columns && { query: columns };
  if (write.kind === "insert") {
    const { records } = write;
    return isBatch(write)
      ? { method: "POST", path: `${path}/bulk`, body: { records }, ...asked }
      : { method: "POST", path: `${path}/data`, body: records[0], ...asked };
  }
  const method = METHODS[write.kind];
  const place = { method, path: `${path}/data/${encodeURIComponent(write.id)}` };
  if (write.kind === "delete") return { ...place, ...asked };
  const { ifVersion, createOnly, record: body } = write;
  const query = {
    ...columns,
    ...(ifVersion !== undefined && { ifVersion: String(ifVersion) }),
    ...(createOnly && write.kind === "put" && { createOnly: "true" }),
  };
  return { ...place, body, ...(Object.keys(query).length > 0 && { query }) };
}

function transactionRequest(branch: string, writes: readonly OracleWrite[]): WireRequest {
  const body = { operations: writes.flatMap(operationsOf) };
  return { method: "POST", path: branchPath("/transaction", branch), body };
}

function operationsOf(write: OracleWrite): JsonObject[] {
  const to = { table: write.table, ...(write.columns && { columns: write.columns }) };
  if (write.kind === "insert") {
    return write.records.map((record) => ({ insert: { ...to, record, createOnly: true } }));
  }
  const { id } = write;
  if (write.kind === "delete") return [{ delete: { ...to, id, failIfMissing: true } }];
  const { record, createOnly } = write;
  const ifVersion = write.ifVersion === undefined ? {} : { ifVersion: write.ifVersion };
  if (write.kind === "put") {
    const only = createOnly ? { createOnly } : {};
    return [{ insert: { ...to, record: { ...record, id }, ...ifVersion, ...only } }];
  }
  const upsert = write.kind === "upsert" ? { upsert: true } : {};
  return [{ update: { ...to, id, fields: record, ...ifVersion, ...upsert } }];
}

function expectationOf(command: OracleCommand, outcome: Outcome): Expectation {
  const refusal = { missing: 404, taken: 422, invalid: 400 };
  // No rule orders the errors of two invalid branch names, or of a version and a record, or defines
  // a batch's answer.
  const { write } = { write: undefined, ...command };
  const isOfVersion = write !== undefined && "ifVersion" in write && write.ifVersion !== undefined;
  const isVague = command.kind === "branch" || isOfVersion || (write && isBatch(write));
  if (outcome !== "created" && outcome !== "changed") {
    return isVague ? { fails: true } : { status: refusal[outcome] };
  }
  if (command.kind === "map") return { status: outcome === "created" ? 204 : 201 };
  if (command.kind !== "write") return DONE;
  const { kind, columns } = command.write;
  if (kind === "delete" && columns === undefined) return { status: 204, noBody: true };
  return { status: outcome === "created" && !isBatch(command.write) ? 201 : 200 };
}
