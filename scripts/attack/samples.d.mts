import type { ColumnDefinition } from "../../src/index.js";
import type { Operation } from "./bad-requests.mjs";

export const USER_COLUMNS: readonly ColumnDefinition[];

export function toXata<T>(body: T): T;

export function samplesOf(
  operation: Operation,
  names?: Readonly<Record<string, string>>,
): readonly { readonly method: string; readonly url: string; readonly body: unknown }[];
