import type { PutOptions, ReturnOptions, WriteOptions } from "./options.js";
import type { ColumnsOf } from "./selection.js";
import type {
  AnyShape,
  DocumentedProfile,
  ProfileShape,
  TableColumns,
  TableShape,
} from "./shape.js";
import type { InsertOf, UpdateOf } from "./write.js";

/**
 * An operation of a transaction, typed by the columns of the branch's tables; any object if
 * these are not given.
 */
export type OperationOf<
  Tables extends TableColumns,
  P extends ProfileShape = DocumentedProfile,
> = string extends keyof Tables
  ? Readonly<Record<string, unknown>>
  : { [K in Kind]: OneOf<K, Part<K, Tables, P>> }[Kind];

type Kind = keyof Parts<AnyShape>;

/** Other kinds are excluded, so that errors are reported at the wrong value. */
type OneOf<K extends Kind, Options> = { readonly [X in K]: Options } & {
  readonly [X in Exclude<Kind, K>]?: undefined;
};

type Part<K extends Kind, Tables extends TableColumns, P extends ProfileShape> = {
  [N in keyof Tables & string]: { readonly table: N } & Parts<TableShape<Tables, N, P>>[K];
}[keyof Tables & string];

interface Parts<S extends AnyShape> {
  readonly insert: PutOptions<Columns<S>> & { readonly record: InsertOf<S> };
  readonly update: WriteOptions<Columns<S>> & {
    readonly id: string;
    readonly fields: UpdateOf<S>;
    readonly upsert?: boolean | undefined;
  };
  readonly delete: ReturnOptions<Columns<S>> & {
    readonly id: string;
    readonly failIfMissing?: boolean | undefined;
  };
  readonly get: ReturnOptions<Columns<S>> & { readonly id: string };
}

type Columns<S extends AnyShape> = readonly ColumnsOf<S>[];
