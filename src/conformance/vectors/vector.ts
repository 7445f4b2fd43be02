import type { Json } from "../../types.js";
import type { RuleId, Tier } from "../rules.js";
import type { Capability, Fixture } from "../target/target.js";

/** A JSON value that others can match, as `vectors/schema.json` says. */
export type Pattern = Json;

/** What an answer has to be; everything given has to hold. */
export interface Expectation {
  readonly status?: number | readonly number[] | undefined;
  readonly fails?: true | undefined;
  readonly error?: ErrorExpectation | undefined;
  readonly json?: Pattern | undefined;
  readonly contains?: Pattern | undefined;
  readonly at?: { readonly [pointer: string]: Pattern } | undefined;
  readonly not?: { readonly [pointer: string]: Pattern } | undefined;
  readonly absent?: readonly string[] | undefined;
  readonly keys?: { readonly [pointer: string]: readonly string[] } | undefined;
  readonly records?: RecordsExpectation | undefined;
  readonly ids?: IdsExpectation | undefined;
  readonly count?: number | undefined;
  readonly page?: { readonly more?: boolean; readonly size?: number } | undefined;
  readonly headers?: { readonly [name: string]: string } | undefined;
  readonly noBody?: true | undefined;
}

/** What the body of an error has to hold; compared only in tier strict. */
export interface ErrorExpectation {
  readonly code?: string | undefined;
  readonly message?: readonly string[] | undefined;
  readonly path?: string | undefined;
}

/** What the records of an answer have to be. */
export interface RecordsExpectation {
  readonly exact?: readonly Pattern[] | undefined;
  readonly unordered?: readonly Pattern[] | undefined;
  readonly orderedBy?: readonly { readonly [pointer: string]: "asc" | "desc" }[] | undefined;
}

/** What the ids of an answer's records have to be. */
export interface IdsExpectation {
  readonly exact?: readonly string[] | undefined;
  readonly unordered?: readonly string[] | undefined;
}

/** A request and what has to be answered. */
export interface VectorStep {
  readonly method: string;
  readonly path: string;
  readonly address?: "workspace" | "control" | undefined;
  readonly query?: { readonly [name: string]: string } | undefined;
  readonly headers?: { readonly [name: string]: string | null } | undefined;
  readonly body?: Json | undefined;
  readonly raw?: string | undefined;
  readonly expect: Expectation;
  readonly capture?: { readonly [variable: string]: string } | undefined;
}

/** When a vector holds. */
export interface VectorCondition {
  readonly base?: "documented" | "xata" | undefined;
  readonly nullComparison?: "complement" | "sql" | undefined;
  readonly branchCopies?: "records" | "schema" | undefined;
  readonly auth?: "open" | "closed" | undefined;
}

/** A vector as a file holds it. */
export interface Vector {
  readonly name: string;
  readonly rules: readonly RuleId[];
  readonly tier: Tier;
  readonly when?: VectorCondition | undefined;
  readonly needs?: readonly Capability[] | undefined;
  /** The name of a fixture of its file. */
  readonly data?: string | undefined;
  readonly steps: readonly VectorStep[];
}

/** A file of vectors. */
export interface VectorFile {
  readonly title: string;
  readonly fixtures?: { readonly [name: string]: Fixture } | undefined;
  readonly vectors: readonly Vector[];
}
