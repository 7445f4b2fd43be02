import { describe, expect, it } from "vitest";
import { type ProgressStream, showProgress } from "../../src/cli/progress.js";
import type { CheckResult, Divergence } from "../../src/conformance.js";

const check = {
  id: "law:de-morgan",
  kind: "law",
  title: "negation of a union is the intersection of the negations",
  rules: ["F-3"],
  tier: "core",
} as const;
const result: CheckResult = { ...check, verdict: "diverged", runs: 1 };
const divergence: Divergence = {
  ...check,
  check: check.id,
  message: "the records differ",
  expected: [],
  found: [],
  counterexample: { kind: "history", fixture: { tables: [] }, history: [] },
  seed: 1,
  confirmed: true,
};

/** The output of a run of two checks. */
function written(stream: Omit<ProgressStream, "write">, environment = {}): string {
  let text = "";
  const write = (part: string): void => {
    text += part;
  };
  const progress = showProgress({ ...stream, write }, environment);
  progress.onCheck?.(check, 0, 2);
  progress.onDivergence?.(divergence);
  progress.onResult?.(result, 1, 2);
  progress.onCheck?.(check, 1, 2);
  progress.onResult?.(result, 2, 2);
  return text;
}

const line = "diverges: F-3 law:de-morgan: the records differ\n";

describe("the progress of conform", () => {
  it("consists of divergences only, without a terminal", () => {
    expect(written({})).toBe(line);
    expect(written({ isTTY: false })).toBe(line);
  });

  it("is an overwritten line on a terminal, cut to its width", () => {
    const text = written({ isTTY: true, columns: 40 }, { NO_COLOR: "1" });
    expect(text).toBe(
      `\r\x1b[K1/2 F-3 law:de-morgan: negation of a un\r\x1b[K${line}` +
        "\r\x1b[K2/2 F-3 law:de-morgan: negation of a un\r\x1b[K",
    );
  });

  it("is cut to 80 columns on a terminal of unknown width", () => {
    const long = written({ isTTY: true, columns: 80 });
    expect(written({ isTTY: true, columns: 0 })).toBe(long);
    expect(written({ isTTY: true })).toBe(long);
    expect(long).toContain(check.title.slice(0, 50));
  });

  it("is coloured unless NO_COLOR is set", () => {
    expect(written({ isTTY: true })).toContain("\x1b[31mdiverges\x1b[0m: F-3");
    expect(written({ isTTY: true }, { NO_COLOR: "" })).toContain("\x1b[31m");
    expect(written({ isTTY: true }, { NO_COLOR: "1" })).not.toContain("\x1b[31m");
  });
});
