import {
  assembleSchema,
  type Column,
  FIRST_COLUMN_SLOT,
  type LeafType,
  plainLeaf,
  plainObject,
  type StoredValue,
} from "../../schema/columns.js";
import { CHUNK_ROWS, Chunk } from "../../storage/chunk.js";
import { createTableVersion, TableVersion } from "../../storage/table.js";
import { createVector } from "../../storage/vector.js";

export interface GroupColumn {
  readonly path: string;
  readonly slot: number;
  readonly type: LeafType;
  readonly target: string | undefined;
  readonly valueAt: (group: number) => StoredValue;
}

/**
 * Creates an empty table of groups, which are filtered and sorted like records.
 *
 * @param idName the name of a link's id if columns behind it are grouped, too
 */
export function createGroupTable(columns: readonly GroupColumn[], idName: string): TableVersion {
  /** Nests columns, whose paths begin with a prefix, in objects. */
  const nest = (columns: readonly GroupColumn[], prefix: string): Column[] => {
    const groups = new Map<string, GroupColumn[]>();
    for (const column of columns) {
      const dot = column.path.indexOf(".", prefix.length);
      const path = dot < 0 ? column.path : column.path.slice(0, dot);
      const group = groups.get(path);
      if (group === undefined) groups.set(path, [column]);
      else group.push(column);
    }
    return Array.from(groups, ([path, group]) => {
      const leaf = group.find((column) => column.path === path);
      if (leaf !== undefined && group.length === 1) {
        return plainLeaf(leaf.type, path, leaf.slot, leaf.target);
      }
      const below = group.filter((column) => column !== leaf);
      const members = nest(below, `${path}.`);
      const ownPath = `${path}.${idName}`;
      if (leaf !== undefined && !below.some((column) => column.path === ownPath)) {
        members.unshift(plainLeaf("string", ownPath, leaf.slot, leaf.target));
      }
      return plainObject(path, members);
    });
  };
  const schema = assembleSchema(nest(columns, ""), FIRST_COLUMN_SLOT + columns.length);
  return createTableVersion("groups", schema);
}

/** Fills the columns, or the ids, in some slots of a table of groups. */
export function fillGroupTable(
  table: TableVersion,
  readers: ReadonlyMap<number, GroupColumn["valueAt"]>,
  groups: ArrayLike<number>,
  checkTime: (() => void) | undefined,
): TableVersion {
  const { dictionaries, schema } = table;
  const chunks: Chunk[] = [];
  for (let from = 0; from < groups.length; from += CHUNK_ROWS) {
    const chunk = new Chunk(undefined);
    chunk.count = Math.min(CHUNK_ROWS, groups.length - from);
    chunk.vectors = new Array(schema.slotCount).fill(undefined);
    for (const [slot, valueAt] of readers) {
      checkTime?.();
      const type = schema.leaves.find((leaf) => leaf.slot === slot)?.type ?? "string";
      const vector = createVector(type, chunk.count, dictionaries.get(slot));
      for (let row = 0; row < chunk.count; row++) vector.set(row, valueAt(groups[from + row]!));
      chunk.vectors[slot] = vector;
    }
    chunks.push(chunk);
  }
  return new TableVersion({ ...table, chunks, size: groups.length, idsAscend: false });
}
