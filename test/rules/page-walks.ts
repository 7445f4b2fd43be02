import { idsOf, openTable, type UntypedTable } from "./fixture.js";

/** The numbers of a page's records, and its meta. */
export interface Page {
  readonly ns: number[];
  readonly more: boolean;
  readonly size: number;
  readonly cursor: string;
}

/** A page of numbered records, by default in the order of the numbers. */
export function pageOf(table: UntypedTable, page: object = {}, request: object = {}): Page {
  const hasCursor = Object.values(page).some(
    (value) => typeof value === "string" && value !== "end",
  );
  const sort = hasCursor || "sort" in request ? {} : { sort: { n: "asc" } };
  const { records, meta } = table.query({ ...sort, ...request, page });
  const { cursor, more, size } = meta.page;
  return { ns: records.map(({ n }) => n as number), more, size, cursor };
}

/** A table with a record for each number; the order of the ids is the reverse. */
export function openNumbers(numbers: readonly number[]): UntypedTable {
  const table = openTable({ n: "int", s: "string", next: "-> items" });
  table.insert(numbers.map(numbered));
  return table;
}

export function numbered(n: number): { id: string; n: number } {
  return { id: `id${1000 - n}`, n };
}

export function tens(count: number): number[] {
  return Array.from({ length: count }, (_, i) => 10 * (i + 1));
}

/** The ids of all pages, each after the cursor of the previous one. */
export function walkForward(table: UntypedTable, request: object, page: object = {}): string[] {
  const ids: string[] = [];
  let result = table.query(request);
  for (let turn = 0; turn < 1000; turn++) {
    ids.push(...idsOf(result.records));
    const { more, cursor } = result.meta.page;
    if (!more) return ids;
    result = table.query({ page: { ...page, after: cursor } });
  }
  throw new Error("the walk does not end");
}

/** The ids of all pages, from the last one backward, in the normal order. */
export function walkBackward(table: UntypedTable, request: object, size: number): string[] {
  const ids: string[] = [];
  let result = table.query({ ...request, page: { before: "end", size } });
  for (let turn = 0; turn < 1000; turn++) {
    ids.unshift(...idsOf(result.records));
    const { more, cursor } = result.meta.page;
    if (!more) return ids;
    result = table.query({ page: { before: cursor } });
  }
  throw new Error("the walk does not end");
}
