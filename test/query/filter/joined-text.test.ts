import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createJoinedSearch } from "../../../src/query/filter/joined-text.js";
import { runs, seed } from "../../generated.js";

describe("a search in joined texts", () => {
  /** Every position of a text, by plain JavaScript. */
  function placesOf(text: string, haystack: string): number[] {
    return Array.from(haystack, (_, at) => at).filter((at) => haystack.startsWith(text, at));
  }

  function find(text: string, haystack: string): number[] {
    const indexIn = createJoinedSearch(text);
    const found: number[] = [];
    for (let at = indexIn(haystack, 0); at >= 0; at = indexIn(haystack, at + 1)) {
      if (found.length > haystack.length) throw new Error("a position is found twice");
      found.push(at);
    }
    return found;
  }

  const STRETCH = "abaabaaabab".repeat(20);
  const common = fc.constantFrom("a", "a", "b");
  const rare = fc.constantFrom("q", "ÿ", "ā", "a");
  it.each<[string, fc.Arbitrary<string>]>([
    ["of common characters", fc.string({ unit: common, minLength: 1, maxLength: 12 })],
    [
      "with a rare one within",
      fc
        .tuple(
          fc.string({ unit: common, maxLength: 9 }),
          rare,
          fc.string({ unit: common, maxLength: 9 }),
        )
        .map((parts) => parts.join("")),
    ],
  ])("finds every occurrence of a text %s", (_, texts) => {
    fc.assert(
      fc.property(
        texts,
        fc.array(fc.tuple(fc.nat(200), fc.nat(5)), { maxLength: 30 }),
        (text, others) => {
          // The needle and near misses, between stretches of common characters.
          const near = [text, text, text.slice(1), text.slice(0, -1), text.slice(0, 3), ""];
          const haystack = others
            .map(([length, i]) => `${STRETCH.slice(0, length)}${near[i]!}`)
            .join("");
          expect(find(text, haystack)).toEqual(placesOf(text, haystack));
        },
      ),
      { seed, numRuns: Math.ceil(300 * runs) },
    );
  });
});
