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
  readonly values: readonly StoredValue[];
  readonly isKey: boolean;
}

/** The name of a link's id if columns behind it are grouped, too. */
const OWN_VALUE = "id";

/**
 * Builds a table with a row per group, so groups are filtered, sorted and projected like
 * records. A row's id is built from the group's keys, so ties don't depend on the order of records.
 */
export function buildGroupTable(
  columns: readonly GroupColumn[],
  count: number,
  check: () => void,
): TableVersion {
  const root = new Map<string, PathNode>();
  for (const [index, { path }] of columns.entries()) {
    plant(root, path.split("."), columns[index]!, FIRST_COLUMN_SLOT + index);
  }
  const schema = assembleSchema(toColumns(root, ""), FIRST_COLUMN_SLOT + columns.length);
  const transient = new TableTransient(createTableVersion("groups", schema));
  const keys = columns.filter(({ isKey }) => isKey);
  const slots: StoredValue[] = new Array(FIRST_COLUMN_SLOT).fill(null);
  for (let group = 0; group < count; group++) {
    check();
    const id = canonicalJson(keys.map(({ values }) => values[group] as Json)); // an Instant is valid JSON
    const values = columns.map((column) => column.values[group] ?? null);
    transient.append(id, METADATA, slots.concat(values), count);
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
