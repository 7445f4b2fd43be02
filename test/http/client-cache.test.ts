import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { createWriteDelay } from "../../src/http/client-cache.js";
import type { RoutedRequest } from "../../src/http/match.js";

const exchange = (operation: string, reads: boolean): RoutedRequest =>
  ({
    request: { method: "POST", header: () => "client" },
    found: { routes: new Map([["POST", { operation, reads }]]) },
  }) as unknown as RoutedRequest; // all that is read

it("a write waits although the one before it ended after its query", async () => {
  const cache = createWriteDelay();
  const query = () => cache.follow(exchange("queryTable", true), Date.now());
  const write = () => cache.follow(exchange("insertRecord", false), Date.now());
  expect(write()).toBeUndefined();
  expect(query()).toBeUndefined();
  const first = write();
  expect(first).toBeInstanceOf(Promise);
  query();
  await first;
  const second = write();
  expect(second).toBeInstanceOf(Promise);
  await second;
  expect(write()).toBeUndefined();
});

it("a query's request is not kept until its client writes", async () => {
  const cache = createWriteDelay();
  const query = (): WeakRef<object> => {
    const given = exchange("queryTable", true);
    cache.follow(given, Date.now());
    return new WeakRef(given.request);
  };
  const request = query();
  setFlagsFromString("--expose-gc");
  await new Promise(setImmediate);
  (runInNewContext("gc") as () => void)();
  expect(request.deref()).toBeUndefined();
  await cache.follow(exchange("insertRecord", false), Date.now());
});
