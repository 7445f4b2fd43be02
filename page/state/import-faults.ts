import { describe } from "../../src/errors.js";
import type { FixtureRow } from "../../src/fixtures/fixture.js";
import { coerceValue, expectationOf } from "../../src/schema/coerce.js";
import type { LeafType } from "../../src/schema/columns.js";
import type { AnyRecord, ColumnDefinition } from "../../src/types.js";
import { idOf, isRecordId } from "../../src/value/id.js";
import { readAll, readAny } from "./bulk.js";
import { addressKey, counts, profile, type TableSchema } from "./catalog.js";
import { type Leaf, leavesOf, linkedId, valueAt } from "./columns.js";
import { place } from "./place.js";
import { showText } from "./text.js";

/** A record of a file, converted for the table. */
export interface ImportRecord {
  readonly row: FixtureRow;
  readonly id: string | undefined;
  readonly values: Readonly<Record<string, unknown>>;
}

/** The contents of the branch that the validation of a file needs. */
export interface BranchFacts {
  /** Ids in the file that exist in the table. */
  readonly existing: ReadonlySet<string>;
  /** Ids in link columns that are neither in the branch nor in the file. */
  readonly dead: ReadonlyMap<string, ReadonlySet<string>>;
  /** The records with unique values of the file: ids by column and value. */
  readonly owners: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

export interface ImportFault {
  /** Undefined after `maxLines` errors. */
  readonly line: number | undefined;
  readonly path: string;
  readonly text: string;
  /** Whether only a link dangles: the service accepts the record. */
  readonly isDead: boolean;
}

/** Looks up ids, links and unique values of records in the branch. */
export async function lookUp(
  table: TableSchema,
  records: readonly ImportRecord[],
): Promise<BranchFacts> {
  const branch = place.value.address.slice(0, 3);
  const found = async (name: string, path: string, values: ReadonlySet<unknown>) => {
    const address = [...branch, name];
    const isSmall =
      (counts.value.get(addressKey(address)) ?? Number.POSITIVE_INFINITY) <= values.size;
    const pages = isSmall
      ? readAll(address, { columns: [path] })
      : readAny(address, path, [...values], [path]);
    const all: AnyRecord[] = [];
    for await (const page of pages) all.push(...page);
    return all;
  };
  const { idColumn } = profile.value;
  const ids = new Set(records.flatMap(({ id }) => (isRecordId(id) ? id : [])));
  const existing = new Set((await found(table.name, idColumn, ids)).map(idOf));
  const dead = new Map<string, ReadonlySet<string>>();
  const owners = new Map<string, ReadonlyMap<string, string>>();
  for (const leaf of leavesOf(table)) {
    const values = records.map((record) => valueAt(record.values, leaf.path));
    if (leaf.link !== undefined) {
      const linked = new Set(values.flatMap((value) => linkedId(value) ?? []));
      if (leaf.link === table.name) for (const id of ids) linked.delete(id);
      for (const record of await found(leaf.link, idColumn, linked)) linked.delete(idOf(record));
      dead.set(leaf.path, linked);
    }
    if (leaf.definition?.unique) {
      const keys = new Map(values.map((value) => [keyOf(leaf, value), value]));
      keys.delete(undefined);
      const held = await found(table.name, leaf.path, new Set(keys.values()));
      owners.set(
        leaf.path,
        new Map(
          held.map((record) => [keyOf(leaf, valueAt(record, leaf.path)) ?? "", idOf(record)]),
        ),
      );
    }
  }
  return { existing, dead, owners };
}

/**
 * Returns one error for each record that the service would reject, or whose link dangles.
 *
 * @param maxLines faults with a line
 */
export function findFaults(
  records: readonly ImportRecord[],
  columns: readonly ColumnDefinition[],
  facts: BranchFacts,
  { isUpdate, maxLines }: { readonly isUpdate: boolean; readonly maxLines: number },
): Map<ImportRecord, ImportFault> {
  const leaves = leavesOf({ name: "", columns }).slice(1);
  /** The first rows with ids and unique values. */
  const seen = new Map<string, FixtureRow>();
  const faults = new Map<ImportRecord, ImportFault>();
  for (const record of records) {
    const found =
      faultOf(record, leaves, facts, isUpdate, seen) ?? deadLinkOf(record, leaves, facts);
    if (found === undefined) continue;
    const { path, text, sameAs, isDead = false } = found;
    const isListed = faults.size < maxLines;
    const line = isListed ? lineOf(record.row, path) : undefined;
    const other = isListed && sameAs ? ` ${lineOf(sameAs, path)}` : "";
    faults.set(record, { line, path, text: text + other, isDead });
  }
  return faults;
}

interface Found {
  readonly path: string;
  readonly text: string;
  /** The row with the same value, whose line ends the text. */
  readonly sameAs?: FixtureRow;
  readonly isDead?: boolean;
}

function faultOf(
  { row, id, values }: ImportRecord,
  leaves: readonly Leaf[],
  { existing, owners }: BranchFacts,
  isUpdate: boolean,
  seen: Map<string, FixtureRow>,
): Found | undefined {
  const isKnown = id !== undefined && existing.has(id);
  if (id !== undefined && !isRecordId(id)) {
    return { path: "id", text: `expected 1–255 characters, found ${describe(id)}` };
  }
  if (isKnown && !isUpdate) return { path: "id", text: `a record ${showText(id)} exists` };
  const repeats = (path: string, key: string): Found | undefined => {
    const sameAs = seen.get(`${path} ${key}`);
    if (sameAs !== undefined) return { path, text: "the same as in line", sameAs };
    seen.set(`${path} ${key}`, row);
    return undefined;
  };
  const repeated = id !== undefined && !isUpdate ? repeats("id", id) : undefined;
  if (repeated !== undefined) return repeated;
  for (const leaf of leaves) {
    const { path, definition } = leaf;
    const value = valueAt(values, path);
    if (value === undefined || value === null) {
      const isFilled = value === undefined && (isKnown || definition?.defaultValue !== undefined);
      if (definition?.notNull && !isFilled) return { path, text: "must not be null" };
      continue;
    }
    const key = keyOf(leaf, value);
    if (key === undefined) {
      if (/^file/.test(leaf.type)) continue;
      const { expected } = expectationOf(typeOf(leaf));
      return { path, text: `expected ${expected}, found ${describe(value)}` };
    }
    if (!definition?.unique) continue;
    const owner = owners.get(path)?.get(key);
    if (owner !== undefined && owner !== id) {
      return { path, text: `unique, and ${showText(owner)} has ${describe(value)}` };
    }
    const other = repeats(path, key);
    if (other !== undefined) return other;
  }
  return undefined;
}

function deadLinkOf(
  { values }: ImportRecord,
  leaves: readonly Leaf[],
  { dead }: BranchFacts,
): Found | undefined {
  for (const { path, link } of leaves) {
    const id = link === undefined ? undefined : linkedId(valueAt(values, path));
    if (id !== undefined && dead.get(path)?.has(id)) {
      return { path, text: `no record ${showText(id)} in ${link}`, isDead: true };
    }
  }
  return undefined;
}

/** The line of a value, or of its record. */
export function lineOf(row: FixtureRow, path: string): number {
  return row.place(path.split(".")).line;
}

/** The stored form of a value as a text; undefined if its type is wrong. */
function keyOf(leaf: Leaf, value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  const stored = coerceValue(typeOf(leaf), value, profile.value);
  return stored === undefined ? undefined : JSON.stringify(stored);
}

function typeOf({ type, definition }: Leaf): { type: LeafType; dimension: number | undefined } {
  // The columns contain neither ids nor objects.
  return { type: type as LeafType, dimension: definition?.vector?.dimension };
}
