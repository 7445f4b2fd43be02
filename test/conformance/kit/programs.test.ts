import { describe, expect, it } from "vitest";
import { runConformance } from "../../../src/conformance/runner/run.js";
import { createTarget, isPost, type Wrap } from "./wrap.js";

const LAW = { vectors: [], only: ["law:commands-follow-the-model"] };

/** A renamed column loses its values if a page was read since the latest write. */
const forgetful: Wrap = (next) => {
  let isRead = false;
  return async (call) => {
    if (/\/data/.test(call.path)) isRead = false;
    if (isPost(call, "/query")) isRead = true;
    const [, columns] = /^(.*\/columns)\/[^/]+$/.exec(call.path) ?? [];
    if (!isRead || call.method !== "PATCH" || columns === undefined) return next(call);
    const { body } = await next({ ...call, method: "GET", body: undefined });
    const reply = await next(call);
    if (reply.status !== 200) return reply;
    const renamed = { ...body, name: call.body.name };
    await next({
      ...call,
      method: "DELETE",
      path: `${columns}/${call.body.name}`,
      body: undefined,
    });
    await next({ ...call, method: "POST", path: columns, body: renamed });
    return reply;
  };
};

/** The clients of a table share one position. */
const shared: Wrap = (next) => {
  const latest = new Map<string, string>();
  return async (call) => {
    if (!isPost(call, "/query")) return next(call);
    const { after } = call.body?.page ?? {};
    const held = latest.get(call.path);
    const page = {
      ...call.body?.page,
      ...(after !== undefined && held !== undefined && { after: held }),
    };
    const reply = await next({ ...call, body: { ...call.body, page } });
    const cursor = reply.body?.meta?.page?.cursor;
    if (cursor !== undefined) latest.set(call.path, cursor);
    return reply;
  };
};

/** A cursor has the filter of the latest filtered query of its table, by any client. */
const crossed: Wrap = (next) => {
  const filters = new Map<string, object | undefined>();
  return async (call) => {
    if (!isPost(call, "/query")) return next(call);
    const { filter, page = {} } = call.body ?? {};
    const isFirst = Object.values(page).every((each) => typeof each === "number" || each === "end");
    if (isFirst && filter !== undefined) filters.set(call.path, filter);
    const reply = await next(call);
    const other = filters.get(call.path);
    if (isFirst || reply.status !== 200 || other === undefined) return reply;
    const all = await next({ ...call, body: { filter: other, page: { size: 200 } } });
    const ids = new Set(all.body.records.map(({ id }: { readonly id: string }) => id));
    const records = reply.body.records.filter(({ id }: { readonly id: string }) => ids.has(id));
    return { ...reply, body: { ...reply.body, records } };
  };
};

describe("programs of two clients", () => {
  const requireFound = async (wrap: Wrap): Promise<void> => {
    const { divergences } = await runConformance(createTarget(wrap), { ...LAW, runs: 60 });
    expect(divergences).toHaveLength(1);
    const { counterexample, confirmed } = divergences[0] ?? {};
    expect(confirmed).toBe(true);
    const steps = counterexample?.kind === "vector" ? counterexample.vector.steps : [];
    expect(steps.length).toBeLessThan(16);
  };

  it("find a column renamed after a page is read, and shrink", () => requireFound(forgetful));

  it.each([
    ["two clients with one position", shared],
    ["two clients with one filter", crossed],
  ])("find %s, and shrink", { tags: ["slow"] }, (_, wrap) => requireFound(wrap));
});
