import fc from "fast-check";
import { expect } from "vitest";
import { CHUNK_ROWS } from "../../src/storage/chunk.js";
import type { UntypedBranch, UntypedTable } from "../rules/fixture.js";
import {
  branchOf,
  compact,
  copyBranches,
  copyModel,
  EXTRA,
  expectTable,
  type Fields,
  isHeld,
  type Model,
  type Place,
  refusalCode,
  type World,
} from "./table-model.js";

interface At {
  readonly world: World;
  readonly place: Place;
  readonly branch: UntypedBranch;
  readonly table: UntypedTable;
  readonly model: Model;
}

type Step = fc.Command<World, World>;

/** A step that is always possible; `where` picks its engine and branch. */
class Taken implements Step {
  readonly #name: string;
  readonly #where: number;
  readonly #act: (at: At) => void;

  constructor(name: string, where: number, act: (at: At) => void) {
    this.#name = name;
    this.#where = where;
    this.#act = act;
  }

  check(): boolean {
    return true;
  }

  run(world: World): void {
    const place = world.places[this.#where % world.places.length]!;
    const names = [...place.branches.keys()];
    const name = names[(this.#where >> 4) % names.length]!;
    const branch = branchOf(place.engine, name);
    const model = place.branches.get(name)!;
    this.#act({ world, place, branch, table: branch.table("items"), model });
  }

  toString(): string {
    return `${this.#name} @${this.#where}`;
  }
}

function step<T>(of: fc.Arbitrary<T>, act: (given: T, at: At) => void): fc.Arbitrary<Step> {
  return fc
    .tuple(of, fc.nat(255))
    .map(
      ([given, where]) =>
        new Taken(`${act.name} ${JSON.stringify(given)}`, where, (at) => act(given, at)),
    );
}

const text = fc.oneof(
  fc.constantFrom("s0", "s1", "s2", "", "😀"),
  fc.nat(9000).map((i) => `long ${i}`),
  fc.constant(null),
);
/** Fields of one record; each may be null or missing. */
const fields: fc.Arbitrary<Fields> = fc.record(
  {
    s: text,
    n: fc.option(fc.integer({ min: -3, max: 5 })),
    u: fc.option(fc.constantFrom("u0", "u1", "u2", "u3", "u4", "u5")),
    tags: fc.option(fc.array(fc.constantFrom("t0", "t1", "t2"), { maxLength: 3 })),
    at: fc.option(fc.nat(4).map((i) => `2022-01-01T00:00:00.00${i + 1}Z`)),
    link: fc.option(fc.nat(40).map((i) => `r${i}`)),
  },
  { requiredKeys: [] },
);
/** Picks a row; every 17th is missing. */
const place = fc.nat(3000);

function idAt(model: Model, place: number): string {
  if (model.rows.size === 0 || place % 17 === 0) return "missing";
  let at = place % model.rows.size;
  for (const id of model.rows.keys()) if (at-- === 0) return id;
  return "missing";
}

function filled(model: Model, given: Fields): Fields {
  return compact(model.hasExtra ? { extra: "filled", ...given } : given);
}

/** Writes to the model, or returns the error code that the table must give. */
function put(model: Model, id: string, given: Fields, version: number): string | undefined {
  if (isHeld(model, given.u, id)) return "invalid_record";
  model.rows.set(id, { fields: compact(given), version });
  return undefined;
}

const insert = step(
  fc.tuple(fields, fc.boolean()),
  function insert([given, isTaken], { world, table, model }) {
    const id = isTaken ? idAt(model, world.made) : `r${world.made++}`;
    const actual = refusalCode(() => table.insert({ id, ...given }));
    const expected = model.rows.has(id) ? "id_in_use" : put(model, id, filled(model, given), 0);
    expect(actual).toBe(expected);
  },
);

const insertMany = step(
  fc.array(fields, { minLength: 1, maxLength: 4 }),
  function insertMany(list, { world, table, model }) {
    const records = list.map((given) => ({ id: `r${world.made++}`, ...given }));
    const actual = refusalCode(() => table.insert(records));
    const after = copyModel(model);
    const faults = records.map(({ id, ...given }) => put(after, id, filled(model, given), 0));
    expect(actual).toBe(faults.find((fault) => fault !== undefined));
    if (actual === undefined) take(model, after);
  },
);

const load = step(
  fc.tuple(fc.constantFrom(3, 60, 3, 60, CHUNK_ROWS + 76), fields),
  function load([count, given], { world, table, model }) {
    const { u: _, ...common } = given;
    const records = Array.from({ length: count }, (_, i) => ({
      id: `r${world.made++}`,
      ...common,
      ...(i % 3 === 0 && { n: i % 6, s: `long ${i}` }),
    }));
    expect(table.load(records)).toBe(count);
    for (const { id, ...rest } of records) put(model, id, filled(model, rest), 0);
  },
);

const change = step(
  fc.tuple(fc.constantFrom("update", "replace", "upsert", "put"), place, fields),
  function change([kind, at, given], { table, model }) {
    const id = idAt(model, at);
    const actual = refusalCode(() => table[kind as "update"](id, given));
    const before = model.rows.get(id);
    if (before === undefined && (kind === "update" || kind === "replace")) {
      expect(actual).toBe("record_not_found");
      return;
    }
    const isUpdate = before !== undefined && (kind === "update" || kind === "upsert");
    const after = isUpdate ? { ...before.fields, ...given } : filled(model, given);
    const version = before === undefined ? 0 : before.version + 1;
    expect(actual).toBe(put(model, id, after, version));
  },
);

const increment = step(place, function increment(at, { table, model }) {
  const id = idAt(model, at);
  const row = model.rows.get(id);
  const actual = refusalCode(() => table.update(id, { n: { $increment: 1 } }));
  expect(actual).toBe(row === undefined ? "record_not_found" : undefined);
  if (row === undefined) return;
  const { n } = row.fields;
  const after = typeof n === "number" ? { ...row.fields, n: n + 1 } : row.fields;
  model.rows.set(id, { fields: after, version: row.version + 1 });
});

const remove = step(
  fc.tuple(place, fc.constantFrom(1, 1, 1, 40, 1500)),
  function remove([at, count], { table, model }) {
    for (let i = 0; i < count && model.rows.size > 0; i++) {
      const id = idAt(model, at);
      expect(table.delete(id)).toBe(model.rows.delete(id));
    }
  },
);

const transaction = step(
  fc.tuple(fields, place, fields, place, fc.boolean()),
  function transaction([first, at, second, gone, fails], { world, branch, model }) {
    const id = `r${world.made++}`;
    const [changed, deleted] = [idAt(model, at), idAt(model, gone)];
    const operations = [
      { insert: { table: "items", record: { id, ...first }, createOnly: true } },
      { update: { table: "items", id: changed, fields: second, columns: ["s"] } },
      { delete: { table: "items", id: deleted } },
      ...(fails ? [{ get: { table: "items", id, columns: ["nope"] } }] : []),
    ];
    const actual = refusalCode(() => branch.transaction(operations));
    const after = copyModel(model);
    const faults = [put(after, id, filled(model, first), 0)];
    const row = after.rows.get(changed);
    if (row === undefined) faults.push("record_not_found");
    else faults.push(put(after, changed, { ...row.fields, ...second }, row.version + 1));
    after.rows.delete(deleted);
    if (fails) faults.push("unknown_column");
    expect(actual).toBe(faults.find((fault) => fault !== undefined));
    if (actual === undefined) take(model, after);
  },
);

const alter = step(fc.constant(null), function alter(_, { table, model }) {
  if (model.hasExtra) table.removeColumn("extra");
  else table.addColumn(EXTRA);
  for (const [id, { fields, version }] of model.rows) {
    const { extra: _, ...rest } = fields;
    model.rows.set(id, { fields: model.hasExtra ? rest : { ...rest, extra: "filled" }, version });
  }
  model.hasExtra = !model.hasExtra;
});

const keep = step(
  fc.constantFrom("snapshot", "branch", "branch", "fork", "scan"),
  function keep(kind, { world, place, branch, table, model }) {
    const { engine, branches } = place;
    switch (kind) {
      case "snapshot":
        world.snapshots.push({ snapshot: engine.snapshot(), branches: copyBranches(branches) });
        return;
      case "branch": {
        const name = `b${branches.size}`;
        if (branches.has(name) || branches.size > 3) return;
        const from = [...branches].find(([, other]) => other === model)![0];
        engine.workspace("acme").database("shop").createBranch(name, { from });
        branches.set(name, copyModel(model));
        return;
      }
      case "fork":
        if (world.places.length > 2) return;
        world.places.push({ engine: engine.fork(), branches: copyBranches(branches) });
        return;
      default: {
        const scan = table.scan();
        const first = scan.next();
        const begun: Fields[] = first.done === true ? [] : [first.value];
        // The rest of the scan is read at the end.
        const read = (): Fields[] => begun.concat(Array.from(scan));
        world.scans.push({ expected: copyModel(model), read });
        expect(branch.tables()).toHaveLength(1);
      }
    }
  },
);

const restore = step(fc.nat(), function restore(index, { world, place }) {
  const saved = world.snapshots[index % Math.max(1, world.snapshots.length)];
  if (saved === undefined) return;
  place.engine.restore(saved.snapshot);
  place.branches = copyBranches(saved.branches);
});

const look = step(fc.constant(null), function look(_, { table, model }) {
  expectTable(table, model);
});

/** Sequences of steps. */
export const steps: fc.Arbitrary<Iterable<Step>> = fc.commands(
  [
    ...[insert, insert, insert, insertMany, load, change, change, increment, remove, transaction],
    ...[alter, keep, keep, restore, look],
  ],
  { maxCommands: 40, size: "max" },
);

/** Replaces the rows of a model. */
function take(model: Model, other: Model): void {
  model.rows.clear();
  for (const [id, row] of other.rows) model.rows.set(id, row);
}
