import { describe, expect, it } from "vitest";
import { createClock } from "../../src/engine/clock.js";
import { resolveSetup } from "../../src/engine/options.js";
import { DEFAULT_LIMITS, PROFILES } from "../../src/profile.js";
import { expectRefusal } from "../refusal.js";

describe("resolveSetup", () => {
  it("has a default for every option", () => {
    const { profile, limits, streams, indexes } = resolveSetup(undefined);
    expect({ profile, limits, indexes }).toEqual({
      profile: PROFILES.documented,
      limits: DEFAULT_LIMITS.documented,
      indexes: "auto",
    });
    expect(Number.isSafeInteger(streams.seed)).toBe(true);
  });

  it("merges limits with the defaults", () => {
    const { profile, limits, streams, indexes } = resolveSetup({
      profile: "xata",
      seed: -7,
      indexes: "never",
      limits: { columns: 3, bodyBytes: undefined },
    });
    expect({ profile, limits, seed: streams.seed, indexes }).toEqual({
      profile: PROFILES.xata,
      limits: { ...DEFAULT_LIMITS.xata, columns: 3 },
      seed: -7,
      indexes: "never",
    });
  });

  it.each([
    [{ profil: "xata" }, "/profil"],
    [{ seed: 1.5 }, "/seed"],
    [{ seed: "1" }, "/seed"],
    [{ now: "2022" }, "/now"],
    [{ now: Number.NaN }, "/now"],
    [{ now: 1e15 }, "/now"],
    [{ indexes: "some" }, "/indexes"],
    [{ limits: { columns: -1 } }, "/limits/columns"],
    [{ limits: { column: 1 } }, "/limits/column"],
    [{ limits: 5 }, "/limits"],
    [{ profile: ["xata"] }, "/profile"],
    [{ profile: { base: ["xata"] } }, "/profile/base"],
    [{ profile: { maxPageSize: 0 } }, "/profile/maxPageSize"],
    [{ profile: { metadataColumn: 1 } }, "/profile/metadataColumn"],
    [{ profile: { links: "some" } }, "/profile/links"],
    [{ profile: { wholeLinks: true } }, "/profile/wholeLinks"],
    [{ profile: { base: "xata", unknownWorkspace: 404 } }, "/profile/unknownWorkspace"],
    [null, ""],
  ])("refuses %j", (options, path) => {
    expectRefusal(() => resolveSetup(options), { code: "invalid_request", path });
  });

  it("takes the profile of another engine", () => {
    for (const base of ["documented", "xata"] as const) {
      const { profile } = resolveSetup({ profile: { base, metadataColumn: "meta" } });
      expect(resolveSetup({ profile }).profile).toEqual(profile);
    }
  });

  it("refuses an unknown profile", () => {
    for (const profile of ["other", "__proto__", null, 3, { base: "x" }, { pageSize: 1 }]) {
      expectRefusal(() => resolveSetup({ profile }), { code: "invalid_request" });
    }
  });
});

describe("createClock", () => {
  it("is fixed by a number", () => {
    const clock = createClock(1000.5);
    expect([clock.instant(), clock.instant()]).toEqual([
      { ms: 1000, micros: 500 },
      { ms: 1000, micros: 500 },
    ]);
  });

  it("calls a function each time and checks its result", () => {
    const times: unknown[] = [1, -1, Number.NaN, "x", Number.POSITIVE_INFINITY];
    const clock = createClock(() => times.shift() as number); // some are invalid
    const now = () => clock.instant();
    expect(now()).toEqual({ ms: 1, micros: 0 });
    expect(now()).toEqual({ ms: -1, micros: 0 });
    for (let i = 0; i < 3; i++) expectRefusal(now, { code: "invalid_request", path: "/now" });
  });
});
