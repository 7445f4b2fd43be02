import { readFileSync } from "node:fs";
import { test as base, describe, expect } from "vitest";
import { createShop, shopOf } from "./shop.js";

const seeded = createShop();

const test = base.extend("engine", () => seeded.fork());

test("has its own engine", ({ engine }) => {
  engine.workspace("acme").database("shop").branch("main").table("users").insert({});
});

describe("tests with an engine each", () => {
  test("do not see writes of others", ({ engine }) => {
    expect(shopOf(engine).table("users").count()).toBe(2);
    shopOf(engine).table("users").insert({});
  });

  test("do not see writes of earlier tests", ({ engine }) => {
    expect(shopOf(engine).table("users").count()).toBe(2);
    expect(shopOf(seeded).table("users").count()).toBe(2);
  });

  base("are declared as in docs/testing.md", () => {
    const page = readFileSync(new URL("../../docs/testing.md", import.meta.url), "utf8");
    const snippet = page.split("```").find((part) => part.includes("base.extend")) ?? "";
    const own = readFileSync(new URL(import.meta.url), "utf8");
    const statements = snippet.split(/\n\n+/).filter((part) => !part.includes("import "));
    expect(statements).toHaveLength(2);
    for (const statement of statements) expect(own).toContain(statement.trim());
  });
});
