import crypto from "node:crypto";
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { dirname } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { lockFolder } from "../../src/persist/folder/lock.js";

/*
 * A model checker: processes open, use and close a folder, or are killed, in every interleaving of
 * their system calls. A process is the list of the results of its calls. Its code runs again on
 * these results to find the next call.
 */

const FOLDER = "/data";

interface Entry {
  readonly id: number;
  /** Undefined for a folder. */
  readonly text: string | undefined;
}

type Entries = Readonly<Record<string, Entry>>;
type Call = readonly [name: string, ...args: unknown[]];
type Result = { readonly value: unknown } | { readonly code: string };
type Phase = "opens" | "holds" | "closes" | "closed" | "refused" | "lost";

interface Process {
  readonly index: number;
  readonly pid: number;
  readonly isAlive: boolean;
  readonly run: Run;
}

/** The calls of a process so far; equal ones are one object. */
interface Run {
  readonly id: number;
  readonly results: readonly Result[];
  readonly phase: Phase;
  /** Undefined at the end. */
  readonly next: Call | undefined;
  readonly later: Map<string, Run>;
}

interface World {
  readonly entries: Entries;
  readonly processes: readonly Process[];
}

interface Machine {
  /** Whether the start of a process is known, as on Linux. */
  readonly showsStarts: boolean;
  readonly pids: readonly number[];
  readonly kills: number;
  /** Whether processes see what others prepare, or only the lock; more than twice as many worlds. */
  readonly listsPrepared: boolean;
}

class Stopped extends Error {}

/** The code that runs on the results of earlier calls. */
let replay: { pid: number; index: number; results: readonly Result[]; at: number; next?: Call };
let isReplaying = false;
let machine: Machine;
let runs = 0;

function call(name: string, ...args: unknown[]): unknown {
  if (replay.next !== undefined) throw new Stopped(); // the stopped code catches errors
  const result = replay.results[replay.at++];
  if (result === undefined) {
    replay.next = [name, ...args];
    throw new Stopped();
  }
  if ("code" in result) throw failure(result.code);
  return result.value;
}

function failure(code: string): Error {
  return Object.assign(new Error(code), { code });
}

/** The result of a call that no other process can change. */
function constantOf(name: string, [target]: readonly unknown[]): unknown {
  const { pid, index } = replay;
  if (name === "statSync" && target === FOLDER) return { dev: 1, ino: 1 };
  if (String(target).startsWith("/proc/") && !machine.showsStarts) throw failure("ENOENT");
  if (target === "/proc/sys/kernel/random/boot_id") return "boot";
  if (target === `/proc/${pid}/stat`) return statusOf(pid, index);
  if (name === "fstatSync") return { dev: 1, ino: target };
  return name === "closeSync" ? 0 : undefined;
}

function statusOf(pid: number, start: number): string {
  return `${pid} (node) S${" 0".repeat(18)} ${start} 0`;
}

/** Runs the code of a process up to the call after `results`. */
function replayRun(pid: number, index: number, results: readonly Result[]): Run {
  let phase: Phase = "opens";
  replay = { pid, index, results, at: 0 };
  isReplaying = true;
  try {
    const lock = lockFolder(FOLDER);
    phase = "holds";
    lock.requireHeld();
    phase = "closes";
    lock.release();
    phase = "closed";
  } catch (error) {
    if (replay.next === undefined) {
      const { code } = error as { code?: string };
      phase = phase === "opens" && code === "unavailable" ? "refused" : "lost";
    }
  } finally {
    isReplaying = false;
  }
  return { id: ++runs, results, phase, next: replay.next, later: new Map() };
}

/** Executes a call on a file system that is a map. */
function act(world: World, { index, run }: Process): [Entries, unknown] {
  const { entries, processes } = world;
  const [name, target, second, third] = run.next!; // it has not ended
  const path = String(target);
  const options = Object(third ?? second) as { force?: boolean; recursive?: boolean };
  const id = 1000 * (index + 1) + run.results.length;
  const inside = (folder: string) =>
    Object.keys(entries).filter((each) => dirname(each) === folder && each !== folder);
  const without = (...paths: string[]) =>
    Object.fromEntries(Object.entries(entries).filter(([each]) => !paths.includes(each)));
  const found = entries[path];
  const need = (): Entry => found ?? fail("ENOENT");
  switch (name) {
    case "readdirSync":
      need();
      if (path === FOLDER && !machine.listsPrepared) return [entries, []];
      return [entries, inside(path).map((each) => each.slice(path.length + 1))];
    case "readFileSync": {
      const [, pid] = /^\/proc\/(\d+)\/stat$/.exec(path) ?? [];
      if (pid === undefined) return [entries, need().text];
      const holder = processes.find((each) => each.isAlive && each.pid === Number(pid));
      if (holder === undefined) fail("ENOENT");
      return [entries, statusOf(holder.pid, holder.index)];
    }
    case "kill":
      if (!processes.some(({ isAlive, pid }) => isAlive && pid === target)) fail("ESRCH");
      return [entries, true];
    case "mkdirSync":
      if (found !== undefined) fail("EEXIST");
      return [{ ...entries, [path]: { id, text: undefined } }, undefined];
    case "writeFileSync":
      if (entries[dirname(path)] === undefined) fail("ENOENT");
      return [{ ...entries, [path]: { id, text: String(second) } }, undefined];
    case "linkSync":
      if (entries[String(second)] !== undefined) fail("EEXIST");
      return [{ ...entries, [String(second)]: need() }, undefined];
    case "renameSync": {
      const to = String(second);
      need();
      if (inside(to).length > 0) fail("ENOTEMPTY");
      const moved = Object.entries(entries).map(([each, entry]) => [
        each === path || each.startsWith(`${path}/`) ? to + each.slice(path.length) : each,
        entry,
      ]);
      return [Object.fromEntries(moved), undefined];
    }
    case "rmdirSync":
      need();
      if (inside(path).length > 0) fail("ENOTEMPTY");
      return [without(path), undefined];
    case "rmSync":
      if (options.force !== true) need();
      if (found?.text === undefined && found !== undefined && options.recursive !== true) {
        fail("EISDIR");
      }
      return [without(path, ...inside(path)), undefined];
    case "openSync":
      return [entries, need().id];
    case "statSync":
      return [entries, found && { ino: found.id, dev: 1 }];
    default:
      throw new Error(`no model of ${name}`);
  }
}

function fail(code: string): never {
  throw failure(code);
}

/** Returns the world after the next call of a process. */
function step(world: World, process: Process): World {
  let entries = world.entries;
  let result: Result;
  try {
    const [after, value] = act(world, process);
    entries = after;
    result = { value };
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === undefined) throw error;
    result = { code };
  }
  const key = JSON.stringify(result);
  let run = process.run.later.get(key);
  if (run === undefined) {
    run = replayRun(process.pid, process.index, [...process.run.results, result]);
    process.run.later.set(key, run);
  }
  return replaced({ ...world, entries }, { ...process, run });
}

function replaced(world: World, process: Process): World {
  return { ...world, processes: world.processes.with(process.index, process) };
}

function createProcess(pid: number, index: number): Process {
  return { index, pid, isAlive: true, run: replayRun(pid, index, []) };
}

/** The calls that led to a world, the last one first. */
type Path = readonly [last: string, before: Path] | undefined;

/** Visits every reachable world. Throws, with its calls, for one in which two processes hold the folder. */
function explore(given: Machine): void {
  machine = given;
  const processes = machine.pids.map((pid, index) => createProcess(pid, index));
  const first: World = { entries: { [FOLDER]: { id: 1, text: undefined } }, processes };
  // Without their starts, an ended process cannot be told from a later one with its id.
  const knowsEnded = machine.showsStarts || new Set(machine.pids).size === machine.pids.length;
  const seen = new Set<string>();
  const rest: [World, Path][] = [[first, undefined]];
  for (let entry = rest.pop(); entry !== undefined; entry = rest.pop()) {
    const [world, path] = entry;
    const key = keyOf(world);
    if (seen.has(key)) continue;
    seen.add(key);
    const phases = world.processes.map(({ isAlive, run }) => (isAlive ? run.phase : "killed"));
    const active = world.processes.filter((each) => isActive(each, world));
    const isExclusive = phases.filter((phase) => phase === "holds").length <= 1;
    if (
      !isExclusive ||
      phases.includes("lost") ||
      (active.length === 0 && knowsEnded && !isFree(world))
    ) {
      throw new Error(`${phases}, after\n${formatPath(path)}`);
    }
    const killed = phases.filter((phase) => phase === "killed").length;
    for (const process of active) {
      const { index, run } = process;
      rest.push([step(world, process), [`${index}: ${run.next!.join(" ")}`, path]]);
      if (killed === machine.kills) continue;
      rest.push([replaced(world, { ...process, isAlive: false }), [`${index} is killed`, path]]);
    }
  }
  expect(seen.size).toBeGreaterThan(500);
}

function keyOf({ entries, processes }: World): string {
  const files = Object.keys(entries).map((path) => `${path} ${entries[path]!.id}`);
  const states = processes.map(({ isAlive, run }) => (isAlive ? run.id : 0));
  return [...files.sort(), ...states].join();
}

/** Whether another process can open the folder, and leaves nothing behind. */
function isFree(world: World): boolean {
  const index = world.processes.length;
  let after: World = { ...world, processes: [...world.processes, createProcess(99, index)] };
  for (let own = after.processes[index]!; own.run.next !== undefined; ) {
    after = step(after, own);
    own = after.processes[index]!;
  }
  const isEmpty = !machine.listsPrepared || Object.keys(after.entries).length === 1;
  return isEmpty && after.processes[index]!.run.phase === "closed";
}

/** Whether a process has a next call. Its id may be that of an earlier process, which ends first. */
function isActive({ index, pid, isAlive, run }: Process, { processes }: World): boolean {
  const isFree = processes.slice(0, index).every((each) => each.pid !== pid || !each.isAlive);
  return isAlive && isFree && run.next !== undefined;
}

function formatPath(path: Path): string {
  return path === undefined ? "" : `${formatPath(path[1])}${path[0]}\n`;
}

const CALLS = [
  ...["closeSync", "fstatSync", "linkSync", "mkdirSync", "openSync", "readdirSync", "readFileSync"],
  ...["renameSync", "rmSync", "rmdirSync", "statSync", "writeFileSync"],
] as const;
const before: [object: object, name: string, PropertyDescriptor][] = [
  ...CALLS.map((name) => [fs, name] as const),
  [crypto, "randomUUID"] as const,
  [process, "kill"] as const,
  [process, "pid"] as const,
].map(([object, name]) => [object, name, Object.getOwnPropertyDescriptor(object, name)!]);

/** Replaces functions while the code of a process runs. */
beforeAll(() => {
  for (const [object, name, { value }] of before) {
    const replacement = (...given: unknown[]): unknown => {
      if (!isReplaying) return value(...given);
      if (name === "randomUUID") return `${replay.index}${replay.at}`;
      return constantOf(name, given) ?? call(name, ...given);
    };
    const get = () => (isReplaying ? replay.pid : value);
    const property = name === "pid" ? { get } : { value: replacement, writable: true };
    Object.defineProperty(object, name, { ...property, configurable: true, enumerable: true });
  }
  syncBuiltinESMExports();
});
afterAll(() => {
  for (const given of before) Object.defineProperty(...given);
  syncBuiltinESMExports();
});

const STARTS = [true, false];

it.each(STARTS)(
  "one of two processes holds a folder, in every interleaving, killed anywhere (starts known: %s)",
  (showsStarts) => {
    explore({ showsStarts, pids: [11, 12], kills: 2, listsPrepared: true });
  },
);

it.each(STARTS)(
  "one of three processes holds a folder, in every interleaving, if one is killed (starts known: %s)",
  { tags: ["slow"] },
  (showsStarts) => {
    explore({ showsStarts, pids: [11, 12, 13], kills: 1, listsPrepared: false });
    explore({ showsStarts, pids: [11, 12, 11], kills: 1, listsPrepared: false });
  },
);
