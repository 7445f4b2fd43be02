import type { Json } from "../types.js";
import type { ColumnAt, FoundColumn, ObjectPath, UnknownColumn } from "./path.js";
import type {
  ColumnIn,
  Enter,
  IsUntyped,
  MetadataName,
  NameIn,
  ScopeOf,
  TypeScope,
} from "./scope.js";
import type { AnyShape, ProfileShape } from "./shape.js";
import type { Flatten, InheritedName, InputOf, IsOptional, KeyedObject } from "./values.js";

/** Input of an untyped table: any object, also one typed by an interface. */
export type AnyInput = { readonly [column: string]: unknown } | KeyedObject;

/**
 * A record to insert. Sub-columns are nested or dotted, a link is an id or an object with one
 * (T-9), a datetime is text or a `Date`. Metadata is ignored.
 */
export type InsertOf<S extends AnyShape> =
  IsUntyped<ScopeOf<S>> extends true ? AnyInput : InsertIn<S, ScopeOf<S>>;

/**
 * Changes to a record: null clears a column, missing ones are unchanged, numbers accept operations
 * (R-7, X-2).
 */
export type UpdateOf<S extends AnyShape> =
  IsUntyped<ScopeOf<S>> extends true ? AnyInput : UpdateIn<S, ScopeOf<S>>;

/** Rejects inferred keys of a record that are not columns; see {@link UnknownColumn}. */
export type GivenRecord<S extends AnyShape, Keys extends PropertyKey> =
  IsUntyped<ScopeOf<S>> extends true ? unknown : GivenIn<S, ScopeOf<S>, Keys>;

type GivenIn<S extends AnyShape, Own extends TypeScope, Keys extends PropertyKey> = {
  readonly [K in Keys & string]?: K extends WrittenKey<S, Own> ? unknown : UnknownColumn<Own, K>;
};

type WrittenKey<S extends AnyShape, Own extends TypeScope> =
  | S["profile"]["idColumn"]
  | MetadataName<S["profile"]>
  | NameIn<Own>
  | ObjectPath<Own, NameIn<Own>>
  | InheritedName;

/** An operation on the number that a column holds; null stays null. */
export type NumberChange =
  | { readonly $increment: number }
  | { readonly $decrement: number }
  | { readonly $multiply: number }
  | { readonly $divide: number };

type InsertIn<S extends AnyShape, Own extends TypeScope> = Flatten<
  Ignored<S["profile"]> &
    Inputs<Own, Exclude<NameIn<Own>, DemandingObject<Own>>> & {
      readonly [P in ObjectPath<Own, NameIn<Own>>]?: InputAt<ColumnAt<Own, P>> | undefined;
    }
> &
  Demands<Own>;

type UpdateIn<S extends AnyShape, Own extends TypeScope> = Flatten<
  Ignored<S["profile"]> &
    Changes<Own> & {
      readonly [P in ObjectPath<Own, NameIn<Own>>]?: ChangeAt<ColumnAt<Own, P>> | undefined;
    }
>;

type Ignored<P extends ProfileShape> = { readonly [K in P["idColumn"]]?: string | undefined } & {
  readonly [M in MetadataName<P>]?: unknown;
};

type Inputs<S extends TypeScope, Names extends string = NameIn<S>> = {
  readonly [N in Names as IsRequired<S, ColumnIn<S, N>> extends true ? N : never]: Input<
    S,
    ColumnIn<S, N>
  >;
} & {
  readonly [N in Names as IsRequired<S, ColumnIn<S, N>> extends true ? never : N]?:
    | Input<S, ColumnIn<S, N>>
    | undefined;
};

/** Conditional, not a union: errors would show the name of a union's alias instead of its members. */
type Input<S extends TypeScope, D> = D extends { readonly type: infer Type }
  ? NullFor<S, D> | (Type extends "object" ? ObjectInput<Enter<S, D>> : InputOf<Type, S["profile"]>)
  : never;

type InputAt<P> = P extends FoundColumn<infer S, infer D> ? Input<S, D> : never;

type ObjectInput<S extends TypeScope> =
  IsUntyped<S> extends true ? { readonly [column: string]: unknown } : Flatten<Inputs<S>>;

type Changes<S extends TypeScope> = {
  readonly [N in NameIn<S>]?: Change<S, ColumnIn<S, N>> | undefined;
};

type Change<S extends TypeScope, D> = D extends { readonly type: infer Type }
  ?
      | NullFor<S, D>
      | (Type extends "object"
          ? ObjectChange<Enter<S, D>>
          : InputOf<Type, S["profile"]> | (Type extends "int" | "float" ? NumberChange : never))
  : never;

type ChangeAt<P> = P extends FoundColumn<infer S, infer D> ? Change<S, D> : never;

type ObjectChange<S extends TypeScope> =
  IsUntyped<S> extends true ? { readonly [column: string]: unknown } : Changes<S>;

type IsRequired<S extends TypeScope, D> = D extends { readonly defaultValue: Json }
  ? false
  : D extends { readonly notNull: true }
    ? true
    : D extends { readonly type: "object" }
      ? HasRequired<Enter<S, D>>
      : false;

type HasRequired<S extends TypeScope> =
  IsUntyped<S> extends true ? false : IsOptional<Inputs<S>> extends true ? false : true;

type NullFor<S extends TypeScope, D> = D extends { readonly notNull: true }
  ? never
  : D extends { readonly type: "object" }
    ? NullForAll<Enter<S, D>>
    : null;

type NullForAll<S extends TypeScope> =
  IsUntyped<S> extends true
    ? null
    : {
          [N in NameIn<S>]: [NullFor<S, ColumnIn<S, N>>] extends [never] ? N : never;
        }[NameIn<S>] extends never
      ? null
      : never;

type DemandingObject<S extends TypeScope> = {
  [N in NameIn<S>]: ColumnIn<S, N> extends infer D extends { readonly type: "object" }
    ? IsRequired<S, D> extends true
      ? N
      : never
    : never;
}[NameIn<S>];

/** The required objects, each nested or dotted: an intersection of unions. */
type Demands<S extends TypeScope> = [DemandingObject<S>] extends [never]
  ? unknown
  : {
        [N in DemandingObject<S>]: (choice: NestedOrDotted<S, N>) => void;
      }[DemandingObject<S>] extends (choice: infer Choices) => void
    ? Choices
    : never;

type NestedOrDotted<S extends TypeScope, N extends NameIn<S>> =
  | { readonly [K in N]: Input<S, ColumnIn<S, K>> }
  | Dotted<S, ObjectPath<S, N>>;

/** The required sub-columns by path. */
type Dotted<S extends TypeScope, Paths extends string> = {
  readonly [P in Paths as IsRequiredLeaf<ColumnAt<S, P>> extends true ? P : never]: InputAt<
    ColumnAt<S, P>
  >;
};

type IsRequiredLeaf<P> =
  P extends FoundColumn<infer S, infer D>
    ? D extends { readonly type: "object" }
      ? false
      : IsRequired<S, D>
    : false;
