import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatArray, parseArray } from "../../src/sql/arrays.js";
import { readText, writeText } from "../../src/sql/text.js";
import { decodeValue, encodeJson, encodeValue } from "../../src/sql/values.js";
import type { Json } from "../../src/types.js";
import { compareStrings } from "../../src/value/compare.js";
import { seed } from "../generated.js";

/** Texts with many escaped characters. */
const texts: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "\0",
        "\u0001",
        "\u0002",
        "\u0003",
        "\u0004",
        "\u0005",
        "a",
        "\\",
        '"',
        ",",
        "{",
      ),
      fc.string({ unit: "binary", maxLength: 2 }).filter((text) => text.isWellFormed()),
    ),
    { maxLength: 6 },
  )
  .map((parts) => parts.join(""));

describe("stored text", () => {
  it("decodes to the same text, and has no U+0000", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const written = writeText(text);
        expect(readText(written)).toBe(text);
        expect(written).not.toContain("\0");
      }),
      { seed },
    );
  });

  it("T-4: keeps the order of texts", () => {
    fc.assert(
      fc.property(texts, texts, (a, b) => {
        expect(Math.sign(compareStrings(writeText(a), writeText(b)))).toBe(
          Math.sign(compareStrings(a, b)),
        );
      }),
      { seed },
    );
  });

  it("F-10: contains, starts and ends with the same pieces", () => {
    fc.assert(
      fc.property(texts, texts, texts, (before, part, after) => {
        for (const text of [before + part + after, before + after]) {
          expect(writeText(text).includes(writeText(part))).toBe(text.includes(part));
          expect(writeText(text).startsWith(writeText(part))).toBe(text.startsWith(part));
          expect(writeText(text).endsWith(writeText(part))).toBe(text.endsWith(part));
        }
      }),
      { seed },
    );
  });
});

describe("values", () => {
  it("of lists decode to the same list", () => {
    fc.assert(
      fc.property(fc.array(texts), (list) => {
        expect(parseArray(formatArray(list))).toEqual(list);
      }),
      { seed },
    );
  });

  it.each(["{}", "{a,b}", '{"a,b","c\\"d",e}', '{"",NULLS}', "{1.5,-2e+300}"])(
    "of the array %s survive a round trip",
    (text) => {
      expect(parseArray(formatArray(parseArray(text)))).toEqual(parseArray(text));
    },
  );

  it("of JSON decode to the same value, and fit jsonb", () => {
    fc.assert(
      fc.property(fc.jsonValue(), texts, (value, text) => {
        const json = { value: [value, text], [text]: text } as Json;
        const encoded = encodeJson(json);
        expect(encoded).not.toContain("\\u0000");
        expect(decodeValue("json", encoded)).toEqual(JSON.parse(JSON.stringify(json)));
      }),
      { seed },
    );
  });

  it("of JSON keep backslashes before and between escapes", () => {
    for (const count of [0, 1, 2, 3, 9]) {
      const slashes = "\\".repeat(count);
      const value = `${slashes}\u0000${slashes}u0001\u0001\u0004${slashes}"`;
      const encoded = encodeJson([value]);
      expect(JSON.parse(encoded)).not.toContain("\0");
      expect(decodeValue("json", encoded)).toEqual([value]);
    }
  });

  it("of datetimes keep microseconds", () => {
    const instant = { ms: Date.UTC(2022, 0, 31, 10, 20, 30, 123), micros: 456 };
    expect(encodeValue("datetime", instant)).toBe("2022-01-31T10:20:30.123456Z");
    expect(decodeValue("datetime", "2022-01-31 10:20:30.123456+00")).toEqual(instant);
  });
});
