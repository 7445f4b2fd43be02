import fc from "fast-check";
import type { ColumnDefinition } from "../../types.js";
import { chooseNamed, derive } from "./choice.js";

export interface GeneratedTable {
  readonly name: string;
  readonly columns: readonly ColumnDefinition[];
}

const TABLE_NAMES = ["people", "Teams", "t-3_~"];
/** A link target that is never created (T-17). */
const MISSING_TABLE = "nowhere";

type ColumnPlan = ColumnDefinition;

const INNER: readonly ColumnPlan[] = [
  { name: "y", type: "float" },
  { name: "who", type: "link" },
  { name: "ok", type: "bool" },
];

const SUB_COLUMNS: readonly ColumnPlan[] = [
  { name: "zip", type: "int" },
  { name: "city", type: "string" },
  { name: "far", type: "link" },
  { name: "when", type: "datetime" },
  { name: "labels", type: "multiple" },
  { name: "note", type: "json" },
  { name: "inner", type: "object", columns: INNER },
];

const COLUMNS: readonly ColumnPlan[] = [
  { name: "name", type: "string" },
  { name: "n", type: "int" },
  { name: "x", type: "float" },
  { name: "ok", type: "bool" },
  { name: "at", type: "datetime" },
  { name: "tags", type: "multiple" },
  { name: "owner", type: "link" },
  { name: "peer", type: "link" },
  { name: "place", type: "object" },
  { name: "box", type: "object" },
  { name: "doc", type: "json" },
  { name: "mail", type: "email" },
  { name: "body", type: "text" },
  { name: "constructor", type: "string" },
  { name: "x-1", type: "int" },
  { name: "vec", type: "vector", vector: { dimension: 2 } },
  { name: "pic", type: "file" },
  { name: "pics", type: "file[]" },
  { name: "level", type: "int", defaultValue: "1" },
  { name: "kind", type: "string", defaultValue: "a" },
  { name: "since", type: "datetime", defaultValue: "now" },
];

interface TablePlan {
  readonly columns: readonly ColumnPlan[];
  readonly inPlace: readonly ColumnPlan[];
  readonly inBox: readonly ColumnPlan[];
  readonly links: number;
}

export function tablesArbitrary(): fc.Arbitrary<readonly GeneratedTable[]> {
  const plan: fc.Arbitrary<TablePlan> = fc.record({
    columns: fc.shuffledSubarray([...COLUMNS]),
    inPlace: fc.shuffledSubarray([...SUB_COLUMNS], { minLength: 1 }),
    inBox: fc.shuffledSubarray([...SUB_COLUMNS], { minLength: 1 }),
    links: fc.nat(),
  });
  return fc.array(plan, { minLength: 1, maxLength: TABLE_NAMES.length }).map((plans) => {
    const names = TABLE_NAMES.slice(0, plans.length);
    return plans.map((table, i) => ({ name: names[i] ?? "", columns: resolve(table, names) }));
  });
}

function resolve(plan: TablePlan, names: readonly string[]): readonly ColumnDefinition[] {
  const complete = (column: ColumnPlan, path: string): ColumnDefinition => {
    if (column.type === "link") {
      const seed = derive(plan.links, path);
      const table = chooseNamed(seed, [...names, MISSING_TABLE], (name) => name) ?? MISSING_TABLE;
      return { ...column, link: { table } };
    }
    if (column.type !== "object") return column;
    const inner = column.columns ?? (column.name === "place" ? plan.inPlace : plan.inBox);
    return { ...column, columns: inner.map((sub) => complete(sub, `${path}.${sub.name}`)) };
  };
  return plan.columns.map((column) => complete(column, column.name));
}

export function makeWideTables(seed: number): readonly GeneratedTable[] {
  return TABLE_NAMES.map((name) => {
    const links = derive(seed, name);
    const plan = { columns: COLUMNS, inPlace: SUB_COLUMNS, inBox: SUB_COLUMNS, links };
    return { name, columns: resolve(plan, TABLE_NAMES) };
  });
}
