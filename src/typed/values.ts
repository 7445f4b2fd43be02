import type { Json } from "../types.js";
import type { FileValue } from "./file.js";
import type { ProfileShape } from "./shape.js";

/** A record by its id: what a link holds at least, and what may be given for it (T-9). */
export interface RecordReference {
  /** The id of the record meant. */
  readonly id: string;
}

/** What a column of each type returns; objects, links and files are put together elsewhere. */
interface OutputByType {
  id: string;
  bool: boolean;
  int: number;
  float: number;
  string: string;
  text: string;
  email: string;
  datetime: string;
  multiple: string[];
  json: Json;
  vector: number[];
}

/** What a column of a type returns. The `xata` profile gives `json` as text (T-11). */
export type OutputOf<Type, P extends ProfileShape> = Type extends keyof OutputByType
  ? Type extends "json"
    ? P["base"] extends "xata"
      ? string
      : Json
    : OutputByType[Type]
  : unknown;

/** What may be given for a column of each type, beside null. */
interface InputByType {
  bool: boolean;
  int: number;
  float: number;
  string: string;
  text: string;
  email: string;
  datetime: string | Date;
  multiple: readonly string[];
  link: string | RecordReference;
  json: Json;
  vector: readonly number[];
  file: FileValue;
  "file[]": readonly FileValue[];
}

/** What may be given for a column of a type, beside null. */
export type InputOf<Type> = Type extends keyof InputByType ? InputByType[Type] : unknown;

/** One, or several in an array. */
export type OneOrMany<T> = T | Several<T>;

/**
 * Several in an array. The mutable array is named too: an array literal then matches it alone, and
 * no type argument is inferred from the members that an array has as an object.
 */
export type Several<T> = T[] | readonly T[];

/** Whether an object type has no property that must be given. */
export type IsOptional<T> = Partial<T> extends T ? true : false;

/**
 * Whether a type argument is `any`, as it is while the checker compares a typed table with a loose
 * one: what depends on it must then be found to take anything.
 */
export type IsAny<T> = (T extends never ? 1 : 2) extends 2 ? false : true;

/** Writes an intersection out as one object type. */
export type Flatten<T> = { [K in keyof T]: T[K] } & unknown;

/** Names that every object inherits: inference may find them where nobody wrote them. */
export type InheritedName =
  | "constructor"
  | "hasOwnProperty"
  | "isPrototypeOf"
  | "propertyIsEnumerable"
  | "toLocaleString"
  | "toString"
  | "valueOf";

/**
 * An object that is no array: such names would let arrays and primitives pass for one. The member is
 * not `never`: the checker would then tell objects from arrays by it, find neither to fit, and tell a
 * mistake within an array of the whole array.
 */
export type KeyedObject = object & { readonly [Symbol.iterator]?: NoArray };

interface NoArray {
  readonly "an object, not an array": true;
}
