import { pointerTo } from "../../errors.js";
import * as s from "../../shape/schema.js";

/** A part of a request that is validated when it is bound, with its JSON Pointer. */
export interface Unbound {
  readonly value: unknown;
  readonly at: string;
}

/** Keeps a part for binding; its schema describes it only. */
export function unbound(schema: s.JsonSchema): s.Schema<Unbound> {
  return columnOf(s.described(schema));
}

/** Reads a value by its schema, and keeps its JSON Pointer. */
export function columnOf(schema: s.Schema): s.Schema<Unbound> {
  return s.mapped(schema, (value, { path = "" }) => ({ value, at: pointerTo(path) }));
}

export function columnPath(expected: string, rule: string): s.Schema<Unbound> {
  return columnOf(s.reading(s.TEXT, { expected, rule }));
}

export const UNBOUND_FILTER: s.Schema<Unbound> = unbound(s.FILTER);
