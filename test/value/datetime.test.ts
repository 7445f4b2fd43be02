import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  compareInstants,
  formatDate,
  formatInstant,
  type Instant,
  MAX_INSTANT_MS,
  MIN_INSTANT_MS,
  parseInstant,
} from "../../src/value/datetime.js";
import { seed } from "../generated.js";
import { anyCharacter } from "./any-character.js";

const instant: fc.Arbitrary<Instant> = fc.record({
  ms: fc.oneof(
    fc.integer({ min: MIN_INSTANT_MS, max: MAX_INSTANT_MS }),
    fc.integer({ min: -2_000_000, max: 2_000_000 }),
    fc.constantFrom(MIN_INSTANT_MS, MAX_INSTANT_MS, -1, 0, 1),
  ),
  micros: fc.oneof(fc.constantFrom(0, 1, 10, 999), fc.integer({ min: 0, max: 999 })),
});

describe("parseInstant", () => {
  it.each([
    ["1969-12-31T23:59:59.999999Z", -1, 999],
    ["2022-01-31t10:20:30z", Date.UTC(2022, 0, 31, 10, 20, 30), 0],
    ["2022-01-31T10:20:30.0000019Z", Date.UTC(2022, 0, 31, 10, 20, 30), 1],
    ["2022-01-31T10:20:30.123456789012345678901234Z", Date.UTC(2022, 0, 31, 10, 20, 30, 123), 456],
    ["2022-01-31T10:20:30.9999999999+00:00", Date.UTC(2022, 0, 31, 10, 20, 30, 999), 999],
    ["0001-01-01T00:00:00Z", MIN_INSTANT_MS, 0],
    ["0001-01-01T23:59:00+23:59", MIN_INSTANT_MS, 0],
    ["9999-12-31T23:59:59.999999Z", MAX_INSTANT_MS, 999],
    ["9999-12-31T00:00:59.999-23:59", MAX_INSTANT_MS, 0],
  ])("T-7: reads %s", (text, ms, micros) => {
    expect(parseInstant(text)).toStrictEqual({ ms, micros });
  });

  it.each([
    "",
    "2022-01-31T10:20:30.Z",
    "2022-01-31T10:20:30+01-00",
    "2022-01-31T10:20:30+24:00",
    "2022-01-31T10:20:30-24:00",
    "2022-01-31T10:20:30+23:60",
    "2022-01-31T10:20:30+01:a0",
    "2022-01-31T10:20:30\u221201:00",
    "2022-01-31T24:00:00Z",
    "2022-01-31T10:60:00Z",
    "2022-01-31T10:20:60Z",
    "0000-12-31T23:59:59Z",
    "0000-12-31T23:59:59-01:00",
    "0001-01-01T00:00:00+00:01",
    "9999-12-31T23:59:59-00:01",
    "٢٠٢٢-01-31T10:20:30Z",
    "xx00-01-01T00:00:00+23:59",
    "2022-01-1/T10:20:30Z",
    "202x-01-31T10:20:30Z",
    "20x2-01-31T10:20:30Z",
    "/022-01-31T10:20:30Z",
    ":022-01-31T10:20:30Z",
    "0:22-01-31T10:20:30Z",
    "2022-01-31T10:20:30./Z",
    "2022-01-31T10:20:30.:Z",
    "2022-01-31T10:20:30.1:Z",
  ])("T-7: refuses %j", (text) => {
    expect(parseInstant(text)).toBeUndefined();
  });

  it("T-7: counts every day of the calendar", { tags: "slow" }, () => {
    const pad = (n: number): string => String(n).padStart(2, "0");
    let ms = MIN_INSTANT_MS;
    for (let year = 1; year <= 9999; year++) {
      const isLeap = year % 400 === 0 || (year % 4 === 0 && year % 100 !== 0);
      for (let month = 1; month <= 12; month++) {
        const days = month === 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;
        const monthText = `${String(year).padStart(4, "0")}-${pad(month)}-`;
        for (let day = 1; day <= days; day++) {
          const text = `${monthText}${pad(day)}T00:00:00Z`;
          if (parseInstant(text)?.ms !== ms || formatInstant(ms, 0) !== text) expect.fail(text);
          ms += 86_400_000;
        }
      }
    }
    expect(ms).toBe(MAX_INSTANT_MS + 1);
  });

  it("T-7: agrees with Date on every valid date, time, fraction and offset", () => {
    const pad = (n: number, width = 2): string => String(n).padStart(width, "0");
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 9998 }),
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 1, max: 31 }),
        fc.integer({ min: 0, max: 86_399 }),
        fc.stringMatching(/^[0-9]{0,9}$/),
        fc.integer({ min: -1439, max: 1439 }),
        (year, month, day, second, fraction, offset) => {
          const time = [second / 3600, (second / 60) % 60, second % 60].map((n) =>
            pad(Math.floor(n)),
          );
          const zone = [Math.abs(offset) / 60, Math.abs(offset) % 60].map((n) =>
            pad(Math.floor(n)),
          );
          const text = `${pad(year, 4)}-${pad(month)}-${pad(day)}T${time.join(":")}${
            fraction === "" ? "" : `.${fraction}`
          }${offset < 0 ? "-" : "+"}${zone.join(":")}`;
          const date = new Date(0);
          date.setUTCFullYear(year, month - 1, day);
          const isReal = date.getUTCMonth() === month - 1;
          const micros = Number(fraction.slice(0, 6).padEnd(6, "0"));
          const ms = date.getTime() + (second - offset * 60) * 1000 + Math.floor(micros / 1000);
          expect(parseInstant(text)).toStrictEqual(
            isReal ? { ms, micros: micros % 1000 } : undefined,
          );
        },
      ),
      { seed, numRuns: 2000 },
    );
  });

  it("T-7: the canonical form of an accepted text is the same instant", () => {
    const start = "2022-01-31T10:20:30.123+01:00";
    const mutated = fc
      .tuple(fc.nat(start.length), fc.nat(2), fc.string({ unit: anyCharacter, maxLength: 2 }))
      .map(([at, removed, added]) => start.slice(0, at) + added + start.slice(at + removed));
    fc.assert(
      fc.property(mutated, (text) => {
        const parsed = parseInstant(text);
        const shape = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/;
        if (parsed !== undefined) {
          expect(text).toMatch(shape);
          expect(parseInstant(formatInstant(parsed.ms, parsed.micros))).toStrictEqual(parsed);
        }
      }),
      { seed, numRuns: 2000 },
    );
  });
});

describe("formatInstant", () => {
  it.each([
    [-1, 999, "1969-12-31T23:59:59.999999Z"],
    [10, 0, "1970-01-01T00:00:00.01Z"],
    [120, 300, "1970-01-01T00:00:00.1203Z"],
    [MIN_INSTANT_MS, 0, "0001-01-01T00:00:00Z"],
    [MAX_INSTANT_MS, 999, "9999-12-31T23:59:59.999999Z"],
  ])("T-7: writes %d ms and %d µs as %s", (ms, micros, text) => {
    expect(formatInstant(ms, micros)).toBe(text);
  });

  it("T-7: writes a fraction only if it is not zero, without trailing zeros", () => {
    fc.assert(
      fc.property(instant, ({ ms, micros }) => {
        const iso = new Date(ms).toISOString();
        const fraction = `.${iso.slice(20, 23)}${String(micros).padStart(3, "0")}`.replace(
          /\.?0+$/,
          "",
        );
        expect(formatInstant(ms, micros)).toBe(`${iso.slice(0, 19)}${fraction}Z`);
      }),
      { seed, numRuns: 2000 },
    );
  });
});

describe("compareInstants", () => {
  it("T-7: orders by time, to the microsecond", () => {
    fc.assert(
      fc.property(instant, instant, (a, b) => {
        const micros = (of: Instant): bigint => BigInt(of.ms) * 1000n + BigInt(of.micros);
        const difference = micros(a) - micros(b);
        const sign = difference < 0n ? -1 : difference > 0n ? 1 : 0;
        expect(Math.sign(compareInstants(a, b))).toBe(sign);
        expect(Math.sign(compareInstants({ ms: a.ms, micros: b.micros }, b))).toBe(
          Math.sign(a.ms - b.ms),
        );
        expect(Math.sign(compareInstants({ ms: b.ms, micros: a.micros }, b))).toBe(
          Math.sign(a.micros - b.micros),
        );
      }),
      { seed },
    );
  });
});

describe("formatDate", () => {
  it("R-9: equals the JSON form of a Date", () => {
    const date = new Date(Date.UTC(2022, 0, 31, 10, 20, 30, 5));
    expect(formatDate(date)).toBe("2022-01-31T10:20:30.005Z");
    expect(formatDate(new Date(MIN_INSTANT_MS))).toBe("0001-01-01T00:00:00.000Z");
    expect(formatDate(new Date(MAX_INSTANT_MS))).toBe("9999-12-31T23:59:59.999Z");
  });

  it("R-9: returns undefined for an invalid Date and outside of the years 0001–9999", () => {
    expect(formatDate(new Date(Number.NaN))).toBeUndefined();
    expect(formatDate(new Date(MIN_INSTANT_MS - 1))).toBeUndefined();
    expect(formatDate(new Date(MAX_INSTANT_MS + 1))).toBeUndefined();
  });
});
