import type { TypeWith } from "../schema/traits.js";
import type { Sort } from "../types.js";
import type { ColumnAt, LinkPath, OwnPath, UnknownColumn } from "./path.js";
import type { IsLoose, Scope, ScopeOf } from "./scope.js";
import type { AnyShape } from "./shape.js";
import type { InheritedName, IsAny, KeyedObject, Several } from "./values.js";

/** The type where a column cannot be sorted by (S-2); the checker's message then names it. */
export interface NotSortable<Path> {
  readonly "not sortable": Path;
}

/**
 * A sort declared apart from its call (S-1 … S-5): one object, or an array of objects and bare
 * names. Paths follow at most `Links` links.
 */
export type SortOf<S extends AnyShape, Links extends 1 | 2 | 3 = 1> = CheckedSort<
  S,
  LinkPath<S, Links>,
  LinkPath<S, Links>
>;

/** A sort in a call, which was found to have those keys and those bare names. */
export type CheckedSort<S extends AnyShape, Keys extends PropertyKey, Names extends string> =
  IsLoose<ScopeOf<S>> extends true
    ? Sort
    : SortKeys<ScopeOf<S>, Keys> | Several<SortKey<ScopeOf<S>, Keys, Names>>;

type SortKey<S extends Scope, Keys extends PropertyKey, Names extends string> =
  | SortKeys<S, Keys>
  | SortableOwn<S>
  | (IsAny<Names> extends true ? string : CheckName<S, Names>);

type SortKeys<S extends Scope, Keys extends PropertyKey> = KeyedObject & {
  readonly [P in SortableOwn<S>]?: "asc" | "desc" | undefined;
} & { readonly "*"?: "random" | undefined } & {
  readonly [P in Keys & string]?: P extends SortableOwn<S> | "*" | InheritedName
    ? unknown
    : IsAny<Keys> extends true
      ? unknown
      : CheckKey<S, P>;
};

type SortableOwn<S extends Scope> =
  OwnPath<S> extends infer P
    ? P extends string
      ? CheckName<S, P> extends P
        ? P
        : never
      : never
    : never;

type SortableType = TypeWith<{ sortable: true }> | "unknown";

type CheckKey<S extends Scope, P> =
  CheckName<S, P> extends P ? "asc" | "desc" | undefined : CheckName<S, P>;

type CheckName<S extends Scope, Path> = Path extends string
  ? [ColumnAt<S, Path>] extends [never]
    ? UnknownColumn<Path>
    : ColumnAt<S, Path> extends { readonly column: { readonly type: SortableType } }
      ? Path
      : NotSortable<Path>
  : never;
