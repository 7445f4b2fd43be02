import fc from "fast-check";
import { expect } from "vitest";
import type { ColumnDefinition } from "../../src/index.js";
import { ask } from "../http/ask.js";
import type { Fetch } from "../http/checked-fetch.js";

type Columns = readonly ColumnDefinition[];
type Values = Readonly<Record<string, unknown>>;

export interface AlterationCase {
  readonly before: Columns;
  readonly after: Columns;
  readonly records: readonly Values[];
}

/** Small domains, so that values repeat and are missing. */
const DOMAINS: Readonly<Record<string, readonly unknown[]>> = {
  int: [1, 2, 3],
  string: ["", "x", "y"],
  json: [[], { a: 1 }],
  link: ["r1", "r2", "r9"],
  "vector 2": [
    [1, 2],
    [0, 1],
  ],
  "vector 3": [[1, 2, 3]],
};

const flag = fc.oneof({ weight: 2, arbitrary: fc.constant({}) }, fc.constant(true));

function optionOf(name: "unique" | "notNull"): fc.Arbitrary<Partial<ColumnDefinition>> {
  return flag.map((isSet) => (isSet === true ? { [name]: true } : {}));
}

function leaf(name: string): fc.Arbitrary<ColumnDefinition> {
  const types = fc.constantFrom(...Object.keys(DOMAINS));
  const parts = { types, unique: optionOf("unique"), notNull: optionOf("notNull"), other: flag };
  return fc.record(parts).map(({ types, unique, notNull, other }) => {
    const [type, dimension] = types.split(" ");
    const hasDefault = other === true && (type === "int" || type === "string");
    return {
      name,
      type,
      ...(dimension !== undefined && { vector: { dimension: Number(dimension) } }),
      ...(type === "link" && { link: { table: other === true ? "u" : "t" } }),
      ...(type !== "json" && unique),
      ...notNull,
      ...(hasDefault && { defaultValue: DOMAINS[type]![1] }),
    } as ColumnDefinition; // options fit the type
  });
}

function column(name: string): fc.Arbitrary<ColumnDefinition> {
  const names = fc.subarray(["x", "y"], { minLength: 1 });
  const columns = names.chain((inner) => fc.tuple(...inner.map(leaf)));
  const object = fc.tuple(columns, optionOf("notNull")).map(([columns, notNull]) => {
    return { name, type: "object" as const, columns, ...notNull };
  });
  return fc.oneof({ weight: 3, arbitrary: leaf(name) }, object);
}

const schema: fc.Arbitrary<Columns> = fc
  .subarray(["a", "b", "c"], { minLength: 1 })
  .chain((names) => fc.tuple(...names.map(column)));

/** The second schema changes options of the first at least as often as it replaces its columns. */
const pair = schema.chain((before) => {
  const altered = before.map((one) =>
    fc.oneof(
      fc.constant(one),
      column(one.name).map((other) => merge(one, other)),
    ),
  );
  return fc.record({ before: fc.constant(before), after: fc.oneof(fc.tuple(...altered), schema) });
});

/** A column of the first one's type, with options of both. */
function merge(one: ColumnDefinition, other: ColumnDefinition): ColumnDefinition {
  if (one.type === other.type) return other;
  const { unique: _, notNull: __, ...rest } = one;
  const { unique, notNull } = other;
  const isUnique = unique === true && one.type !== "object" && one.type !== "json";
  return { ...rest, ...(isUnique && { unique }), ...(notNull === true && { notNull }) };
}

export const alterationCase: fc.Arbitrary<AlterationCase> = pair.chain((schemas) => {
  const fields = (columns: Columns): fc.Arbitrary<Values> =>
    fc.record(Object.fromEntries(columns.map((one) => [one.name, valuesOf(one)])));
  const valuesOf = (one: ColumnDefinition): fc.Arbitrary<unknown> => {
    if (one.type === "object") return fields(one.columns ?? []);
    const domain = DOMAINS[one.type === "vector" ? `vector ${one.vector?.dimension}` : one.type]!;
    return fc.oneof({ weight: 2, arbitrary: fc.constantFrom(...domain) }, fc.constant(null));
  };
  const records = fc.array(fields(schemas.before), { minLength: 1, maxLength: 3 });
  return fc.record({
    before: fc.constant(schemas.before),
    after: fc.constant(schemas.after),
    records,
  });
});

/** Columns by path, with those inside objects. */
function allOf(columns: Columns, parent = ""): [string, ColumnDefinition][] {
  return columns.flatMap((one) => {
    const path = parent + one.name;
    return [[path, one] as [string, ColumnDefinition], ...allOf(one.columns ?? [], `${path}.`)];
  });
}

/**
 * Whether the records forbid the second schema (T-16, T-18, K-5); undefined if that depends on the
 * order of steps.
 */
function isForbidden(
  { before, after }: AlterationCase,
  records: readonly Values[],
  checksLinks: boolean,
): boolean | undefined {
  if (records.length === 0) return false;
  const [had, leaves] = [new Map(allOf(before)), leavesOf(before)];
  const known = (path: string, { type }: ColumnDefinition): ColumnDefinition | undefined =>
    had.get(path)?.type === type ? had.get(path) : undefined;
  const valuesAt = (path: string): unknown[] =>
    records.map((record) => valueAt(record, path)).filter((value) => value !== null);
  let isOpen = false;
  for (const [path, one] of allOf(after)) {
    const was = known(path, one);
    const own =
      one.type === "object" ? leavesOf(one.columns ?? [], `${path}.`) : [[path, one] as const];
    const inside = [...own].map(([at, leaf]) => ({
      at,
      leaf,
      isKept: known(at, leaf) !== undefined,
    }));
    const isNull = (record: Values): boolean =>
      inside.every(({ at, leaf, isKept }) =>
        isKept ? valueAt(record, at) === null : leaf.defaultValue === undefined,
      );
    if (one.notNull === true && records.some(isNull)) {
      // Its last values may leave an object before others are added, or with it.
      if (was?.notNull !== true) return true;
      isOpen = true;
    }
    if (was?.notNull === true && one.type === "object") {
      const lost = [...leaves.keys()].some(
        (at) => at.startsWith(`${path}.`) && !inside.some((each) => each.at === at && each.isKept),
      );
      isOpen ||= lost;
    }
    if (one.type === "object") continue;
    const values = valuesAt(path).map((value) => JSON.stringify(value));
    const isFilled = was === undefined && one.defaultValue !== undefined;
    const repeats =
      was === undefined ? isFilled && records.length > 1 : new Set(values).size < values.length;
    if (one.unique === true && was?.unique !== true && repeats) return true;
    if (was === undefined) continue;
    if (was.vector?.dimension !== one.vector?.dimension && values.length > 0) return true;
    const targets = one.link?.table === "u" ? ["r1", "r2"] : records.map(({ id }) => id);
    const isMoved = was.link?.table !== one.link?.table;
    if (checksLinks && isMoved && valuesAt(path).some((id) => !targets.includes(id))) return true;
  }
  return isOpen ? undefined : false;
}

function leavesOf(columns: Columns, parent = ""): Map<string, ColumnDefinition> {
  const leaves = new Map<string, ColumnDefinition>();
  for (const one of columns) {
    const path = parent + one.name;
    if (one.type !== "object") leaves.set(path, one);
    else
      for (const [inner, leaf] of leavesOf(one.columns ?? [], `${path}.`)) leaves.set(inner, leaf);
  }
  return leaves;
}

function valueAt(record: unknown, path: string): unknown {
  let value = record;
  for (const name of path.split(".")) value = (value as Values | undefined)?.[name];
  return (value as { id?: unknown } | null)?.id ?? value ?? null;
}

/** The ways by which a schema reaches a branch. */
export const WAYS = ["put", "columns", "apply", "push", "merge", "plan"] as const;
export type Way = (typeof WAYS)[number];

/** What one way did: its answer, and what the branch has afterwards. */
export interface AlterationOutcome {
  readonly status: number;
  readonly error: unknown;
  readonly columns: unknown;
  readonly records: readonly Values[];
}

/**
 * Brings the second schema to a branch with records, and requires that each value whose column stays
 * is there, or that all is as before.
 */
export async function alter(
  fetch: Fetch,
  name: string,
  given: AlterationCase,
  way: Way,
): Promise<AlterationOutcome> {
  const target = { fetch };
  const main = `/db/${name}:main`;
  const dev = `/db/${name}:dev`;
  const done = async (request: string, body: unknown = {}) => {
    const answer = await ask(target, request, body);
    if (answer.status >= 400)
      throw new Error(`${request} ${JSON.stringify(body)}: ${JSON.stringify(answer)}`);
    return answer.body;
  };
  await done(`PUT /workspaces/w/dbs/${name}`).catch(() => done(`PUT /dbs/${name}`));
  for (const table of ["u", "t"]) await done(`PUT ${main}/tables/${table}`);
  for (const id of ["r1", "r2"]) await done(`PUT ${main}/tables/u/data/${id}?createOnly=true`);
  await done(`PUT ${main}/tables/t/schema`, { columns: given.before });
  await done(`PUT ${dev}`, { from: "main" });
  // Some break an option of the first schema: the others stay.
  for (const [index, record] of given.records.entries()) {
    await ask(target, `PUT ${main}/tables/t/data/r${index + 1}?createOnly=true`, record);
  }
  const before = await readAll(fetch, main);
  const parent = (await lastOf(fetch, main)) ?? "";
  await done(`PUT ${dev}/tables/t/schema`, { columns: given.after });
  const { edits } = (await done(`POST ${main}/schema/compare/dev`)) as {
    edits: { operations: object[] };
  };
  const answer = await act();
  const after = await readAll(fetch, main);
  const isRefused = answer.status >= 400;
  const checksLinks = "xata" in (before.records[0] ?? {});
  const shown = `${name} by ${way}: ${JSON.stringify({ ...given, operations: edits.operations, answer: answer.body })}`;
  if (isRefused) expect(after, shown).toEqual(before);
  else requireKept(before.records, after, given, shown);
  expect(isForbidden(given, before.records, checksLinks) ?? isRefused, shown).toBe(isRefused);
  if (isRefused) expect(answer.status, shown).toBe(way === "merge" ? 422 : 400);
  const { message, errors } = answer.body;
  return { status: answer.status, error: isRefused ? { message, errors } : undefined, ...after };

  async function act(): Promise<{ status: number; body: Values }> {
    switch (way) {
      case "put":
        return ask(target, `PUT ${main}/tables/t/schema`, { columns: given.after });
      case "columns": {
        // One call for each edit would not be all or nothing.
        const [first, ...others] = edits.operations as {
          alterColumn?: { column: ColumnDefinition };
        }[];
        const altered = first?.alterColumn?.column;
        if (altered === undefined || others.length > 0) {
          return ask(target, `POST ${main}/schema/update`, { operations: edits.operations });
        }
        const { name: path, type: _, columns: __, ...options } = altered;
        const all = { unique: false, notNull: false, defaultValue: null, ...options };
        return ask(target, `PATCH ${main}/tables/t/columns/${path}`, all);
      }
      case "apply":
        return ask(target, `POST ${main}/schema/apply`, { edits });
      case "plan": {
        const { schema } = (await ask(target, `GET ${dev}`)).body;
        const plan = await done(`POST ${main}/migrations/plan`, schema);
        return ask(target, `POST ${main}/migrations/execute`, plan);
      }
      case "push": {
        const { logs } = (await done(`POST ${dev}/schema/history`)) as { logs: { id: string }[] };
        const known = logs.findIndex(({ id }) => id === parent);
        const migrations = logs.slice(0, known).reverse();
        return ask(target, `POST ${main}/schema/push`, { migrations });
      }
      case "merge": {
        const requests = `/dbs/${name}/migrations`;
        const { number } = await done(`POST ${requests}`, {
          source: "dev",
          target: "main",
          title: "m",
        });
        return ask(target, `POST ${requests}/${number}/merge`, { dropValues: true });
      }
    }
  }
}

async function lastOf(fetch: Fetch, branch: string): Promise<string | undefined> {
  const { body } = await ask({ fetch }, `POST ${branch}/schema/history`, {});
  return (body as { logs: { id: string }[] }).logs[0]?.id;
}

export async function readAll(
  fetch: Fetch,
  branch: string,
): Promise<Pick<AlterationOutcome, "columns" | "records">> {
  const schema = await ask({ fetch }, `GET ${branch}/tables/t/schema`);
  const { body } = await ask({ fetch }, `POST ${branch}/tables/t/query`, {});
  return { columns: schema.body.columns, records: body.records as Values[] };
}

function requireKept(
  before: readonly Values[],
  { records, columns }: Pick<AlterationOutcome, "columns" | "records">,
  given: AlterationCase,
  shown: string,
): void {
  const [had, has] = [leavesOf(given.before), leavesOf(given.after)];
  expect([...leavesOf(columns as Columns)].sort(), shown).toEqual([...has].sort());
  expect(
    records.map(({ id }) => id),
    shown,
  ).toEqual(before.map(({ id }) => id));
  for (const [index, record] of records.entries()) {
    for (const [path, { type, defaultValue = null }] of has) {
      const isKept = had.get(path)?.type === type;
      const expected = isKept ? valueAt(before[index], path) : defaultValue;
      expect(valueAt(record, path), `${path} of ${record.id}: ${shown}`).toEqual(expected);
    }
  }
}
