/** Options of calls that return a record. */
export interface ReturnOptions<Columns> {
  /** Default all columns (P-1). */
  readonly columns?: Columns | undefined;
}

/** Options of an update or a deletion. */
export interface WriteOptions<Columns> extends ReturnOptions<Columns> {
  /** The record's expected version; any other throws `version_conflict`. */
  readonly ifVersion?: number | undefined;
}

/** Options of an insertion or a replacement. */
export interface PutOptions<Columns> extends WriteOptions<Columns> {
  /** Whether to throw `id_in_use` if the record exists. */
  readonly createOnly?: boolean | undefined;
}

/** Options of a write to all matching records. */
export interface WhereOptions<Columns> {
  /** Maximum number of written records, the first ones by id; default all. */
  readonly limit?: number | undefined;
  /** Columns of the records to return; default returns their number. */
  readonly columns?: Columns;
}

/** Options of calls that replace or merge schemas. */
export interface DropOptions {
  /** Whether columns that have values may be removed; default false. */
  readonly dropValues?: boolean | undefined;
}
