import { ID_SLOT } from "../../schema/columns.js";
import { ordinalOf } from "../../storage/chunk.js";
import { NULL_CODE } from "../../storage/vectors.js";
import type { Leaf, NullTest, Predicate } from "../bound/condition.js";
import { createBits, eachSetBit, wordsFor } from "../filter/bitmap.js";
import { compileFilter, selectRows } from "../filter/row-filter.js";
import { linkedSource, type Source } from "../source.js";
import { MAX_LINK_TARGETS } from "../thresholds.js";

/** A condition that matches only some linked ids. */
export interface LinkCondition {
  readonly column: string;
  readonly slot: number;
  /** Undefined if there are too many ids. */
  readonly idsIn: (source: Source) => readonly string[] | undefined;
}

/** Returns undefined for other conditions, and if null matches. */
export function linkConditionOf(predicate: Predicate): LinkCondition | undefined {
  if (predicate.kind !== "leaf" && predicate.kind !== "null") return undefined;
  const [hop, ...hops] = predicate.column.hops;
  if (hop !== undefined) {
    if (predicate.kind === "null" ? predicate.isNull : predicate.nullMatches) return undefined;
    const inner = { ...predicate, column: { ...predicate.column, hops } };
    const idsIn = (source: Source): string[] | undefined =>
      idsWhere(linkedSource(source, hop), inner);
    return { column: hop.name, slot: hop.slot, idsIn };
  }
  if (predicate.kind === "null") return undefined;
  const { column, test, negated, nullMatches } = predicate;
  const isLink = column.type === "link" || (column.type === "id" && column.slot !== ID_SLOT);
  if (!isLink || negated || nullMatches) return undefined;
  const ids =
    test.kind === "equals" ? [test.value] : test.kind === "among" ? test.values : undefined;
  if (ids === undefined) return undefined;
  // A link column holds strings.
  return { column: column.path, slot: column.slot, idsIn: () => ids as readonly string[] };
}

/** Returns the codes of a condition's ids; undefined if there are too many. */
export function codesOf(condition: LinkCondition, source: Source): number[] | undefined {
  const dictionary = source.table.dictionaries.get(condition.slot);
  const ids = dictionary && condition.idsIn(source);
  if (ids === undefined) return undefined;
  const codes = ids.map((id) => dictionary!.find(id)); // a non-empty link column has one
  return [...new Set(codes.filter((code) => code !== NULL_CODE))];
}

/** Returns the ids of matching records; undefined if there are too many. */
function idsWhere(source: Source, leaf: Leaf | NullTest): string[] | undefined {
  const { table } = source;
  const filter = compileFilter(leaf, source);
  const ids: string[] = [];
  const bits = createBits(table);
  for (const [index, chunk] of table.chunks.entries()) {
    selectRows(filter, chunk, bits);
    eachSetBit(bits, wordsFor(chunk.count), (row) => {
      ids.push(table.idAt(ordinalOf(index, row)));
    });
    if (ids.length > MAX_LINK_TARGETS) break;
  }
  return ids.length > MAX_LINK_TARGETS ? undefined : ids;
}
