import type { LeafColumn, ObjectColumn } from "../../schema/columns.js";
import type { FileMember } from "../../schema/files.js";
import type { TableName } from "./column-ref.js";
import type { Order } from "./order.js";

/** The selected columns of a record (section P). */
export interface Selection {
  /** By column name. */
  readonly columns: Map<string, ColumnChoice>;
  readonly reverse: readonly ReverseChoice[];
  /** Whether it is every column of the table, as without `columns`. */
  readonly isWhole: boolean;
}

/** What is selected of one column. */
export type ColumnChoice =
  | { readonly kind: "value"; readonly column: LeafColumn }
  | {
      /** A column of files, and the selected members (rule H-2). */
      readonly kind: "files";
      readonly column: LeafColumn;
      readonly members: Set<FileMember>;
    }
  | {
      readonly kind: "object";
      readonly column: ObjectColumn;
      readonly columns: Map<string, ColumnChoice>;
    }
  | {
      readonly kind: "link";
      readonly column: LeafColumn;
      /** The selection of the linked record, beside its id (rules P-1, P-5). */
      linked: { readonly table: TableName; readonly selection: Selection } | undefined;
    };

/** The records of another table that link to this one (rule P-11). */
export interface ReverseChoice {
  /** Their key in the record. */
  readonly name: string;
  readonly table: TableName;
  readonly link: LeafColumn;
  readonly selection: Selection;
  readonly order: Order;
  readonly limit: number;
  readonly offset: number;
}
