import { expect } from "vitest";
import { refusalOf } from "../rules/fixture.js";

/** Cases of two lines: a request in JSON; the code, rule, path and message of its error. */
export function readCases(text: string): (readonly [request: string, refusal: string])[] {
  const lines = text.trim().split(/\n\s*/);
  return lines.flatMap((line, i) => (i % 2 === 0 ? [[line, lines[i + 1]!] as const] : []));
}

export function expectMessage(call: () => unknown, refusal: string): void {
  const { code, rule, path, message } = refusalOf(call);
  expect(`${`${code} ${rule} ${path}`.trim()}: ${message}`).toBe(refusal);
}
