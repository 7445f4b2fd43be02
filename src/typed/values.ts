import type { Json } from "../types.js";
import type { FileValue } from "./file.js";
import type { ProfileShape } from "./shape.js";

/** A reference to a record by id: the value of a link (T-9). */
export interface RecordReference {
  readonly id: string;
}

/** A record's id by the name that it has in a profile. */
export type IdOf<P extends ProfileShape> = P["idColumn"] extends "id"
  ? { id: string }
  : { xata_id: string };

interface ScalarByType {
  bool: boolean;
  int: number;
  float: number;
  string: string;
  text: string;
  email: string;
}

interface OutputByType extends ScalarByType {
  id: string;
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

interface InputByType extends ScalarByType {
  datetime: string | Date;
  multiple: readonly string[];
  json: Json;
  vector: readonly number[];
  file: FileValue;
  "file[]": readonly FileValue[];
}

export type InputOf<Type, P extends ProfileShape> = Type extends keyof InputByType
  ? InputByType[Type]
  : Type extends "link"
    ? string | Readonly<IdOf<P>>
    : unknown;

export type OneOrMany<T> = T | Several<T>;

/** The mutable array matches array literals alone: no type is inferred from array methods. */
export type Several<T> = T[] | readonly T[];

/**
 * One value, or an array if the call has one: `Method` is inferred from its methods. Beside an array
 * type, errors inside objects would be reported at the whole object.
 */
export type OneOrManyBy<T, Method, Inferring = Joined<Method>> =
  | T
  | ([Method] extends [never] ? Inferring : Several<T>);

/** Infers a type from an array and accepts nothing. */
type Joined<Method> = Method extends never ? { readonly join: Method } : never;

export type IsOptional<T> = Partial<T> extends T ? true : false;

/** Whether a type argument is `any`, as when typed and untyped tables are compared. */
export type IsAny<T> = (T extends never ? 1 : 2) extends 2 ? false : true;

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
 * Not an array. The member is not `never`: errors inside arrays would be reported at the whole
 * array.
 */
export type KeyedObject = object & { readonly [Symbol.iterator]?: NoArray };

interface NoArray {
  readonly "an object, not an array": true;
}
