import type { Json } from "../../types.js";
import type { RuleId, Tier } from "../rules.js";
import type { Capability, Fixture } from "../target/target.js";

/** A JSON pattern, as defined in `vectors/schema.json`. */
export type Pattern = Json;

/** Conditions on an answer; all must hold. */
export interface Expectation {
  readonly status?: number | readonly number[] | undefined;
  /** Any status of 400 to 499. */
  readonly fails?: true | undefined;
  readonly error?: ErrorExpectation | undefined;
  /** The whole body. */
  readonly json?: Pattern | undefined;
  /** A pattern of the body that allows additional keys. */
  readonly contains?: Pattern | undefined;
  /** Patterns by JSON Pointer into the body. */
  readonly at?: { readonly [pointer: string]: Pattern } | undefined;
  /** Patterns by JSON Pointer that must not match. */
  readonly not?: { readonly [pointer: string]: Pattern } | undefined;
  /** JSON Pointers that must not exist. */
  readonly absent?: readonly string[] | undefined;
  /** The exact keys of the objects at JSON Pointers. */
  readonly keys?: { readonly [pointer: string]: readonly string[] } | undefined;
  /** Patterns of the records, in this order. */
  readonly records?: { readonly exact: readonly Pattern[] } | undefined;
  /** The ids of the records, in this order or in any. */
  readonly ids?: IdsExpectation | undefined;
  readonly count?: number | undefined;
  readonly page?: { readonly more?: boolean; readonly size?: number } | undefined;
  readonly headers?: { readonly [name: string]: string } | undefined;
  /** The body is empty. */
  readonly noBody?: true | undefined;
}

/** Conditions on an error; compared only in tier strict. */
export interface ErrorExpectation {
  readonly code?: string | undefined;
  /** Texts that the message contains. */
  readonly message?: readonly string[] | undefined;
  /** A JSON Pointer into the request. */
  readonly path?: string | undefined;
  /** The number of the rule, if the error names one. */
  readonly rule?: RuleId | undefined;
}

export interface IdsExpectation {
  readonly exact?: readonly string[] | undefined;
  readonly unordered?: readonly string[] | undefined;
}

/** A request with its expected answer. */
export interface VectorStep {
  readonly method: string;
  /** The path, with `${db}` for the database. */
  readonly path: string;
  /** The base address; default `workspace`. */
  readonly address?: "workspace" | "control" | undefined;
  readonly query?: { readonly [name: string]: string } | undefined;
  /** Request headers; null omits one. */
  readonly headers?: { readonly [name: string]: string | null } | undefined;
  /** The body, sent as JSON. */
  readonly body?: Json | undefined;
  /** The body, sent unchanged; may be malformed. */
  readonly raw?: string | undefined;
  readonly expect: Expectation;
  /** Variables for later steps, as JSON Pointers into the answer. */
  readonly capture?: { readonly [variable: string]: string } | undefined;
}

/** The services to which a vector applies. */
export interface VectorCondition {
  readonly base?: "documented" | "xata" | undefined;
  readonly nullComparison?: "complement" | "sql" | undefined;
  readonly branchCopies?: "records" | "schema" | undefined;
  readonly links?: "free" | "checked" | undefined;
  /** Whether the service accepts any key or known ones. */
  readonly auth?: "open" | "closed" | undefined;
}

/** A test vector, as stored in a file. */
export interface Vector {
  /** Unique among all vectors. */
  readonly name: string;
  /** The rules it covers, the main one first. */
  readonly rules: readonly RuleId[];
  /** The lowest tier that includes it. */
  readonly tier: Tier;
  /** The services to which it applies; default all. */
  readonly when?: VectorCondition | undefined;
  /** Required features; the vector is skipped without them. */
  readonly needs?: readonly Capability[] | undefined;
  /** The name of a fixture of its file. */
  readonly data?: string | undefined;
  /** The requests, in order. */
  readonly steps: readonly VectorStep[];
}

/** A file of vectors. */
export interface VectorFile {
  readonly title: string;
  /** Contents of databases, by name. */
  readonly fixtures?: { readonly [name: string]: Fixture } | undefined;
  /** Independent of one another. */
  readonly vectors: readonly Vector[];
}
