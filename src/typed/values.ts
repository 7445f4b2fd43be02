import type { Json } from "../types.js";
import type { FileValue } from "./file.js";
import type { ProfileShape } from "./shape.js";

/** A reference to a record by id: the value of a link (T-9). */
export interface RecordReference {
  readonly id: string;
}

/** Values that columns of each type return; objects, links and files are typed elsewhere. */
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

/** The value that a column returns. The `xata` profile returns `json` as text (T-11). */
export type OutputOf<Type, P extends ProfileShape> = Type extends keyof OutputByType
  ? Type extends "json"
    ? P["base"] extends "xata"
      ? string
      : Json
    : OutputByType[Type]
  : unknown;

/** Values that columns of each type accept, beside null. */
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

export type InputOf<Type> = Type extends keyof InputByType ? InputByType[Type] : unknown;

export type OneOrMany<T> = T | Several<T>;

/**
 * An array of values. The mutable array is named too: array literals then match it alone, and no
 * type argument is inferred from array methods.
 */
export type Several<T> = T[] | readonly T[];

/** Whether all properties are optional. */
export type IsOptional<T> = Partial<T> extends T ? true : false;

/**
 * Whether a type argument is `any`, as when the compiler compares a typed table with an untyped
 * one: then anything must be accepted.
 */
export type IsAny<T> = (T extends never ? 1 : 2) extends 2 ? false : true;

/** Writes an intersection out as one object type. */
export type Flatten<T> = { [K in keyof T]: T[K] } & unknown;

/** Names that every object inherits; inference may find them. */
export type InheritedName =
  | "constructor"
  | "hasOwnProperty"
  | "isPrototypeOf"
  | "propertyIsEnumerable"
  | "toLocaleString"
  | "toString"
  | "valueOf";

/**
 * A non-array object. The member is not `never`: with a discriminant the compiler would report an
 * error inside an array at the whole array.
 */
export type KeyedObject = object & { readonly [Symbol.iterator]?: NoArray };

interface NoArray {
  readonly "an object, not an array": true;
}
