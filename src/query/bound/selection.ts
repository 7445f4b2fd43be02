import type { LeafColumn, ObjectColumn } from "../../schema/columns.js";
import type { FileMember } from "../../schema/files.js";
import type { TableName } from "./column-ref.js";
import type { Order } from "./order.js";

export interface Selection {
  readonly columns: Map<string, ColumnChoice>;
  readonly reverse: readonly ReverseChoice[];
  /** Whether all columns are selected, as without `columns`. */
  readonly isWhole: boolean;
}

/** Selects only the id and the metadata. */
export const NOTHING: Selection = { columns: new Map(), reverse: [], isWhole: false };

export type ColumnChoice =
  | { readonly kind: "value"; readonly column: LeafColumn }
  | {
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
      linked: { readonly table: TableName; readonly selection: Selection } | undefined;
    };

export interface ReverseChoice {
  readonly name: string;
  readonly table: TableName;
  readonly link: LeafColumn;
  readonly selection: Selection;
  readonly order: Order;
  readonly limit: number;
  readonly offset: number;
}
