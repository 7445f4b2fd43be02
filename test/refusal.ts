import { expect } from "vitest";
import { type ErrorCode, TwinbaseError } from "../src/errors.js";

interface Expected {
  readonly code: ErrorCode;
  readonly status?: number;
  readonly path?: string | undefined;
  readonly rule?: string;
  readonly message?: RegExp;
}

/** Asserts that the call throws a TwinbaseError with the expected fields. */
export function expectRefusal(call: () => unknown, expected: Expected): void {
  let thrown: unknown;
  try {
    call();
  } catch (error) {
    thrown = error;
  }
  expect(thrown, "the call was not refused").toBeInstanceOf(TwinbaseError);
  const { message, ...fields } = expected;
  expect(thrown).toMatchObject(fields);
  if ("path" in expected) expect(thrown).toHaveProperty("path", expected.path);
  if (message !== undefined) expect((thrown as TwinbaseError).message).toMatch(message);
}
