import type { LeafColumn, ObjectColumn } from "../../schema/columns.js";
import type { FileMember } from "../../schema/files.js";
import type { TableName } from "./column-ref.js";
import type { Order } from "./order.js";

/** Which columns of a record are given (section P). */
export interface Selection {
  /** By column name. */
  readonly columns: Map<string, ColumnChoice>;
  readonly reverse: readonly ReverseChoice[];
  /** Whether it is every column of the table, as without `columns`. */
  readonly isWhole: boolean;
}

/** What of one column is given. */
export type ColumnChoice =
  | { readonly kind: "value"; readonly column: LeafColumn }
  | {
      /** A column of files, and which of their members are given (rule H-2). */
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
      /** The linked record, where more of it than its id is given (rules P-1, P-5). */
      linked: { readonly table: TableName; readonly selection: Selection } | undefined;
    };

/** The records of another table that link to this one, and what of each is given (rule P-11). */
export interface ReverseChoice {
  /** The key they are given under. */
  readonly name: string;
  readonly table: TableName;
  readonly link: LeafColumn;
  readonly selection: Selection;
  readonly order: Order;
  readonly limit: number;
  readonly offset: number;
}
