import { describe, expect, it } from "vitest";
import { checkName, parseDbBranchName } from "../../src/catalog/names.js";
import { expectRefusal } from "./refusal.js";

describe("checkName", () => {
  const good = ["a", "A-z_0~9", "0", "__proto__", "constructor", "x".repeat(255)];
  it.each(good)("N-1: %s is a name", (name) => {
    expect(() => checkName("table", name)).not.toThrow();
  });

  const bad = ["", "a b", "a:b", "a.b", "a/b", "$a", "é", "a\n", "x".repeat(256), 1, null, ["a"]];
  it.each(bad)("N-1: %j is none", (name) => {
    expectRefusal(() => checkName("table", name, "/name"), {
      code: "invalid_name",
      status: 400,
      path: "/name",
      rule: "N-1",
      message: /^table name: /,
    });
  });

  it("N-1: the message does not repeat a huge name", () => {
    expectRefusal(() => checkName("table", "x".repeat(1e6)), {
      code: "invalid_name",
      message: /^.{0,200}$/,
    });
  });
});

describe("parseDbBranchName", () => {
  it("N-2: database, colon, branch", () => {
    expect(parseDbBranchName("shop:main")).toEqual({ database: "shop", branch: "main" });
  });

  it.each(["", "shop", "shop:main:x", "::", "a:b:c:d", undefined, 7])(
    "N-2: %j has not exactly one colon",
    (text) => {
      expectRefusal(() => parseDbBranchName(text), { code: "invalid_name", rule: "N-2" });
    },
  );

  it.each([":", "shop:", ":main", "sh op:main", "shop:m/n"])("N-1: %j has a bad part", (text) => {
    expectRefusal(() => parseDbBranchName(text), { code: "invalid_name", rule: "N-1" });
  });
});
