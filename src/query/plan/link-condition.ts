import { ID_SLOT } from "../../schema/columns.js";
import { CHUNK_SHIFT } from "../../storage/chunk.js";
import { NULL_CODE } from "../../storage/dictionary.js";
import type { TableVersion } from "../../storage/table.js";
import type { Leaf } from "../bound/predicate.js";
import { eachSetBit, withBits, wordsFor } from "../filter/bitmap.js";
import { compileFilter, selectRows } from "../filter/row-filter.js";

/** A condition that holds only for rows whose link is one of certain ids. */
export interface LinkCondition {
  readonly column: string;
  readonly slot: number;
  /** The codes of those ids in the link column; undefined where they are too many to be of use. */
  readonly codes: (table: TableVersion) => ReadonlySet<number> | undefined;
}

/** Linked records above which a condition on them is better tested row by row. */
const MAX_TARGETS = 4096;

/** Reads a leaf as a condition on a link; undefined where it is none, or null would match. */
export function linkCondition(leaf: Leaf): LinkCondition | undefined {
  if (leaf.nullMatches) return undefined;
  const [hop, ...rest] = leaf.column.hops;
  if (hop !== undefined) {
    const { slot, target, name } = hop;
    const inner: Leaf = { ...leaf, column: { ...leaf.column, hops: rest } };
    return { column: name, slot, codes: (table) => codesOf(table, slot, idsWhere(target, inner)) };
  }
  const { column, test, negated } = leaf;
  const isLink = column.type === "link" || (column.type === "id" && column.slot !== ID_SLOT);
  if (!isLink || negated) return undefined;
  const ids =
    test.kind === "equals" ? [test.value] : test.kind === "among" ? test.values : undefined;
  if (ids === undefined) return undefined;
  // A link column holds strings.
  return {
    column: column.path,
    slot: column.slot,
    codes: (table) => codesOf(table, column.slot, ids as string[]),
  };
}

function codesOf(
  table: TableVersion,
  slot: number,
  ids: readonly string[] | undefined,
): ReadonlySet<number> | undefined {
  const dictionary = table.dictionaries.get(slot);
  if (ids === undefined || dictionary === undefined) return undefined;
  return new Set(ids.map((id) => dictionary.find(id)).filter((code) => code !== NULL_CODE));
}

/** The ids of the records that a leaf holds for; undefined where they are too many. */
function idsWhere(target: TableVersion, leaf: Leaf): string[] | undefined {
  const filter = compileFilter(leaf, target);
  const ids: string[] = [];
  withBits((bits) => {
    for (const [index, chunk] of target.chunks.entries()) {
      selectRows(filter, chunk, bits);
      eachSetBit(bits, wordsFor(chunk.count), (row) => {
        ids.push(target.idAt((index << CHUNK_SHIFT) + row));
      });
      if (ids.length > MAX_TARGETS) return;
    }
  });
  return ids.length > MAX_TARGETS ? undefined : ids;
}
