import { splitPointer } from "../../src/errors.js";
import { TextFault } from "../../src/fixtures/fixture.js";
import { findJsonPlace } from "../../src/fixtures/json-place.js";

/** Splits a JSON Pointer. */
function stepsOf(path: string, value: unknown): (string | number)[] {
  let inner = value;
  return splitPointer(path).map((key) => {
    const taken = Array.isArray(inner) ? Number(key) : key;
    inner = (inner as Record<string | number, unknown> | undefined)?.[taken];
    return taken;
  });
}

/** Locates the value of a pointer, or its key, in a JSON text; undefined for invalid JSON. */
export function placeInText(
  text: string,
  path: string,
  isKey = false,
): { readonly line: number; readonly column: number } | undefined {
  try {
    const steps = stepsOf(path, JSON.parse(text));
    return findJsonPlace(text, steps, undefined, isKey);
  } catch {
    return undefined;
  }
}

/** A parsed JSON text, or its error with the position. */
export type ReadJson =
  | { readonly value: unknown }
  | { readonly message: string; readonly line: number; readonly column: number };

export function parseJson(text: string): ReadJson {
  try {
    findJsonPlace(text, []);
    return { value: JSON.parse(text) as unknown };
  } catch (error) {
    if (error instanceof TextFault) return { message: error.message, ...error.place };
    return { message: (error as Error).message, line: 1, column: 1 };
  }
}
