import { expect, it, onTestFinished, vi } from "vitest";
import { createEngine } from "../../src/index.js";
import { applyChanges, type LiveChange, liveEvents, liveQuery } from "../../src/live.js";
import { expectRefusal } from "../refusal.js";

function open() {
  const engine = createEngine({ now: 0, seed: 1 });
  const main = engine.createWorkspace("w").createDatabase("d").branch("main");
  const items = main.createTable("items", [{ name: "n", type: "int" }]);
  items.insert([
    { id: "a", n: 1 },
    { id: "b", n: 2 },
  ]);
  return { main, items, live: liveQuery(items, { sort: { n: "asc" }, page: { size: 2 } }) };
}

interface Event {
  readonly id: number;
  readonly event: string;
  readonly data: {
    readonly records: readonly { readonly id: string }[];
    readonly changes: readonly LiveChange<{ readonly id: string }>[];
    readonly more: boolean;
    readonly code: string;
  };
}

async function next(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<Event | string> {
  const { value, done } = await reader.read();
  if (done) return "end";
  const text = new TextDecoder().decode(value);
  const fields = /^(?:id: (\d+)\n)?event: (\w+)\ndata: (.*)\n\n$/.exec(text);
  if (fields === null) return text;
  const [, id = "0", event = "", data = ""] = fields;
  return { id: Number(id), event, data: JSON.parse(data) as Event["data"] };
}

it("liveEvents sends the page, then changes, which lead to the page of a fresh query", async () => {
  const { items, live } = open();
  const reader = liveEvents(live).getReader();
  const first = (await next(reader)) as Event;
  expect(first).toMatchObject({
    id: 1,
    event: "page",
    data: { records: live.records, more: false },
  });
  items.insert({ id: "c", n: 0 });
  const second = (await next(reader)) as Event;
  expect(second).toMatchObject({ id: 2, event: "changes", data: { more: true } });
  const { records } = items.query({ sort: { n: "asc" }, page: { size: 2 } });
  expect(applyChanges(first.data.records, second.data.changes)).toEqual(records);
  items.delete("b");
  expect(await next(reader)).toMatchObject({ id: 3, data: { changes: [], more: false } });
});

it("a slow reader gets the difference since what it read", async () => {
  const { items, live } = open();
  const reader = liveEvents(live).getReader();
  await next(reader);
  for (let n = 0; n < 1000; n++) items.update("a", { n: n % 5 });
  items.update("a", { n: 7 });
  const { data } = (await next(reader)) as Event;
  expect(data.changes).toMatchObject([
    { type: "modified", record: { id: "a", n: 7 }, oldIndex: 0, newIndex: 1 },
  ]);
});

it("a waiting reader is woken; a new one, as after Last-Event-ID, gets the whole page", async () => {
  const { items, live } = open();
  const readers = [0, 1].map(() => liveEvents(live, { keepOpen: true }).getReader());
  for (const reader of readers) await next(reader);
  const waiting = readers.map(next);
  items.delete("a");
  for (const event of await Promise.all(waiting)) expect(event).toMatchObject({ event: "changes" });
  await readers[0]!.cancel();
  expect(live.isClosed).toBe(false);
  const again = liveEvents(live).getReader();
  expect(await next(again)).toMatchObject({
    id: 1,
    event: "page",
    data: { records: [{ id: "b" }] },
  });
});

it("cancelling closes the query; a reader that waits gets the end", async () => {
  const { live } = open();
  const [one, other] = [liveEvents(live).getReader(), liveEvents(live).getReader()];
  await next(one);
  await next(other);
  const waiting = next(other);
  const ending = next(one);
  await one.cancel();
  expect(live.isClosed).toBe(true);
  expect(await ending).toBe("end");
  expect(await waiting).toMatchObject({ event: "closed" });
  expect(await next(other)).toBe("end");
});

it("the error that closes the query is the last event", async () => {
  const { items, live } = open();
  const reader = liveEvents(live).getReader();
  await next(reader);
  items.removeColumn("n");
  expect(await next(reader)).toMatchObject({ event: "closed", data: { code: "unknown_column" } });
  expect(await next(reader)).toBe("end");
});

it("a heartbeat is sent after the time without an event", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { items, live } = open();
  const reader = liveEvents(live, { heartbeatMs: 1000 }).getReader();
  await next(reader);
  const waiting = next(reader);
  await vi.advanceTimersByTimeAsync(1000);
  expect(await waiting).toBe(": heartbeat\n\n");
  const after = next(reader);
  items.delete("a");
  expect(await after).toMatchObject({ event: "changes" });
  expect(vi.getTimerCount()).toBe(0);
});

it("E-3: options and live queries of other kinds are refused", () => {
  const { live } = open();
  const loose = liveEvents as (...given: unknown[]) => unknown;
  expectRefusal(() => loose(live, { heartbeat: 1 }), {
    code: "invalid_request",
    path: "/heartbeat",
  });
  expectRefusal(() => loose(live, { heartbeatMs: 0 }), {
    code: "invalid_request",
    path: "/heartbeatMs",
  });
  expectRefusal(() => loose({ records: [] }), { code: "invalid_request", rule: "E-3" });
});
