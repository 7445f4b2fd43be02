import { describe, expect, it } from "vitest";
import { type AnyEngine, createEngine } from "../../src/index.js";
import { expectRefusal } from "../refusal.js";
import { observe } from "../robustness/digest.js";
import { createShop, shopOf } from "./shop.js";

const start: number = Date.UTC(2024, 0, 31);

describe("engine.clock", () => {
  it("stands still after set", () => {
    const engine = createShop();
    engine.clock.set(new Date("2030-01-01T00:00:00Z"));
    expect(shopOf(engine).table("users").insert({}).joined).toBe("2030-01-01T00:00:00Z");
    expect(engine.clock.now()).toBe(Date.UTC(2030, 0, 1));
  });

  it("sets the times of writes after advance", () => {
    const engine = createShop();
    const { id } = shopOf(engine).table("teams").insert({ name: "Red" });
    engine.clock.advance(1500);
    const { service } = shopOf(engine).table("teams").update(id, { name: "Reds" });
    expect(service).toEqual({
      version: 1,
      createdAt: "2024-01-31T00:00:00Z",
      updatedAt: "2024-01-31T00:00:01.5Z",
    });
  });

  it("keeps microseconds", () => {
    const engine = createShop();
    engine.clock.advance(0.25);
    expect(shopOf(engine).table("users").insert({}).joined).toBe("2024-01-31T00:00:00.00025Z");
    expect(engine.clock.now()).toBe(start + 0.25);
  });

  it("continues to run after advance, and stops after set", () => {
    let time = 1000;
    const { clock } = createEngine({ now: () => time });
    clock.advance(500);
    time = 2000;
    expect(clock.now()).toBe(2500);
    clock.set(7);
    time = 3000;
    expect(clock.now()).toBe(7);
    clock.reset();
    expect(clock.now()).toBe(3000);
  });

  it("is reset to the engine's initial time", () => {
    const { clock } = createShop();
    clock.advance(1000);
    clock.reset();
    expect(clock.now()).toBe(start);
  });

  it("is independent in a fork", () => {
    const engine = createShop();
    engine.clock.advance(1000);
    const fork = engine.fork();
    fork.clock.advance(1000);
    expect([engine.clock.now(), fork.clock.now()]).toEqual([start + 1000, start + 2000]);
  });

  it("rejects invalid times", () => {
    const { clock } = createShop();
    for (const time of [Number.NaN, 1e15, new Date(Number.NaN)]) {
      expectRefusal(() => clock.set(time), { code: "invalid_request" });
    }
    for (const ms of [-1, Number.NaN, Number.POSITIVE_INFINITY, 1e15]) {
      expectRefusal(() => clock.advance(ms), { code: "invalid_request" });
    }
    expect(clock.now()).toBe(start);
  });
});

describe("the same calls", () => {
  it("give the same bytes: records, ids, times, random orders, cursors and errors", () => {
    expect(answersOf(createShop())).toBe(answersOf(createShop()));
  });

  it("give different ids for different seeds", () => {
    const ids = (seed: number) =>
      JSON.stringify(shopOf(createShop({ seed })).table("users").query());
    expect(ids(1)).not.toBe(ids(2));
  });

  it("give the same bytes on forks of one engine", () => {
    const engine = createShop();
    const [first, second] = [engine.fork(), engine.fork()];
    expect(answersOf(first)).toBe(answersOf(second));
    expect(shopOf(engine).table("users").count()).toBe(2);
  });
});

/** The answers to some calls, as text. */
function answersOf(engine: AnyEngine): string {
  const main = shopOf(engine);
  const users = main.table("users");
  const answers: unknown[] = [users.insert([{ labels: ["a"] }, { team: "blue" }, {}])];
  engine.clock.advance(10);
  engine.createUser({ email: "bob@example.com", fullname: "Bob" });
  answers.push(observe(engine));
  answers.push(users.query({ sort: { "*": "random" }, page: { size: 2 } }));
  answers.push(users.query({ sort: { "*": "random" }, page: { size: 2 } }));
  answers.push(main.createTable("more", [{ name: "n", type: "int" }]).query());
  try {
    users.insert({ email: "ada@example.com" });
  } catch (error) {
    answers.push(error, String(error));
  }
  return JSON.stringify(answers);
}
