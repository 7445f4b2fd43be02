import type { ComparedMembers, FileColumn, FileMembers, FileType } from "./file.js";
import type { Invalid, Nearest } from "./mistake.js";
import type { ColumnIn, Enter, FirstName, IsUntyped, NameIn, ScopeOf, TypeScope } from "./scope.js";
import type { AnyShape } from "./shape.js";

/** The error type for an unknown column (P-9). Conditional, so messages show no alias. */
export type UnknownColumn<S extends TypeScope, Path> = Path extends string
  ? string extends Path
    ? never
    : Invalid<UnknownSentence<Path, NearestPath<S, Path>>>
  : never;

type UnknownSentence<Path extends string, Near extends string> = [Near] extends [never]
  ? `there is no column ${Path}`
  : `there is no column ${Path}; did you mean ${Near}?`;

type NearestPath<
  S extends TypeScope,
  Path extends string,
  Prefix extends string = "",
> = Path extends `${infer Head}.${infer Rest}`
  ? [Enter<S, ColumnIn<S, Head>>] extends [never]
    ? `${Prefix}${Nearest<FirstName<S>, Head>}.${Rest}`
    : NearestPath<Enter<S, ColumnIn<S, Head>>, Rest, `${Prefix}${Head}.`>
  : `${Prefix}${Nearest<FirstName<S>, Path>}`;

/** Completions for a path. Computed only for invalid paths, so finished programs compile fast. */
export type PathsAfter<S extends TypeScope, Path> =
  ScopeAfter<S, Path> extends {
    scope: infer Last extends TypeScope;
    prefix: infer At extends string;
  }
    ? IsUntyped<Last> extends true
      ? never
      : WrittenOut<OwnPath<Last, At>>
    : never;

/** Completions for a path in a selection, with `.*` and the columns behind one more link. */
export type SelectionsAfter<S extends TypeScope, Path> =
  ScopeAfter<S, Path> extends {
    scope: infer Last extends TypeScope;
    prefix: infer At extends string;
  }
    ? IsUntyped<Last> extends true
      ? never
      : WrittenOut<"*" | OwnPath<Last, At> | StarPath<Last, At> | PathBehind<Last, At, 1>>
    : never;

/** Expands an alias so that compiler messages show the names. */
type WrittenOut<Names extends string> = [Names] extends [never]
  ? never
  : { [N in Names]: N }[Names];

type ScopeAfter<
  S extends TypeScope,
  Path,
  Prefix extends string = "",
> = Path extends `${infer Head}.${infer Rest}`
  ? [ColumnIn<S, Head>] extends [never]
    ? never
    : [Enter<S, ColumnIn<S, Head>>] extends [never]
      ? { scope: S; prefix: Prefix }
      : ScopeAfter<Enter<S, ColumnIn<S, Head>>, Rest, `${Prefix}${Head}.`>
  : { scope: S; prefix: Prefix };

export interface FoundColumn<S extends TypeScope, D> {
  readonly scope: S;
  readonly column: D;
}

interface JsonPathColumn {
  readonly type: "json path";
}

/** A column behind a link whose target table is unknown. */
interface UncheckedColumn {
  readonly type: "unknown";
}

/**
 * Resolves one path (N-4, F-17) to a {@link FoundColumn}; enumerating all would not terminate for
 * cyclic links.
 */
export type ColumnAt<S extends TypeScope, Path> = Path extends `${infer Column}->${string}`
  ? JsonPathAt<ColumnAt<S, Column>>
  : IsUntyped<S> extends true
    ? FoundColumn<S, UncheckedColumn>
    : Path extends `${infer Head}.${infer Rest}`
      ? [Enter<S, ColumnIn<S, Head>>] extends [never]
        ? MemberAt<S, FileColumn<ColumnIn<S, Head>, Rest>>
        : ColumnAt<Enter<S, ColumnIn<S, Head>>, Rest>
      : [ColumnIn<S, Path>] extends [never]
        ? never
        : FoundColumn<S, ColumnIn<S, Path>>;

type MemberAt<S extends TypeScope, D> = [D] extends [never] ? never : FoundColumn<S, D>;

type JsonPathAt<P> =
  P extends FoundColumn<infer S, { readonly type: "json" | "unknown" }>
    ? FoundColumn<S, JsonPathColumn>
    : never;

/** The paths of a scope that follow no link, enumerated as an editor's completions. */
export type OwnPath<S extends TypeScope, Prefix extends string = ""> =
  | `${Prefix}${FirstName<S>}`
  | {
      [N in FirstName<S>]: ColumnIn<S, N> extends infer D
        ? D extends { readonly type: "object" }
          ? IsUntyped<Enter<S, D>> extends true
            ? `${Prefix}${N}.${string}`
            : OwnPath<Enter<S, D>, `${Prefix}${N}.`>
          : D extends { readonly type: "file" }
            ? `${Prefix}${N}.${keyof ComparedMembers}`
            : never
        : never;
    }[FirstName<S>];

export type ObjectPath<S extends TypeScope, Names extends string, Prefix extends string = ""> = {
  [N in Names]: ColumnIn<S, N> extends infer D extends { readonly type: "object" }
    ? IsUntyped<Enter<S, D>> extends true
      ? `${Prefix}${N}.${string}`
      :
          | `${Prefix}${N}.${NameIn<Enter<S, D>>}`
          | ObjectPath<Enter<S, D>, NameIn<Enter<S, D>>, `${Prefix}${N}.`>
    : never;
}[Names];

/** `*` paths of objects, such as `address.*` (P-4), and of files, with their members (H-2). */
export type StarPath<S extends TypeScope, Prefix extends string = ""> = {
  [N in FirstName<S>]: ColumnIn<S, N> extends infer D extends { readonly type: "object" | FileType }
    ?
        | `${Prefix}${N}.*`
        | (D extends { readonly type: "object" }
            ? IsUntyped<Enter<S, D>> extends true
              ? never
              : StarPath<Enter<S, D>, `${Prefix}${N}.`>
            : `${Prefix}${N}.${keyof FileMembers}`)
    : never;
}[FirstName<S>];

/** Patterns of paths through a link; {@link ColumnAt} checks the rest of the path. */
export type LinkPattern<S extends TypeScope, Prefix extends string = ""> = {
  [N in NameIn<S>]: ColumnIn<S, N> extends infer D
    ? D extends { readonly type: "link" }
      ? `${Prefix}${N}.${string}`
      : D extends { readonly type: "object" }
        ? IsUntyped<Enter<S, D>> extends true
          ? never
          : LinkPattern<Enter<S, D>, `${Prefix}${N}.`>
        : never
    : never;
}[NameIn<S>];

/** Dotted paths through at most `Links` links; their number grows exponentially. */
export type LinkPath<S extends AnyShape, Links extends 1 | 2 | 3 = 1> =
  IsUntyped<ScopeOf<S>> extends true ? string : PathBehind<ScopeOf<S>, "", Links>;

type PathBehind<S extends TypeScope, Prefix extends string, Links extends number> = {
  [N in NameIn<S>]: ColumnIn<S, N> extends infer D
    ? D extends { readonly type: "link" }
      ? BehindLink<Enter<S, D>, `${Prefix}${N}.`, Links>
      : D extends { readonly type: "object" }
        ? IsUntyped<Enter<S, D>> extends true
          ? never
          : PathBehind<Enter<S, D>, `${Prefix}${N}.`, Links>
        : never
    : never;
}[NameIn<S>];

type BehindLink<S extends TypeScope, Prefix extends string, Links extends number> =
  IsUntyped<S> extends true
    ? `${Prefix}${string}`
    :
        | OwnPath<S, Prefix>
        | (Links extends 2 | 3 ? PathBehind<S, Prefix, Links extends 3 ? 2 : 1> : never);
