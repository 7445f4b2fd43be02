import type { Json } from "../types.js";
import type { OneOrMany } from "./values.js";

/** Equality and the combinators, which every comparable type has (F-8, F-9, F-18). */
interface Equality<Value, Self> {
  /** An array means any of its members (F-8); null is absence (F-15). */
  readonly $is?: OneOrMany<Value | null> | undefined;
  /** An array means none of its members. */
  readonly $isNot?: OneOrMany<Value | null> | undefined;
  readonly $any?: OneOrMany<Value | null | Self> | undefined;
  readonly $none?: OneOrMany<Value | null | Self> | undefined;
  readonly $all?: OneOrMany<Value | Self> | undefined;
  readonly $not?: OneOrMany<Value | Self> | undefined;
}

/** Ranges (F-12). */
interface Ranges<Value> {
  readonly $gt?: Value | undefined;
  readonly $ge?: Value | undefined;
  readonly $lt?: Value | undefined;
  readonly $le?: Value | undefined;
}

/** Operators on text (F-10, F-11). */
interface TextOperators {
  readonly $contains?: string | undefined;
  readonly $startsWith?: string | undefined;
  readonly $endsWith?: string | undefined;
  /** Ignores case. */
  readonly $iContains?: string | undefined;
  /** `*` any characters, `?` one, `\` makes the next plain; matches the whole text. */
  readonly $pattern?: string | undefined;
  /** As `$pattern`, ignoring case. */
  readonly $iPattern?: string | undefined;
}

/** A predicate on a `bool` column. */
export interface BoolPredicate extends Equality<boolean, BoolPredicate> {}

/** A predicate on an `int` or `float` column, or on `service.version`. */
export interface NumberPredicate extends Equality<number, NumberPredicate>, Ranges<number> {}

/** A predicate on a `datetime` column; text is RFC 3339 (T-7). */
export interface DatetimePredicate
  extends Equality<string | Date, DatetimePredicate>,
    Ranges<string | Date> {}

/** A predicate on `id` or on a `string`, `text` or `email` column. */
export interface TextPredicate extends Equality<string, TextPredicate>, TextOperators {}

/** As {@link TextPredicate}, with the ranges that the `xata` profile allows on text (F-12). */
export interface OrderedTextPredicate
  extends Equality<string, OrderedTextPredicate>,
    TextOperators,
    Ranges<string> {}

/** A predicate on a `multiple` column: a string is an item, an array the whole list (F-8). */
export interface ListPredicate {
  readonly $is?: string | readonly string[] | null | undefined;
  readonly $isNot?: string | readonly string[] | null | undefined;
  readonly $any?: ListMembers<null> | undefined;
  readonly $none?: ListMembers<null> | undefined;
  readonly $all?: ListMembers<never> | undefined;
  readonly $not?: ListMembers<never> | undefined;
  readonly $includes?: OneOrMany<string | ItemPredicate> | undefined;
  readonly $includesAny?: OneOrMany<string | ItemPredicate> | undefined;
  readonly $includesAll?: OneOrMany<string | ItemPredicate> | undefined;
  readonly $includesNone?: OneOrMany<string | ItemPredicate> | undefined;
}

type ListMembers<Null> =
  | string
  | ListPredicate
  | Null
  | readonly (string | readonly string[] | ListPredicate | Null)[];

/** A predicate on one item of a list, without a column (F-13). */
export interface ItemPredicate extends TextOperators {
  readonly $is?: OneOrMany<string> | undefined;
  readonly $isNot?: OneOrMany<string> | undefined;
  readonly $any?: OneOrMany<string | ItemPredicate> | undefined;
  readonly $none?: OneOrMany<string | ItemPredicate> | undefined;
  readonly $all?: OneOrMany<string | ItemPredicate> | undefined;
  readonly $not?: OneOrMany<string | ItemPredicate> | undefined;
}

/** A JSON value that no key makes look like a predicate (F-7). */
export type JsonLiteral =
  | boolean
  | number
  | string
  | readonly Json[]
  | ({ readonly [key: string]: Json } & { readonly [operator: `$${string}`]: never });

/** A predicate on a whole `json` column, compared by deep equality (T-11). */
export interface JsonPredicate extends Equality<Json, JsonPredicate> {}

/** A predicate on a path into a `json` column; the literal's type decides (F-17, F-18). */
export interface JsonPathPredicate
  extends Equality<Json, JsonPathPredicate>,
    TextOperators,
    Ranges<number>,
    JsonListOperators<JsonPathPredicate> {}

/** As {@link JsonPathPredicate}, with ranges on text too (F-12). */
export interface OrderedJsonPathPredicate
  extends Equality<Json, OrderedJsonPathPredicate>,
    TextOperators,
    Ranges<number | string>,
    JsonListOperators<OrderedJsonPathPredicate> {}

interface JsonListOperators<Item> {
  readonly $includes?: OneOrMany<JsonLiteral | Item> | undefined;
  readonly $includesAny?: OneOrMany<JsonLiteral | Item> | undefined;
  readonly $includesAll?: OneOrMany<JsonLiteral | Item> | undefined;
  readonly $includesNone?: OneOrMany<JsonLiteral | Item> | undefined;
}

/** What may be given under a column of each type in a filter. */
interface ConditionByType {
  bool: Condition<boolean, BoolPredicate>;
  int: Condition<number, NumberPredicate>;
  float: Condition<number, NumberPredicate>;
  id: Condition<string, TextPredicate>;
  string: Condition<string, TextPredicate>;
  text: Condition<string, TextPredicate>;
  email: Condition<string, TextPredicate>;
  datetime: Condition<string | Date, DatetimePredicate>;
  multiple: string | readonly string[] | null | ListPredicate;
  json: JsonLiteral | null | JsonPredicate;
  "json path": JsonLiteral | null | JsonPathPredicate;
  // `$exists` and `$notExists` are all that these have, with the path as operand (F-18).
  vector: null;
  file: null;
  "file[]": null;
  "file member": null;
  unknown: unknown;
}

/** The same under the `xata` profile, which orders text (F-12). */
interface XataConditionByType
  extends Omit<ConditionByType, "id" | "string" | "text" | "email" | "json path"> {
  id: Condition<string, OrderedTextPredicate>;
  string: Condition<string, OrderedTextPredicate>;
  text: Condition<string, OrderedTextPredicate>;
  email: Condition<string, OrderedTextPredicate>;
  "json path": JsonLiteral | null | OrderedJsonPathPredicate;
}

/** A plain value, several of them, null, or a predicate (F-5, F-8). */
type Condition<Value, Predicate> = OneOrMany<Value | null> | Predicate;

/** What may be given under a column of a type in a filter, by the profile's base. */
export type ConditionOn<Type, Base> = Base extends "xata"
  ? XataConditionByType[Type & keyof XataConditionByType]
  : ConditionByType[Type & keyof ConditionByType];
