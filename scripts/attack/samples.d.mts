import type { ColumnDefinition } from "../../src/index.js";
import type { Operation } from "./bad-requests.mjs";

export const SETUP: readonly (readonly [method: string, path: string, body?: unknown])[];

export const SAMPLES: Readonly<Record<string, readonly { readonly body?: unknown }[]>>;

export const USER_COLUMNS: readonly ColumnDefinition[];

export function toXata<T>(body: T): T;

export function samplesOf(
  operation: Operation,
  names?: Readonly<Record<string, string>>,
): readonly {
  readonly operation: string;
  readonly method: string;
  readonly url: string;
  readonly body: unknown;
}[];
