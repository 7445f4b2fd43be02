// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of vectors are written so
import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { LAWS } from "../../../src/conformance/laws/all.js";
import { isRuleId, isWithinTier, RULES, type Tier } from "../../../src/conformance/rules.js";
import { loadVectors } from "../../../src/conformance/vectors/load.js";

const tierOf: ReadonlyMap<string, Tier> = new Map(RULES.map(({ id, tier }) => [id, tier]));
const files = loadVectors();
const vectors = files.flatMap((file) => file.vectors);
const schema = JSON.parse(
  readFileSync(new URL("../../../vectors/schema.json", import.meta.url), "utf8"),
) as object;
const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true });
const isWellFormed = ajv.compile(schema);

describe("the vectors", () => {
  it.each(files.map((file) => [file.title, file] as const))("fit their schema: %s", (_, file) => {
    expect([isWellFormed(file), isWellFormed.errors]).toEqual([true, null]);
  });

  const step = { method: "POST", path: "/db/${db}:main/x", expect: { status: 200 } };
  const vector = { name: "x", rules: ["F-1"], tier: "core", steps: [step] };

  it("fit it with required members only", () => {
    expect(isWellFormed({ title: "x", vectors: [vector] })).toBe(true);
    expect(isWellFormed({ title: "x", vectors: [] })).toBe(true);
  });

  it.each<[at: string, vector: object]>([
    ["", { ...vector, nmae: "x" }],
    ["", { rules: ["F-1"], tier: "core", steps: [step] }],
    ["/rules", { ...vector, rules: [] }],
    ["/rules/0", { ...vector, rules: ["F1"] }],
    ["/tier", { ...vector, tier: "all" }],
    ["/when", { ...vector, when: { profile: "xata" } }],
    ["/when/base", { ...vector, when: { base: "hosted" } }],
    ["/needs/0", { ...vector, needs: ["sql"] }],
    ["/data", { ...vector, data: { tables: [] } }],
    ["/steps", { ...vector, steps: [] }],
    ["/steps/0", { ...vector, steps: [{ method: "GET", path: "/" }] }],
    ["/steps/0/method", { ...vector, steps: [{ ...step, method: "get" }] }],
    ["/steps/0/path", { ...vector, steps: [{ ...step, path: "db" }] }],
    ["/steps/0/address", { ...vector, steps: [{ ...step, address: "user" }] }],
    ["/steps/0/query/a", { ...vector, steps: [{ ...step, query: { a: 1 } }] }],
    ["/steps/0/headers/a", { ...vector, steps: [{ ...step, headers: { a: 1 } }] }],
    ["/steps/0/raw", { ...vector, steps: [{ ...step, raw: {} }] }],
    ["/steps/0/capture/c", { ...vector, steps: [{ ...step, capture: { c: "id" } }] }],
    ["/steps/0/expect", { ...vector, steps: [{ ...step, expect: { satus: 200 } }] }],
    ["/steps/0/expect/status", { ...vector, steps: [{ ...step, expect: { status: "200" } }] }],
    ["/steps/0/expect/fails", { ...vector, steps: [{ ...step, expect: { fails: false } }] }],
    ["/steps/0/expect/error", { ...vector, steps: [{ ...step, expect: { error: { cod: "" } } }] }],
    ["/steps/0/expect/ids", { ...vector, steps: [{ ...step, expect: { ids: {} } }] }],
    ["/steps/0/expect/keys/", { ...vector, steps: [{ ...step, expect: { keys: { "": "id" } } }] }],
    ["/steps/0/expect/count", { ...vector, steps: [{ ...step, expect: { count: 1.5 } }] }],
    ["/steps/0/expect/page", { ...vector, steps: [{ ...step, expect: { page: { next: true } } }] }],
  ])("do not fit it with a fault at %s", (at, wrong) => {
    expect(isWellFormed({ title: "x", vectors: [wrong] })).toBe(false);
    const places = isWellFormed.errors?.map(({ instancePath }) => instancePath);
    expect(places).toContain(`/vectors/0${at}`);
  });

  it("have valid regular expressions and types", () => {
    const patterns = JSON.stringify(vectors).matchAll(
      /\{"\$(match|type|metadata|json)":(".*?[^\\]")/g,
    );
    const types = "string number integer boolean object array datetime".split(" ");
    for (const [, kind, text = ""] of patterns) {
      const operand = JSON.parse(text) as string; // a string of JSON
      if (kind === "match") expect(() => new RegExp(operand, "u")).not.toThrow();
      if (kind === "type") expect(types).toContain(operand);
    }
  });

  it("are at least three hundred, with unique names", () => {
    expect(vectors.length).toBeGreaterThanOrEqual(300);
    expect(new Set(vectors.map(({ name }) => name)).size).toBe(vectors.length);
  });

  it("cover every rule and name no unknown one", () => {
    const spoken = new Set<string>(vectors.flatMap(({ rules }) => rules));
    expect(RULES.filter(({ id }) => !spoken.has(id)).map(({ id }) => id)).toEqual([]);
    expect([...spoken].filter((id) => !isRuleId(id))).toEqual([]);
  });

  it("are of the tier of their main rule, or a later one", () => {
    expect(findEarly(vectors).map(({ name }) => name)).toEqual([]);
  });

  it("use fixtures of their file", () => {
    const lost = files.flatMap(({ fixtures = {}, vectors }) =>
      vectors.filter(({ data }) => data !== undefined && !Object.hasOwn(fixtures, data)),
    );
    expect(lost.map(({ name }) => name)).toEqual([]);
  });
});

describe("the laws", () => {
  it("have unique ids and known rules", () => {
    expect(new Set(LAWS.map(({ id }) => id)).size).toBe(LAWS.length);
    expect(LAWS.flatMap(({ rules }) => rules).filter((id) => !isRuleId(id))).toEqual([]);
  });

  it("are of the tier of their main rule, or a later one", () => {
    expect(findEarly(LAWS).map(({ id }) => id)).toEqual([]);
  });
});

/** Checks of an earlier tier than their main rule. */
function findEarly<C extends { readonly rules: readonly string[]; readonly tier: Tier }>(
  checks: readonly C[],
): C[] {
  return checks.filter(
    ({ rules, tier }) => !isWithinTier(tierOf.get(rules[0] ?? "") ?? "strict", tier),
  );
}

describe("the rules", () => {
  it("have unique numbers and meanings", () => {
    expect(new Set(RULES.map(({ id }) => id)).size).toBe(RULES.length);
    expect(new Set(RULES.map(({ meaning }) => meaning)).size).toBe(RULES.length);
    for (const { id, meaning } of RULES) {
      expect(id).toMatch(/^[NTRPFSGBMDUELXQVHAK]-\d+$/);
      expect(meaning).toMatch(/^\S.+\.$/);
    }
  });
});
