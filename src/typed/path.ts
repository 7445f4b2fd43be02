import type { ComparedMembers, FileColumn, FileMembers, FileType } from "./file.js";
import type { Invalid, Nearest } from "./mistake.js";
import type { ColumnIn, Enter, FirstName, IsLoose, NameIn, Scope, ScopeOf } from "./scope.js";
import type { AnyShape } from "./shape.js";

/** The type where a path leads to no column (P-9). Conditional, so that no alias hides the sentence. */
export type UnknownColumn<S extends Scope, Path> = Path extends string
  ? string extends Path
    ? never
    : Invalid<UnknownSentence<Path, NearestPath<S, Path>>>
  : never;

type UnknownSentence<Path extends string, Near extends string> = [Near] extends [never]
  ? `there is no column ${Path}`
  : `there is no column ${Path}; did you mean ${Near}?`;

/** The path that was most likely meant, where one letter of one name is wrong. */
type NearestPath<
  S extends Scope,
  Path extends string,
  Prefix extends string = "",
> = Path extends `${infer Head}.${infer Rest}`
  ? [Enter<S, ColumnIn<S, Head>>] extends [never]
    ? `${Prefix}${Nearest<FirstName<S>, Head>}.${Rest}`
    : NearestPath<Enter<S, ColumnIn<S, Head>>, Rest, `${Prefix}${Head}.`>
  : `${Prefix}${Nearest<FirstName<S>, Path>}`;

/**
 * The paths that an editor offers for one that is half written: the columns behind its last dot. They
 * are computed for paths that lead nowhere alone, so that they cost a finished program little.
 */
export type PathsAfter<S extends Scope, Path> =
  ScopeAfter<S, Path> extends { scope: infer Last extends Scope; prefix: infer At extends string }
    ? IsLoose<Last> extends true
      ? never
      : WrittenOut<OwnPath<Last, At>>
    : never;

/** The same of a selection: with all of objects and files, and the columns behind one more link. */
export type SelectionsAfter<S extends Scope, Path> =
  ScopeAfter<S, Path> extends { scope: infer Last extends Scope; prefix: infer At extends string }
    ? IsLoose<Last> extends true
      ? never
      : WrittenOut<"*" | OwnPath<Last, At> | StarPath<Last, At> | PathBehind<Last, At, 1>>
    : never;

/** The same names, which messages then show in place of the alias they came from. */
type WrittenOut<Names extends string> = [Names] extends [never]
  ? never
  : { [N in Names]: N }[Names];

/** Where the last name of a path is looked up; where its first name is not known, never. */
type ScopeAfter<
  S extends Scope,
  Path,
  Prefix extends string = "",
> = Path extends `${infer Head}.${infer Rest}`
  ? [ColumnIn<S, Head>] extends [never]
    ? never
    : [Enter<S, ColumnIn<S, Head>>] extends [never]
      ? { scope: S; prefix: Prefix }
      : ScopeAfter<Enter<S, ColumnIn<S, Head>>, Rest, `${Prefix}${Head}.`>
  : { scope: S; prefix: Prefix };

/** A column and the scope it is in. */
export interface FoundColumn<S extends Scope, D> {
  readonly scope: S;
  readonly column: D;
}

/** A path into a `json` value (F-17). */
interface JsonPathColumn {
  readonly type: "json path";
}

/** A column reached through a link whose target the schema does not know. */
interface UncheckedColumn {
  readonly type: "unknown";
}

/**
 * What a column path leads to, through objects and links and into `json` (N-4, F-17): a
 * {@link FoundColumn}, never where there is no such column. It looks up the path that is given, so that
 * neither cycles of links nor the number of possible paths cost anything.
 */
export type ColumnAt<S extends Scope, Path> = Path extends `${infer Column}->${string}`
  ? JsonPathAt<ColumnAt<S, Column>>
  : IsLoose<S> extends true
    ? FoundColumn<S, UncheckedColumn>
    : Path extends `${infer Head}.${infer Rest}`
      ? [Enter<S, ColumnIn<S, Head>>] extends [never]
        ? MemberAt<S, FileColumn<ColumnIn<S, Head>, Rest>>
        : ColumnAt<Enter<S, ColumnIn<S, Head>>, Rest>
      : [ColumnIn<S, Path>] extends [never]
        ? never
        : FoundColumn<S, ColumnIn<S, Path>>;

type MemberAt<S extends Scope, D> = [D] extends [never] ? never : FoundColumn<S, D>;

type JsonPathAt<P> =
  P extends FoundColumn<infer S, { readonly type: "json" | "unknown" }>
    ? FoundColumn<S, JsonPathColumn>
    : never;

/**
 * The paths of a scope that follow no link, objects' sub-columns among them, and what of a file
 * can be compared: few, so that they are written out, which is what an editor offers. `Prefix`
 * ends with a dot, or is empty.
 */
export type OwnPath<S extends Scope, Prefix extends string = ""> =
  | `${Prefix}${FirstName<S>}`
  | {
      [N in FirstName<S>]: ColumnIn<S, N> extends infer D
        ? D extends { readonly type: "object" }
          ? IsLoose<Enter<S, D>> extends true
            ? `${Prefix}${N}.${string}`
            : OwnPath<Enter<S, D>, `${Prefix}${N}.`>
          : D extends { readonly type: "file" }
            ? `${Prefix}${N}.${keyof ComparedMembers}`
            : never
        : never;
    }[FirstName<S>];

/** The paths into the object columns of those names. */
export type ObjectPath<S extends Scope, Names extends string, Prefix extends string = ""> = {
  [N in Names]: ColumnIn<S, N> extends infer D extends { readonly type: "object" }
    ? IsLoose<Enter<S, D>> extends true
      ? `${Prefix}${N}.${string}`
      :
          | `${Prefix}${N}.${NameIn<Enter<S, D>>}`
          | ObjectPath<Enter<S, D>, NameIn<Enter<S, D>>, `${Prefix}${N}.`>
    : never;
}[Names];

/**
 * The objects of a scope with all their sub-columns, such as `address.*` (P-4); its files with all
 * their members, and those one by one (H-2).
 */
export type StarPath<S extends Scope, Prefix extends string = ""> = {
  [N in FirstName<S>]: ColumnIn<S, N> extends infer D extends { readonly type: "object" | FileType }
    ?
        | `${Prefix}${N}.*`
        | (D extends { readonly type: "object" }
            ? IsLoose<Enter<S, D>> extends true
              ? never
              : StarPath<Enter<S, D>, `${Prefix}${N}.`>
            : `${Prefix}${N}.${keyof FileMembers}`)
    : never;
}[FirstName<S>];

/** How paths through a link begin: any text follows, which {@link ColumnAt} has to check. */
export type LinkPattern<S extends Scope, Prefix extends string = ""> = {
  [N in NameIn<S>]: ColumnIn<S, N> extends infer D
    ? D extends { readonly type: "link" }
      ? `${Prefix}${N}.${string}`
      : D extends { readonly type: "object" }
        ? IsLoose<Enter<S, D>> extends true
          ? never
          : LinkPattern<Enter<S, D>, `${Prefix}${N}.`>
        : never
    : never;
}[NameIn<S>];

/**
 * The dotted paths through links, at most so many, written out. Only a filter, sort or selection
 * that is declared apart from its call needs them; their number grows fast with the links.
 */
export type LinkPath<S extends AnyShape, Links extends 1 | 2 | 3 = 1> =
  IsLoose<ScopeOf<S>> extends true ? string : PathBehind<ScopeOf<S>, "", Links>;

/** Paths through the links of a scope. */
type PathBehind<S extends Scope, Prefix extends string, Links extends number> = {
  [N in NameIn<S>]: ColumnIn<S, N> extends infer D
    ? D extends { readonly type: "link" }
      ? BehindLink<Enter<S, D>, `${Prefix}${N}.`, Links>
      : D extends { readonly type: "object" }
        ? IsLoose<Enter<S, D>> extends true
          ? never
          : PathBehind<Enter<S, D>, `${Prefix}${N}.`, Links>
        : never
    : never;
}[NameIn<S>];

type BehindLink<S extends Scope, Prefix extends string, Links extends number> =
  IsLoose<S> extends true
    ? `${Prefix}${string}`
    :
        | OwnPath<S, Prefix>
        | (Links extends 2 | 3 ? PathBehind<S, Prefix, Links extends 3 ? 2 : 1> : never);
