import type { AnyRecord } from "../../src/types.js";
import { idOf } from "../../src/value/id.js";
import { service, tablePath } from "./api.js";
import { branchTables, profile } from "./catalog.js";
import { place } from "./place.js";
import { titleColumn, titleIn } from "./titles.js";

/** A candidate for a link. */
export interface LinkMatch {
  readonly id: string;
  readonly title: string;
}

/** Maximum number of suggested records. */
export const MAX_MATCHES = 8;

/** Finds records by a part of the title or a prefix of the id; an exact id comes first. */
export async function findMatches(
  target: string,
  text: string,
  signal?: AbortSignal,
): Promise<readonly LinkMatch[]> {
  const [workspace = "", database = "", branch = ""] = place.value.address;
  const table = branchTables.value.find(({ name }) => name === target);
  if (table === undefined) return [];
  const title = titleColumn(table);
  const { idColumn } = profile.value;
  const anyOf = [
    { [idColumn]: { $startsWith: text } },
    ...(title ? [{ [title]: { $iContains: text } }] : []),
  ];
  const body = {
    columns: [title ?? idColumn],
    ...(text !== "" && { filter: { $any: anyOf } }),
    ...(title && { sort: [{ [title]: "asc" }] }),
    page: { size: MAX_MATCHES },
  };
  const at = `${tablePath(database, branch, target)}/query`;
  const ask = async (query: object): Promise<LinkMatch[]> => {
    const { records } = await service<{ records: AnyRecord[] }>(workspace, "POST", at, {
      body: query,
      signal,
    });
    return records.map((record) => ({ id: idOf(record), title: titleIn(table, record) }));
  };
  const found = await ask(body);
  if (text === "" || found.some(({ id }) => id === text)) {
    return found.toSorted((a, b) => Number(b.id === text) - Number(a.id === text));
  }
  // The exact id may be beyond the first matches.
  const exact =
    found.length < MAX_MATCHES ? [] : await ask({ ...body, filter: { [idColumn]: text } });
  return [...exact, ...found];
}
