import { describe, expect, it } from "vitest";
import { createControl, createFetch, createJournal, createMemory } from "../../src/http.js";
import { createEngine } from "../../src/index.js";
import { sizeOf, sizeOfJson } from "../../src/value/size.js";
import { expectRefusal } from "../refusal.js";

const MIB = 1024 * 1024;
const CONTROL = "http://localhost/_twinbase";
const TABLE = "http://localhost/db/d:main/tables/notes";

function open() {
  const engine = createEngine({ seed: 1, now: 0 });
  const main = engine.createWorkspace("w").createDatabase("d").branch("main");
  const notes = main.createTable("notes", [
    { name: "text", type: "text" },
    { name: "doc", type: "json" },
  ]);
  const doc = JSON.stringify(Array.from({ length: 300 }, (_, n) => ({ n })));
  const ids = Array.from({ length: 20 }, (_, n) => `r${n}`);
  notes.insert(ids.map((id) => ({ id, text: "a", doc })));
  const memory = createMemory(4 * MIB);
  const fetch = createFetch(engine, { control: createControl(), memory });
  const send = (method: string, url: string, body?: object) =>
    fetch(url, { method, ...(body && { body: JSON.stringify(body) }) });
  return { engine, notes, ids, memory, send };
}

type World = ReturnType<typeof open>;

interface Attack {
  /** Sends the nth request. */
  readonly send: (world: World, n: number) => Promise<Response>;
  /** Removes what the requests left. */
  readonly remove: (world: World, answers: readonly Response[]) => unknown;
}

const cancelAll = (_: World, answers: readonly Response[]) =>
  Promise.all(answers.map(({ body }) => body?.cancel()));
const clearFaults = ({ send }: World) => send("DELETE", `${CONTROL}/faults`);
const long = "x".repeat(100_000);

/** What a client can make a server keep. */
const ATTACKS: Readonly<Record<string, Attack>> = {
  "streams of events": { send: ({ send }) => send("GET", `${CONTROL}/events`), remove: cancelAll },
  "streams of records": {
    send: ({ send, ids }) => send("POST", `${CONTROL}/db/d:main/tables/notes/live`, { ids }),
    remove: cancelAll,
  },
  "faults with long answers": {
    send: ({ send }) =>
      send("POST", `${CONTROL}/faults`, {
        on: { table: "none" },
        answer: { status: 500, body: { long } },
      }),
    remove: clearFaults,
  },
  "small faults": {
    send: ({ send }) => send("POST", `${CONTROL}/faults`, { on: { table: "none" }, delay: 1 }),
    remove: clearFaults,
  },
  "snapshots of a text that changes": {
    send: async ({ send }, n) => {
      await send("PATCH", `${TABLE}/data/r0`, { text: `${n}${long}` });
      return send("PUT", `${CONTROL}/snapshots/s${n}`);
    },
    remove: async ({ send }, answers) => {
      // From the middle: each holds what only it and its successor had.
      for (const n of [...answers.keys()].sort((a, b) => (a % 3) - (b % 3))) {
        if (answers[n]!.ok) await send("DELETE", `${CONTROL}/snapshots/s${n}`);
      }
    },
  },
};

describe.each(Object.entries(ATTACKS))("%s", (_, attack) => {
  it("E-5: are refused when their part of the memory is full, and free it when they end", async () => {
    const world = open();
    const { memory, send, notes } = world;
    for (const round of [1, 2]) {
      const answers: Response[] = [];
      do answers.push(await attack.send(world, answers.length));
      while (answers.at(-1)!.ok && answers.length < 1000);
      expect(answers.at(-1)!.status, `round ${round}`).toBe(503);
      expect(await answers.at(-1)!.json()).toMatchObject({ code: "unavailable", rule: "E-5" });
      expect(answers.length).toBeGreaterThan(2);
      expect(memory.kept).toBeLessThanOrEqual(memory.part);
      expect(memory.kept).toBeGreaterThan(memory.part / 2);
      expect((await send("GET", `${TABLE}/data/r1`)).status).toBe(200);
      expect(notes.count()).toBe(20);
      await attack.remove(world, answers);
    }
    await send("DELETE", `${CONTROL}/journal`);
    expect(memory.kept).toBe(0);
  });
});

it("E-5: a stream ends when the records that it keeps no longer fit", async () => {
  const { send, ids, memory, notes } = open();
  const { body } = await send("POST", `${CONTROL}/db/d:main/tables/notes/live`, { ids });
  const reader = body!.getReader();
  await reader.read();
  const before = memory.kept;
  notes.update("r1", { text: long });
  expect(memory.kept).toBeGreaterThan(before + long.length);
  for (const id of ids) notes.update(id, { text: long });
  while (!(await reader.read()).done);
  await send("DELETE", `${CONTROL}/journal`);
  expect(memory.kept).toBe(0);
});

it("E-5: the journal forgets old calls for which the memory has no room", async () => {
  const { send, memory } = open();
  for (let n = 0; n < 30; n++) await send("PATCH", `${TABLE}/data/r0`, { text: `${n}${long}` });
  expect(memory.kept).toBeLessThanOrEqual(memory.part);
  const { entries } = (await (await send("GET", `${CONTROL}/journal?bodies=false`)).json()) as {
    readonly entries: readonly { readonly index: number }[];
  };
  expect(entries.at(-1)).toMatchObject({ index: 29 });
  expect(entries.length).toBeLessThan(10);
});

it("E-5: a search is refused if the words of its table are too many", async () => {
  const { send, notes, memory } = open();
  const words = Array.from({ length: 20_000 }, (_, n) => `word${n}`).join(" ");
  notes.update("r0", { text: words });
  const answer = await send("POST", `${TABLE}/search`, { query: "word1" });
  expect([answer.status, await answer.json()]).toMatchObject([503, { code: "unavailable" }]);
  expect(memory.kept).toBeLessThanOrEqual(memory.part);
  expect((await send("GET", `${TABLE}/data/r1`)).status).toBe(200);
});

it("L-2: a body is refused if its value takes much more memory than its text", async () => {
  const { send, memory, notes } = open();
  const records = Array.from({ length: 22_000 }, () => ({}));
  expect((await send("POST", `${TABLE}/bulk`, { records })).status).toBe(413);
  expect(memory.inTransit).toBe(0);
  expect((await send("PATCH", `${TABLE}/data/r0`, { text: "a".repeat(200_000) })).status).toBe(200);
  expect(memory.inTransit).toBe(0);
  expect(notes.count()).toBe(20);
});

it("values take at most the bytes that are estimated from their text", () => {
  const values = [
    { records: Array.from({ length: 1000 }, () => ({})) },
    Array.from({ length: 1000 }, (_, n) => n),
    Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`k${n}`, [n, `${n}`]])),
    ["€".repeat(1000)],
  ];
  for (const value of values) {
    const text = new TextEncoder().encode(JSON.stringify(value));
    expect(sizeOfJson(text) * 2).toBeGreaterThan(sizeOf(value));
  }
});

it("createMemory refuses other numbers of bytes", () => {
  for (const bytes of [0, -1, 0.5, Number.NaN, "1"]) {
    expectRefusal(() => createMemory(bytes as number), { code: "invalid_request" });
  }
});

it("E-5: a pattern of many names is compared with each entry of the journal once", async () => {
  let reads = 0;
  const names = new Proxy(
    Array.from({ length: 200 }, (_, n) => `c${n}`),
    {
      get(target, key, self) {
        if (typeof key === "string" && /^\d+$/.test(key)) reads++;
        return Reflect.get(target, key, self) as unknown;
      },
    },
  );
  const journal = createJournal();
  const fetch = createFetch(createEngine(), { journal });
  for (let n = 0; n < 50; n++) await fetch(`${TABLE}/query`, { method: "POST", body: "{}" });
  expect(journal.entries({ filteredBy: names, request: names })).toEqual([]);
  expect(reads).toBeLessThan(1000);
});
