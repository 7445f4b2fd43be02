import {
  assembleSchema,
  type Column,
  FIRST_COLUMN_SLOT,
  type LeafType,
  plainLeaf,
  plainObject,
  type StoredValue,
} from "../../schema/columns.js";
import { createTableVersion, type TableVersion } from "../../storage/table.js";
import { TableTransient } from "../../storage/transient.js";
import type { Json } from "../../types.js";
import { canonicalJson } from "../../value/json.js";

export interface GroupColumn {
  readonly path: string;
  readonly type: LeafType;
  readonly target: string | undefined;
  readonly isKey: boolean;
  readonly valueAt: (group: number) => StoredValue;
}

/** The name of a link's id if columns behind it are grouped, too. */
const OWN_VALUE = "id";

/** Creates an empty table of groups, which are filtered, sorted and projected like records. */
export function createGroupTable(columns: readonly GroupColumn[]): TableVersion {
  const slotted = columns.map((column, index) => ({ ...column, slot: slotOf(index) }));
  const schema = assembleSchema(nestColumns(slotted, ""), slotOf(columns.length));
  return createTableVersion("groups", schema);
}

/** The slot of a column of groups. */
export function slotOf(index: number): number {
  return FIRST_COLUMN_SLOT + index;
}

/**
 * Fills a table of groups. A row's id is built from the group's keys, so ties don't depend on the
 * order of records.
 */
export function fillGroupTable(
  table: TableVersion,
  columns: readonly GroupColumn[],
  groups: Iterable<number> & { readonly length: number },
  checkTime: (() => void) | undefined,
): TableVersion {
  const transient = new TableTransient(table);
  const keys = columns.filter(({ isKey }) => isKey);
  const system: StoredValue[] = new Array(FIRST_COLUMN_SLOT).fill(null);
  for (const group of groups) {
    checkTime?.();
    const id = canonicalJson(keys.map(({ valueAt }) => valueAt(group) as Json)); // an Instant is valid JSON
    const values = columns.map(({ valueAt }) => valueAt(group));
    transient.append(id, METADATA, system.concat(values), groups.length);
  }
  return transient.persist();
}

const EPOCH = { ms: 0, micros: 0 };
const METADATA = { version: 0, createdAt: EPOCH, updatedAt: EPOCH };

/** Nests columns, whose paths begin with a prefix, in objects. */
function nestColumns(
  columns: readonly (GroupColumn & { readonly slot: number })[],
  prefix: string,
): Column[] {
  const names = new Set(columns.map(({ path }) => path.slice(prefix.length).split(".")[0]!));
  return Array.from(names, (name) => {
    const path = prefix + name;
    const own = columns.find((column) => column.path === path);
    const below = columns.filter((column) => column.path.startsWith(`${path}.`));
    if (own !== undefined && below.length === 0) {
      return plainLeaf(own.type, path, own.slot, own.target);
    }
    const members = nestColumns(below, `${path}.`);
    const ownPath = `${path}.${OWN_VALUE}`;
    if (own !== undefined && !below.some((column) => column.path === ownPath)) {
      members.unshift(plainLeaf("string", ownPath, own.slot, own.target));
    }
    return plainObject(path, members);
  });
}
