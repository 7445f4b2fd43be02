import fc from "fast-check";
import { expect } from "vitest";
import {
  CALLS,
  type Calls,
  KINDS,
  type Place,
  runStep,
  type Step,
  weigh,
} from "../../scripts/programs/calls.mjs";
import type { Random } from "../../scripts/random.mjs";
import type { AnyRecord } from "../../src/index.js";
import { CHUNK_ROWS } from "../../src/storage/chunk.js";
import { openWorld, stepOf } from "../programs.js";
import { type UntypedTable, untyped } from "../rules/fixture.js";
import {
  COLUMNS,
  compact,
  copyBranches,
  copyModel,
  EXTRA,
  expectTable,
  type Fields,
  isHeld,
  type Model,
  refusalCode,
  type Twin,
  type World,
} from "./table-model.js";

const OPTIONS = {
  tables: ["items"],
  id: (random: Random) => `r${random.below(60)}`,
  many: 4,
  loads: [3, 60, 3, 60, 3 * CHUNK_ROWS],
  columnsOf: () => COLUMNS,
};

type Fault = string | undefined;

/** Makes a call and its writes in the model: both succeed, or have the same error code. */
function check(model: Model, call: () => void, write: (after: Model) => readonly Fault[]): void {
  const actual = refusalCode(call);
  const after = copyModel(model);
  expect(actual).toBe(write(after).find((fault) => fault !== undefined));
  if (actual !== undefined) return;
  model.rows.clear();
  for (const [id, row] of after.rows) model.rows.set(id, row);
}

function put(model: Model, id: string, given: Fields, version: number): Fault {
  if (isHeld(model, given.u, id)) return "invalid_record";
  model.rows.set(id, { fields: compact(given), version });
  return undefined;
}

function filled(model: Model, given: Fields): Fields {
  return compact(model.hasExtra ? { extra: "filled", ...given } : given);
}

function add(model: Model, id: string, { id: _, ...given }: Fields): Fault {
  return model.rows.has(id) ? "id_in_use" : put(model, id, filled(model, given), 0);
}

const CHANGES = ["update", "replace", "upsert", "put"] as const;
type Change = (typeof CHANGES)[number];

function change(model: Model, kind: Change, id: string, { id: _, ...given }: Fields): Fault {
  const before = model.rows.get(id);
  const needsRecord = kind === "update" || kind === "replace";
  if (before === undefined) return needsRecord ? "record_not_found" : add(model, id, given);
  const isUpdate = kind === "update" || kind === "upsert";
  const after = isUpdate ? { ...before.fields, ...given } : filled(model, given);
  const { $increment } = (given.n ?? {}) as { readonly $increment?: number };
  const n = before.fields.n as number | undefined;
  const sum = $increment === undefined ? {} : { n: n === undefined ? null : n + $increment };
  return put(model, id, { ...after, ...sum }, before.version + 1);
}

/** A place whose records are written in the model too. */
function pair(place: Place, model: Model): Place {
  const table = untyped(place.branch).table("items");
  const changes = CHANGES.map((kind) => {
    const make = (id: string, given: Fields): void =>
      check(
        model,
        () => table[kind](id, given),
        (after) => [change(after, kind, id, given)],
      );
    return [kind, make] as const;
  });
  const tables = {
    ...Object.fromEntries(changes),
    query: (request: object) => table.query(request),
    scan: (request: object) => table.scan(request),
    insert: (given: Fields | readonly Fields[]) => {
      const made: AnyRecord[] = [];
      const insert = () => void made.push(...[table.insert(given)].flat());
      const idOf = ({ id }: Fields, i: number): string => `${id ?? made[i]?.id ?? `new ${i}`}`;
      const list = [given].flat();
      check(model, insert, (after) => list.map((one, i) => add(after, idOf(one, i), one)));
    },
    load: (given: readonly Fields[]) => {
      const own = (i: number): object => (place.n % 2 === 0 ? {} : { id: `${place.n} ${i}` });
      const records = given.map((one, i): Fields => ({ ...own(i), ...one }));
      expect(table.load(records)).toBe(records.length);
      const ids = Array.from(table.scan({ columns: [] }), ({ id }) => id);
      const made = ids.filter((id) => !model.rows.has(id)); // generated ids ascend
      for (const [i, one] of records.entries()) add(model, `${one.id ?? made[i]}`, one);
    },
    delete: (id: string) => expect(table.delete(id)).toBe(model.rows.delete(id)),
  };
  const transaction = (operations: readonly Operation[]): void => {
    const call = () => untyped(place.branch).transaction(operations);
    check(model, call, (after) => operations.map((operation) => operate(after, operation)));
  };
  const branch = { name: place.branch.name, transaction };
  return Object.create(place, { table: { value: tables }, branch: { value: branch } }) as Place; // as calls use it
}

interface Operation {
  readonly insert?: { readonly record: Fields };
  readonly update?: { readonly id: string; readonly fields: Fields; readonly upsert?: boolean };
  readonly delete?: { readonly id: string };
}

function operate(model: Model, { insert, update, delete: gone }: Operation): Fault {
  if (gone !== undefined) model.rows.delete(gone.id);
  if (insert !== undefined) return change(model, "put", `${insert.record.id}`, insert.record);
  const kind = update?.upsert === true ? "upsert" : "update";
  return update && change(model, kind, update.id, update.fields);
}

/** The calls that write records, and those that keep what must not change. */
function callsOf(world: World, twin: Twin): Calls {
  const { engine, branches } = twin;
  const modelOf = ({ branch }: Place): Model => branches.get(branch.name)!; // all have the table
  const tableAt = ({ branch }: Place): UntypedTable => untyped(branch).table("items");
  const paired = (kind: string) => [
    kind,
    (place: Place) => CALLS[kind]!(pair(place, modelOf(place))), // a kind of the table
  ];
  return {
    ...Object.fromEntries(KINDS.records.map(paired)),
    look: (place) => expectTable(tableAt(place), modelOf(place)),
    alter: (place) => {
      const [table, model] = [tableAt(place), modelOf(place)];
      if (model.hasExtra) table.removeColumn("extra");
      else table.addColumn(EXTRA);
      model.hasExtra = !model.hasExtra;
      for (const [id, { fields, version }] of model.rows) {
        const { extra: _, ...rest } = fields;
        model.rows.set(id, { fields: filled(model, rest), version });
      }
    },
    scan: (place) => {
      const scan = tableAt(place).scan();
      const { done, value } = scan.next();
      const begun: Fields[] = done === true ? [] : [value];
      // The rest of a scan is read at the end.
      const read = (): Fields[] => begun.concat(Array.from(scan));
      world.scans.push({ expected: copyModel(modelOf(place)), read });
    },
    branch: (place) => {
      const name = `b${branches.size}`;
      if (branches.size > 3) return;
      engine.workspace("w").database("d").createBranch(name, { from: place.branch.name });
      branches.set(name, copyModel(modelOf(place)));
    },
    snapshot: () => {
      world.snapshots.push({ snapshot: engine.snapshot(), branches: copyBranches(branches) });
    },
    restore: ({ random }) => {
      const saved = random.pick(world.snapshots);
      if (saved === undefined) return;
      engine.restore(saved.snapshot);
      twin.branches = copyBranches(saved.branches);
    },
    fork: () => {
      if (world.twins.length > 2) return;
      world.twins.push({ engine: engine.fork(), branches: copyBranches(branches) });
    },
  };
}

const KEEPING = ["alter", "branch", "snapshot", "restore", "fork", "scan", "look"];
const KIND = weigh({
  ...Object.fromEntries([...KINDS.records, ...KEEPING].map((kind) => [kind, 2])),
  insert: 6,
  load: 3,
  branch: 4,
});

export const programs: fc.Arbitrary<readonly Step[]> = fc.array(stepOf(KIND), {
  maxLength: 40,
  size: "max",
});

export function runProgram(world: World, steps: readonly Step[]): void {
  for (const step of steps) {
    const twin = world.twins[step[1] % world.twins.length]!; // at least one
    runStep(openWorld(twin.engine, OPTIONS), step, callsOf(world, twin));
  }
}
