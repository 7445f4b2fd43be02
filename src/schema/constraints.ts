import type { At } from "../errors.js";
import type { Instant } from "../value/datetime.js";
import type { Column, LeafColumn, ObjectColumn, Schema } from "./columns.js";
import type { RecordReader } from "./record.js";
import { isUnbounded } from "./traits.js";

/** The columns of a schema that ask for something beyond their type (rule T-16). */
export interface Constraints {
  readonly notNulls: readonly Column[];
  readonly uniques: readonly LeafColumn[];
  readonly defaults: readonly LeafColumn[];
  readonly objectDefaults: readonly ObjectColumn[];
  /** Columns of which a value may be of any length (rule L-12). */
  readonly unbounded: readonly LeafColumn[];
}

const constraintsBySchema: WeakMap<Schema, Constraints> = new WeakMap();

/** What a schema asks of its records. */
export function constraintsOf(schema: Schema): Constraints {
  let constraints = constraintsBySchema.get(schema);
  if (constraints === undefined) {
    const columns = allColumns(schema.columns);
    constraints = {
      notNulls: columns.filter(({ notNull }) => notNull),
      uniques: schema.leaves.filter(({ unique }) => unique),
      defaults: schema.leaves.filter(({ defaultValue }) => defaultValue !== undefined),
      objectDefaults: columns.filter(
        (column): column is ObjectColumn =>
          column.type === "object" && column.defaultValue !== undefined,
      ),
      unbounded: schema.leaves.filter(({ type }) => isUnbounded(type)),
    };
    constraintsBySchema.set(schema, constraints);
  }
  return constraints;
}

/** Fills missing keys with their defaults; a given null stays null (rule T-16). */
export function fillDefaults(
  reader: RecordReader,
  { objectDefaults, defaults }: Constraints,
  now: Instant,
  at: At,
): void {
  const { objects, values } = reader;
  for (const column of objectDefaults)
    if (!objects.includes(column)) reader.readDefault(column, at);
  for (const { slot, defaultValue } of defaults) {
    if (values[slot] !== undefined || defaultValue === undefined) continue;
    values[slot] = defaultValue.kind === "now" ? now : defaultValue.value;
  }
}

function allColumns(columns: readonly Column[]): readonly Column[] {
  return columns.flatMap((column) =>
    column.type === "object" ? [column, ...allColumns(column.columns)] : [column],
  );
}
