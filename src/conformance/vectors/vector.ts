import type { Json } from "../../types.js";
import type { RuleId, Tier } from "../rules.js";
import type { Capability, Fixture } from "../target/target.js";

/** A JSON value that others can match, as `vectors/schema.json` says. */
export type Pattern = Json;

/** What an answer has to be; everything given has to hold. */
export interface Expectation {
  /** The status, or those that are allowed. */
  readonly status?: number | readonly number[] | undefined;
  /** Any status of 400 to 499. */
  readonly fails?: true | undefined;
  /** The body of an error. */
  readonly error?: ErrorExpectation | undefined;
  /** The whole body. */
  readonly json?: Pattern | undefined;
  /** A pattern whose keys the body has to have; others are let be. */
  readonly contains?: Pattern | undefined;
  /** What the body has to hold, by JSON pointer. */
  readonly at?: { readonly [pointer: string]: Pattern } | undefined;
  /** What the body must not hold, by JSON pointer. */
  readonly not?: { readonly [pointer: string]: Pattern } | undefined;
  /** Pointers to what the body must not hold. */
  readonly absent?: readonly string[] | undefined;
  /** The keys of the object at each JSON pointer. */
  readonly keys?: { readonly [pointer: string]: readonly string[] } | undefined;
  /** The records of the answer. */
  readonly records?: RecordsExpectation | undefined;
  /** The ids of the records. */
  readonly ids?: IdsExpectation | undefined;
  /** How many records there are. */
  readonly count?: number | undefined;
  /** What is told of the page. */
  readonly page?: { readonly more?: boolean; readonly size?: number } | undefined;
  /** Headers of the answer, by name. */
  readonly headers?: { readonly [name: string]: string } | undefined;
  /** Nothing follows the headers. */
  readonly noBody?: true | undefined;
}

/** What the body of an error has to hold; compared only in tier strict. */
export interface ErrorExpectation {
  /** One of the closed list (rule E-1). */
  readonly code?: string | undefined;
  /** Texts that the message holds. */
  readonly message?: readonly string[] | undefined;
  /** A JSON pointer into the request. */
  readonly path?: string | undefined;
  /** The number of the rule, where the error names one. */
  readonly rule?: RuleId | undefined;
}

/** What the records of an answer have to be. */
export interface RecordsExpectation {
  /** These, in this order. */
  readonly exact?: readonly Pattern[] | undefined;
  /** These, in any order. */
  readonly unordered?: readonly Pattern[] | undefined;
  /** The pointers they are ordered by, and how. */
  readonly orderedBy?: readonly { readonly [pointer: string]: "asc" | "desc" }[] | undefined;
}

/** What the ids of an answer's records have to be. */
export interface IdsExpectation {
  /** These, in this order. */
  readonly exact?: readonly string[] | undefined;
  /** These, in any order. */
  readonly unordered?: readonly string[] | undefined;
}

/** A request and what has to be answered. */
export interface VectorStep {
  /** The HTTP method. */
  readonly method: string;
  /** The path, with `${db}` for the database. */
  readonly path: string;
  /** Where it is sent; default `workspace`. */
  readonly address?: "workspace" | "control" | undefined;
  /** What follows the `?`, by name. */
  readonly query?: { readonly [name: string]: string } | undefined;
  /** Headers to send; null sends none of that name. */
  readonly headers?: { readonly [name: string]: string | null } | undefined;
  /** The body, sent as JSON. */
  readonly body?: Json | undefined;
  /** The body as it is, where it is no JSON. */
  readonly raw?: string | undefined;
  /** What has to be answered. */
  readonly expect: Expectation;
  /** What later steps use, by name: JSON pointers into the answer. */
  readonly capture?: { readonly [variable: string]: string } | undefined;
}

/** When a vector holds. */
export interface VectorCondition {
  /** For a profile that is made of this one. */
  readonly base?: "documented" | "xata" | undefined;
  /** For profiles that compare with null like this (rule F-30). */
  readonly nullComparison?: "complement" | "sql" | undefined;
  /** For profiles whose branches copy this (rule B-1). */
  readonly branchCopies?: "records" | "schema" | undefined;
  /** For services that let in any key, or only known ones. */
  readonly auth?: "open" | "closed" | undefined;
}

/** A vector as a file holds it. */
export interface Vector {
  /** No other vector has it. */
  readonly name: string;
  /** The rules it speaks for, the main one first. */
  readonly rules: readonly RuleId[];
  /** The lowest tier of a run that has it. */
  readonly tier: Tier;
  /** For which services it holds; default all. */
  readonly when?: VectorCondition | undefined;
  /** What a service may lack; the vector is skipped there. */
  readonly needs?: readonly Capability[] | undefined;
  /** The name of a fixture of its file. */
  readonly data?: string | undefined;
  /** The requests, sent one after the other. */
  readonly steps: readonly VectorStep[];
}

/** A file of vectors. */
export interface VectorFile {
  /** A name for the file. */
  readonly title: string;
  /** Contents of databases, by name. */
  readonly fixtures?: { readonly [name: string]: Fixture } | undefined;
  /** In no particular order: none needs another. */
  readonly vectors: readonly Vector[];
}
