import fc from "fast-check";
import type {
  ColumnDefinition,
  ColumnSelection,
  QueryRequest,
  ReverseLinkSelection,
  Sort,
} from "../../types.js";
import { choose, chooseNamed, derive, happens } from "./choice.js";
import { type FilterPlan, filterPlanArbitrary, renderFilter } from "./filter.js";
import { isInTier } from "./levels.js";
import { type QueriedSchema, recordScope, walkPath, walkTo } from "./paths.js";
import type { GeneratedTable } from "./schema.js";
import { seedArbitrary } from "./shrinking.js";

export interface QueryPlan {
  readonly columns: readonly number[] | undefined;
  readonly filter: FilterPlan | undefined;
  readonly sort: { readonly form: number; readonly keys: readonly number[] } | undefined;
  readonly page: { readonly size?: number; readonly offset?: number } | undefined;
}

export interface QueryOptions {
  readonly random?: boolean;
  /** Reverse links are slow in the oracle for large tables. */
  readonly reverse?: boolean;
}

const SIZES: readonly number[] = [1, 2, 3, 3, 5, 5, 20, 200];
export const OFFSETS: readonly number[] = [0, 1, 1, 2, 3, 5, 800];

export function queryPlanArbitrary(): fc.Arbitrary<QueryPlan> {
  const maybe = <T>(arbitrary: fc.Arbitrary<T>, freq: number): fc.Arbitrary<T | undefined> =>
    fc.option(arbitrary, { nil: undefined, freq });
  return fc.record({
    columns: maybe(fc.array(seedArbitrary(), { maxLength: 4 }), 2),
    filter: maybe(filterPlanArbitrary(), 6),
    sort: maybe(
      fc.record({ form: seedArbitrary(), keys: fc.array(seedArbitrary(), { maxLength: 3 }) }),
      3,
    ),
    page: maybe(
      fc.record(
        { size: fc.constantFrom(...SIZES), offset: fc.constantFrom(...OFFSETS) },
        { requiredKeys: [] },
      ),
      2,
    ),
  });
}

export function renderQuery(
  branch: QueriedSchema,
  table: GeneratedTable,
  plan: Partial<QueryPlan>,
  options: QueryOptions = {},
): QueryRequest {
  const { columns, filter, sort, page } = plan;
  const depth = Number(options.reverse ?? isInTier("columns reverse", branch.tier));
  return {
    ...(columns && { columns: renderColumns(branch, table, columns, depth) }),
    ...(filter && { filter: renderFilter(branch, recordScope(table), filter) }),
    ...(sort && {
      sort: renderSort(
        branch,
        table,
        sort,
        options.random ?? isInTier("order random", branch.tier),
      ),
    }),
    ...(page && { page }),
  };
}

export function renderColumns(
  branch: QueriedSchema,
  table: GeneratedTable,
  seeds: readonly number[],
  depth = 1,
): ColumnSelection[] {
  const entries = seeds.map((seed): ColumnSelection => {
    const reverse = depth > 0 && happens(seed, "reverse", 0.15);
    const selection = reverse ? renderReverse(branch, table, seed, depth) : undefined;
    return selection ?? renderPath(branch, table, seed);
  });
  // P-11: reverse links need distinct names.
  const names = entries.map((entry) => (typeof entry === "string" ? "" : (entry.as ?? entry.name)));
  return entries.filter((_, i) => names[i] === "" || names.indexOf(names[i] ?? "") === i);
}

const FILE_MEMBERS = ["id", "name", "mediaType", "base64Content", "size"];

function renderPath(branch: QueriedSchema, table: GeneratedTable, seed: number): string {
  const { metadataColumn } = branch;
  if (happens(seed, "star", 0.12)) return "*";
  if (isInTier("path metadata", branch.tier) && happens(seed, "own", 0.06)) {
    return choose(seed, "which", ["id", metadataColumn, `${metadataColumn}.version`]);
  }
  const path = walkPath(branch, recordScope(table), derive(seed, "path"));
  const names = path.kind === "metadata" ? path.names.slice(0, -1) : path.names;
  // H-2: a file's name selects addresses, which only the service that created them knows.
  if (path.column.type === "file" || path.column.type === "file[]") {
    return [...names, choose(seed, "member", FILE_MEMBERS)].join(".");
  }
  // P-4, P-5: the bare name of an object or link, or its star.
  return (path.next && happens(seed, "all", 0.5) ? [...names, "*"] : names).join(".");
}

function renderReverse(
  branch: QueriedSchema,
  table: GeneratedTable,
  seed: number,
  depth: number,
): ReverseLinkSelection | undefined {
  const links = branch.tables.flatMap((from) =>
    linksTo(from.columns, table.name).map((link) => ({ from, name: `<-${from.name}.${link}` })),
  );
  const link = chooseNamed(seed, links, (candidate) => candidate.name);
  if (link === undefined) return undefined;
  const own = (label: string, count: number): number[] =>
    Array.from({ length: count }, (_, i) => derive(seed, `${label} ${i}`));
  const selects = happens(seed, "selects", 0.6);
  const sorts = happens(seed, "sorts", 0.5);
  return {
    name: link.name,
    ...(happens(seed, "as", 0.7) && { as: choose(seed, "as what", ["r1", "r2", "r3"]) }),
    ...(selects && { columns: renderColumns(branch, link.from, own("columns", 2), depth - 1) }),
    ...(sorts && {
      sort: renderSort(branch, link.from, { form: seed, keys: own("keys", 2) }, false),
    }),
    ...(happens(seed, "limits", 0.5) && { limit: 1 + (seed % 3) }),
    ...(happens(seed, "skips", 0.3) && { offset: seed % 3 }),
  };
}

function linksTo(columns: readonly ColumnDefinition[], table: string): string[] {
  return columns.flatMap((column) => {
    if (column.type === "link" && column.link?.table === table) return [column.name];
    return linksTo(column.columns ?? [], table).map((link) => `${column.name}.${link}`);
  });
}

const SORTABLE = ["bool", "int", "float", "string", "text", "email", "datetime", "link"];

/** S-1 … S-4. */
function renderSort(
  branch: QueriedSchema,
  table: GeneratedTable,
  plan: { readonly form: number; readonly keys: readonly number[] },
  random: boolean,
): Sort {
  const keys = plan.keys.map((seed) => {
    const path = walkTo(branch, recordScope(table), seed, ({ column }) =>
      SORTABLE.includes(column.type),
    );
    const direction = choose(seed, "direction", ["asc", "desc"] as const);
    return [path?.names.join(".") ?? "id", direction] as const;
  });
  const ends = random && happens(plan.form, "random", 0.08) ? [["*", "random"] as const] : [];
  const distinct = new Set(keys.map(([path]) => path)).size === keys.length;
  if (distinct && happens(plan.form, "object", 0.4)) {
    return Object.fromEntries([...keys, ...ends]);
  }
  return [...keys, ...ends].map(([path, direction], i) =>
    direction === "asc" && happens(plan.form, `bare ${i}`, 0.5) ? path : { [path]: direction },
  );
}
