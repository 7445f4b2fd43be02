import type { TypeWith } from "../schema/traits.js";
import type { Sort } from "../types.js";
import type { Invalid } from "./mistake.js";
import type { ColumnAt, LinkPath, OwnPath, PathsAfter, UnknownColumn } from "./path.js";
import type { IsUntyped, ScopeOf, TypeScope } from "./scope.js";
import type { AnyShape } from "./shape.js";
import type { InheritedName, IsAny, KeyedObject, Several } from "./values.js";

/**
 * A sort declared apart from its call (S-1 … S-5): an object, or an array of objects and names.
 * Paths follow at most `Links` links.
 */
export type SortOf<S extends AnyShape, Links extends 1 | 2 | 3 = 1> =
  IsUntyped<ScopeOf<S>> extends true
    ? Sort
    : SortApart<
        SortKeys<ScopeOf<S>, Sortable<ScopeOf<S>, LinkPath<S, Links>>>,
        Sortable<ScopeOf<S>, OwnPath<ScopeOf<S>> | LinkPath<S, Links>>
      >;

type SortApart<Keyed, Names> = Keyed | Several<Keyed | Names>;

/**
 * A sort in a call. Arrays are in the type only if one was given: `Element` is inferred then or, from an
 * empty array, its methods as `Keys`. See {@link OneOrManyBy}.
 */
export type CheckedSort<
  S extends AnyShape,
  Keys extends PropertyKey,
  Names extends string,
  Element,
> =
  IsUntyped<ScopeOf<S>> extends true
    ? Sort
    : IsAny<Element> extends true
      ? Sort
      : [Element, "reduceRight" & Keys] extends [never, never]
        ? NoInfer<SortKeys<ScopeOf<S>, Keys>>
        : HasOnlyWrongNames<ScopeOf<S>, Keys, Names> extends true
          ? Several<CheckName<ScopeOf<S>, NoInfer<Names>>>
          :
              | SortKeys<ScopeOf<S>, Keys>
              | Several<
                  CheckName<ScopeOf<S>, Names> | SortKeys<ScopeOf<S>, Keys> | NoValue<Element>
                >;

/** Infers a type and accepts nothing. */
type NoValue<T> = T extends never ? T : never;

/** Whether a sort has no objects, which the compiler's message about a name would then show. */
type HasOnlyWrongNames<S extends TypeScope, Keys, Names extends string> = [
  Exclude<Keys, keyof string>,
] extends [never]
  ? [Names] extends [CheckName<S, Names>]
    ? false
    : true
  : false;

type SortKeys<S extends TypeScope, Keys extends PropertyKey> = KeyedObject & {
  readonly [P in SortableOwn<S>]?: "asc" | "desc" | undefined;
} & { readonly "*"?: "random" | undefined } & {
  readonly [P in Keys & string]?: P extends SortableOwn<S> | "*" | InheritedName
    ? unknown
    : CheckKey<S, P>;
} & { readonly [P in OfferedKey<S, Keys>]?: "asc" | "desc" | undefined };

type OfferedKey<S extends TypeScope, Keys> = Keys extends `${string}.${string}`
  ? [ColumnAt<S, Keys>] extends [never]
    ? Sortable<S, PathsAfter<S, Keys>>
    : never
  : never;

type SortableOwn<S extends TypeScope> = Sortable<S, OwnPath<S>>;

type Sortable<S extends TypeScope, Path> = Path extends string
  ? ColumnAt<S, Path> extends SortableColumn
    ? Path
    : never
  : never;

type SortableColumn = {
  readonly column: { readonly type: TypeWith<{ sortable: true }> | "unknown" };
};

type CheckKey<S extends TypeScope, P> = [ColumnAt<S, P>] extends [never]
  ? UnknownColumn<S, P>
  : ColumnAt<S, P> extends SortableColumn
    ? "asc" | "desc" | undefined
    : NotSortable<P, ColumnAt<S, P>>;

type CheckName<S extends TypeScope, Path> = Path extends string
  ? [ColumnAt<S, Path>] extends [never]
    ? Sortable<S, PathsAfter<S, Path>> | UnknownColumn<S, Path>
    : ColumnAt<S, Path> extends SortableColumn
      ? Path
      : NotSortable<Path, ColumnAt<S, Path>>
  : never;

type NotSortable<Path, Column> = Column extends {
  readonly column: { readonly type: infer Type extends string };
}
  ? Invalid<`${Path & string} has type ${Type}, which cannot be sorted by`>
  : never;
