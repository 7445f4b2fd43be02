import type { OPERATORS } from "../schema/operators.js";
import type { Json } from "../types.js";
import type { OneOrMany, OneOrManyBy } from "./values.js";

type Operators = typeof OPERATORS;

export type PredicateOf<Row, Operands> = {
  readonly [Name in keyof Pick<Operators, NameOf<Row>>]?:
    | Operands[OperandOf<Operators[Name]> & keyof Operands]
    | undefined;
};

type NameOf<Row> = {
  [Name in keyof Operators]: Operators[Name] extends Row ? Name : never;
}[keyof Operators];

type OperandOf<Row> = Row extends { readonly combine: infer Combine }
  ? Combine
  : Row extends { readonly operand: infer Operand }
    ? Operand
    : never;

/** Operand types for a column type; `Self` is a predicate on it, `Item` one on an item. */
interface Operands<Value, Self, Bound = Value, Item = never> {
  readonly literal: OneOrMany<Value | null>;
  readonly any: OneOrMany<Value | null | Self>;
  readonly all: OneOrMany<Value | Self>;
  readonly text: string;
  readonly pattern: string;
  readonly bound: Bound;
  readonly items: OneOrMany<Item>;
}

type Comparable = { readonly columns: "comparable" };
type Ordered = { readonly columns: "comparable" | "range" };
type Text = { readonly columns: "comparable" | "text" };
type OrderedText = { readonly columns: "comparable" | "text" | "range" };
type List = { readonly columns: "comparable" | "list" };
type Any = { readonly columns: "comparable" | "text" | "range" | "list" };

export interface BoolPredicate extends PredicateOf<Comparable, Operands<boolean, BoolPredicate>> {}

export interface NumberPredicate extends PredicateOf<Ordered, Operands<number, NumberPredicate>> {}

/** A predicate on a `datetime` column; text is RFC 3339 (T-7). */
export interface DatetimePredicate
  extends PredicateOf<Ordered, Operands<string | Date, DatetimePredicate>> {}

/** A predicate on `id` or on a `string`, `text` or `email` column. */
export interface TextPredicate extends PredicateOf<Text, Operands<string, TextPredicate>> {}

/** As {@link TextPredicate}, with the ranges on text of the `xata` profile (F-12). */
export interface OrderedTextPredicate
  extends PredicateOf<OrderedText, Operands<string, OrderedTextPredicate>> {}

/** A predicate on a `multiple` column: a string is an item, an array the whole list (F-8). */
export interface ListPredicate extends PredicateOf<List, ListOperands> {}

interface ListOperands {
  readonly literal: string | readonly string[] | null;
  readonly any: ListMembers<null>;
  readonly all: ListMembers<never>;
  readonly items: OneOrMany<string | ItemPredicate>;
}

type ListMembers<Null> =
  | string
  | ListPredicate
  | Null
  | readonly (string | readonly string[] | ListPredicate | Null)[];

export interface ItemPredicate extends PredicateOf<Text, ItemOperands> {}

interface ItemOperands {
  readonly literal: OneOrMany<string>;
  readonly any: OneOrMany<string | ItemPredicate>;
  readonly all: OneOrMany<string | ItemPredicate>;
  readonly text: string;
  readonly pattern: string;
}

/** A JSON value without keys that look like operators (F-7). */
export type JsonLiteral =
  | boolean
  | number
  | string
  | readonly Json[]
  | ({ readonly [key: string]: Json } & { readonly [operator: `$${string}`]: never });

/** A predicate on a whole `json` column, compared by deep equality (T-11). */
export interface JsonPredicate extends PredicateOf<Comparable, Operands<Json, JsonPredicate>> {}

/** A predicate on a path into a `json` column; the literal's type decides (F-17, F-18). */
export interface JsonPathPredicate
  extends PredicateOf<
    Any,
    Operands<Json, JsonPathPredicate, number, JsonLiteral | JsonPathPredicate>
  > {}

/** As {@link JsonPathPredicate}, with ranges on text (F-12). */
export interface OrderedJsonPathPredicate
  extends PredicateOf<
    Any,
    Operands<
      Json,
      OrderedJsonPathPredicate,
      number | string,
      JsonLiteral | OrderedJsonPathPredicate
    >
  > {}

interface ConditionByType<Method> {
  bool: Condition<boolean, BoolPredicate, Method>;
  int: Condition<number, NumberPredicate, Method>;
  float: Condition<number, NumberPredicate, Method>;
  id: Condition<string, TextPredicate, Method>;
  string: Condition<string, TextPredicate, Method>;
  text: Condition<string, TextPredicate, Method>;
  email: Condition<string, TextPredicate, Method>;
  datetime: Condition<string | Date, DatetimePredicate, Method>;
  multiple: string | readonly string[] | null | ListPredicate;
  json: JsonLiteral | null | JsonPredicate;
  "json path": JsonLiteral | null | JsonPathPredicate;
  // Only `$exists` and `$notExists` apply, with the path as operand (F-18).
  vector: null;
  file: null;
  "file[]": null;
  "file member": null;
  unknown: unknown;
}

/** Conditions under the `xata` profile, which orders text (F-12). */
interface XataConditionByType<Method>
  extends Omit<ConditionByType<Method>, "id" | "string" | "text" | "email" | "json path"> {
  id: Condition<string, OrderedTextPredicate, Method>;
  string: Condition<string, OrderedTextPredicate, Method>;
  text: Condition<string, OrderedTextPredicate, Method>;
  email: Condition<string, OrderedTextPredicate, Method>;
  "json path": JsonLiteral | null | OrderedJsonPathPredicate;
}

type Condition<Value, Predicate, Method> = OneOrManyBy<Value | null, Method> | Predicate;

export type ConditionOn<Type, Base, Method> = Base extends "xata"
  ? XataConditionByType<Method>[Type & keyof XataConditionByType<Method>]
  : ConditionByType<Method>[Type & keyof ConditionByType<Method>];
