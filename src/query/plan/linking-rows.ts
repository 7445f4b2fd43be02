import { NULL_CODE } from "../../storage/dictionary.js";
import type { TableVersion } from "../../storage/table.js";
import { ownSource, type Source } from "../source.js";
import { type IndexOption, requestIndex, viewIndex } from "./indexes.js";
import { linkIndexRecipe, rowsLinkedTo, scanCodes } from "./row-index.js";

/** Returns the rows that link to any of some ids. Repeated calls build the link's index. */
export function findLinkingRows(
  table: TableVersion,
  slot: number,
  ids: Iterable<string>,
  { indexes, checkTime }: Pick<Source, "checkTime"> & { readonly indexes: IndexOption },
): readonly number[] {
  const dictionary = table.dictionaries.get(slot);
  const codes = new Set(Array.from(ids, (id) => dictionary?.find(id) ?? NULL_CODE));
  codes.delete(NULL_CODE);
  if (codes.size === 0) return [];
  const source = ownSource(table, checkTime);
  const recipe = linkIndexRecipe(slot);
  requestIndex(source, recipe, indexes);
  const view = indexes === "never" ? undefined : viewIndex(table, recipe);
  if (view === undefined) return scanCodes(source, slot, codes);
  const { runs, dirty, written } = rowsLinkedTo(table, slot, view, codes);
  return runs.flatMap((run) => Array.from(run).filter((row) => !dirty.has(row))).concat(written);
}
