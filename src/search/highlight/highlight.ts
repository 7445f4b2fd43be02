import type { TableVersion } from "../../storage/table.js";
import type { Json } from "../../types.js";
import { textsIn } from "../../value/json.js";
import type { BoundTarget } from "../bind/bind-targets.js";

const MAX_PASSAGES = 3;

export interface Highlight {
  [column: string]: string[] | Highlight;
}

/** Returns the matching passages of a row by column; `find` limits them to `most`. */
export function highlightRow(
  version: TableVersion,
  targets: readonly BoundTarget[],
  row: number,
  find: (text: string, most: number) => string[],
): Highlight {
  const highlight: Highlight = {};
  for (const { slot, path } of targets) {
    const value = version.get(row, slot);
    if (value === null) continue;
    const passages: string[] = [];
    // Searchable columns hold JSON: a text, a list of texts, or any value.
    for (const text of textsIn(value as Json)) {
      if (passages.length === MAX_PASSAGES) break;
      passages.push(...find(text, MAX_PASSAGES - passages.length));
    }
    if (passages.length > 0) put(highlight, path.split("."), passages);
  }
  return highlight;
}

function put(
  highlight: Highlight,
  [name = "", ...rest]: readonly string[],
  passages: string[],
): void {
  if (rest.length === 0) {
    highlight[name] = passages;
    return;
  }
  const inner = Object.hasOwn(highlight, name) ? highlight[name] : {};
  if (inner === undefined || Array.isArray(inner)) return; // a column is text or an object
  highlight[name] = inner;
  put(inner, rest, passages);
}
