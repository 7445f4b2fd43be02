import { assert } from "../../errors.js";
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
  const root = new Map<string, PathNode>();
  for (const [index, column] of columns.entries()) {
    plant(root, column.path.split("."), column, slotOf(index));
  }
  const schema = assembleSchema(toColumns(root, ""), slotOf(columns.length));
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
  groups: readonly number[],
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

/** A node of the path tree: a column, child names, or both. */
interface PathNode {
  leaf: { readonly column: GroupColumn; readonly slot: number } | undefined;
  readonly below: Map<string, PathNode>;
}

function plant(
  tree: Map<string, PathNode>,
  names: readonly string[],
  column: GroupColumn,
  slot: number,
): void {
  const [name, ...rest] = names;
  assert(name !== undefined, "a path has at least one name");
  const node = tree.get(name) ?? { leaf: undefined, below: new Map<string, PathNode>() };
  tree.set(name, node);
  if (rest.length > 0) plant(node.below, rest, column, slot);
  else node.leaf = { column, slot };
}

function toColumns(tree: ReadonlyMap<string, PathNode>, prefix: string): Column[] {
  return Array.from(tree, ([name, { leaf, below }]) => {
    const path = prefix + name;
    if (leaf !== undefined && below.size === 0) {
      return plainLeaf(leaf.column.type, path, leaf.slot, leaf.column.target);
    }
    const columns = toColumns(below, `${path}.`);
    if (leaf !== undefined && !below.has(OWN_VALUE)) {
      columns.unshift(plainLeaf("string", `${path}.${OWN_VALUE}`, leaf.slot, leaf.column.target));
    }
    return plainObject(path, columns);
  });
}
