import type { TypeWith } from "../schema/traits.js";
import type { Filter } from "../types.js";
import type {
  ColumnAt,
  FoundColumn,
  LinkPath,
  OwnPath,
  PathsAfter,
  UnknownColumn,
} from "./path.js";
import type { ConditionOn, PredicateOf } from "./predicate.js";
import type { ColumnIn, Enter, FirstName, IsUntyped, NameIn, ScopeOf, TypeScope } from "./scope.js";
import type { AnyShape } from "./shape.js";
import type {
  IdOf,
  InheritedName,
  InputOf,
  KeyedObject,
  OneOrMany,
  OneOrManyBy,
} from "./values.js";

/**
 * A filter declared apart from its call (F-1 … F-30). Columns, sub-columns and nested links are
 * checked to any depth; dotted paths follow at most `Links` links.
 */
export type FilterOf<S extends AnyShape, Links extends 1 | 2 | 3 = 1> = CheckedFilter<
  S,
  LinkPath<S, Links>,
  OwnPath<ScopeOf<S>> | LinkPath<S, Links>,
  unknown
>;

/** A filter in a call. Only its inferred keys and `$exists` paths are checked, to any depth. */
export type CheckedFilter<
  S extends AnyShape,
  Keys extends PropertyKey,
  Exists extends string,
  Method,
> = IsUntyped<ScopeOf<S>> extends true ? Filter : FilterIn<ScopeOf<S>, Keys, Exists, Method>;

type FilterIn<
  S extends TypeScope,
  Keys extends PropertyKey,
  Exists extends string,
  Method,
> = Combinators<FilterIn<S, Keys, Exists, Method>, S, Exists, Method> &
  OfProfile<S, Exists> &
  KeyedObject &
  OwnKeys<S, Keys, Exists, Method> &
  GivenKeys<
    S,
    Keys,
    Exists,
    OwnPath<S> | keyof Combinators<never, S, never, never> | keyof OfProfile<S, never>
  >;

/** Operators of one profile only (F-1). */
type OfProfile<S extends TypeScope, Exists extends string> = S["profile"]["base"] extends "xata"
  ? PredicateOf<{ readonly isHosted: true }, Pick<CombinatorOperands<never, S, Exists>, "paths">>
  : unknown;

interface Combinators<Part, S extends TypeScope, Exists extends string, Method>
  extends PredicateOf<Combinator, CombinatorOperands<Part, S, Exists>> {
  // Most often one filter: the compiler reports errors in it where they are.
  readonly $not?: OneOrManyBy<Part, Method> | undefined;
}

/** Operators except `$not`. */
type Combinator =
  | { readonly operand: "conditions"; readonly negated?: never }
  | { readonly operand: "conditions"; readonly combine: "any" }
  | { readonly operand: "paths"; readonly isHosted?: never };

interface CombinatorOperands<Part, S extends TypeScope, Exists extends string> {
  readonly any: OneOrMany<Part>;
  readonly all: OneOrMany<Part>;
  readonly paths: OneOrMany<ExistsPath<S, Exists>>;
}

/** Checks a path of `$exists`; an invalid one becomes the editor's completions. */
type ExistsPath<S extends TypeScope, Path> = Path extends string
  ? [ColumnAt<S, Path>] extends [never]
    ? PathsAfter<S, Path>
    : Path
  : never;

type OwnKeys<S extends TypeScope, Keys extends PropertyKey, Exists extends string, Method> = {
  readonly [P in OwnPath<S>]?: ConditionAt<ColumnAt<S, P>, Keys, Exists, Method> | undefined;
};

/** Excludes arrays, which would be inferred here; they are accepted elsewhere. */
type GivenKeys<S extends TypeScope, Keys extends PropertyKey, Exists extends string, Known> = {
  readonly [P in Keys & string]?: P extends Known | InheritedName
    ? unknown
    : [ColumnAt<S, P>] extends [never]
      ? UnknownColumn<S, P>
      : ConditionAt<ColumnAt<S, P>, Keys, Exists, unknown> | undefined;
} & {
  readonly [P in Offered<S, Keys>]?: ConditionAt<ColumnAt<S, P>, Keys, Exists, unknown> | undefined;
};

type Offered<S extends TypeScope, Keys> = Keys extends `${string}.${string}`
  ? [ColumnAt<S, Keys>] extends [never]
    ? PathsAfter<S, Keys>
    : never
  : never;

type ConditionAt<P, Keys extends PropertyKey, Exists extends string, Method> =
  P extends FoundColumn<infer S, infer D>
    ? D extends { readonly type: infer Type }
      ? Type extends "object" | "link"
        ? InnerCondition<Enter<S, D>, Keys, Exists, Method>
        : ConditionOn<Type, S["profile"]["base"], Method>
      : never
    : never;

/** Conditions under an object or a link: an id, null, relative filters, predicates (F-7). */
type InnerCondition<
  S extends TypeScope,
  Keys extends PropertyKey,
  Exists extends string,
  Method,
> = OneOrManyBy<InnerMember<S, Keys, Exists, Method> | null, Method>;

type InnerMember<S extends TypeScope, Keys extends PropertyKey, Exists extends string, Method> =
  | (S["reach"] extends "link" ? string : never)
  | NestedFilter<S, Keys, Exists, Method>
  | (InnerPredicate<S, Keys, Exists, Method> & OfProfile<S, Exists> & NoNames<S>);

type NestedFilter<S extends TypeScope, Keys extends PropertyKey, Exists extends string, Method> =
  IsUntyped<S> extends true
    ? Filter
    : KeyedObject & OwnKeys<S, Keys, Exists, Method> & GivenKeys<S, Keys, Exists, OwnPath<S>>;

interface InnerPredicate<
  S extends TypeScope,
  Keys extends PropertyKey,
  Exists extends string,
  Method,
> extends PredicateOf<
    { readonly columns: "comparable" | "all"; readonly isHosted?: never },
    InnerOperands<S, Keys, Exists, Method>
  > {}

interface InnerOperands<
  S extends TypeScope,
  Keys extends PropertyKey,
  Exists extends string,
  Method,
> {
  readonly literal: OneOrMany<InnerLiteral<S> | null>;
  readonly any: OneOrMany<InnerMember<S, Keys, Exists, Method> | null>;
  readonly all: OneOrMany<InnerMember<S, Keys, Exists, Method>>;
  readonly paths: OneOrMany<ExistsPath<S, Exists>>;
}

type NoNames<S extends TypeScope> = { readonly [N in FirstName<S>]?: never };

type InnerLiteral<S extends TypeScope> = S["reach"] extends "link"
  ? string | Readonly<IdOf<S["profile"]>>
  : IsUntyped<S> extends true
    ? { readonly [column: string]: unknown }
    : { readonly [N in NameIn<S>]?: LiteralOf<S, ColumnIn<S, N>> | null | undefined };

type LiteralOf<S extends TypeScope, D> = D extends { readonly type: infer Type }
  ? Type extends "object"
    ? InnerLiteral<Enter<S, D>>
    : Type extends TypeWith<{ operators: "none" }>
      ? never
      : InputOf<Type, S["profile"]>
  : never;
