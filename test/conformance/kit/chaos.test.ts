import { describe, expect, it } from "vitest";
import { replayArguments } from "../../../src/conformance/report/report.js";
import { runConformance } from "../../../src/conformance/runner/run.js";
import type { ServiceTarget } from "../../../src/conformance/target/target.js";
import { createEngine } from "../../../src/index.js";
import { serve } from "../../../src/node.js";
import { createTarget } from "./wrap.js";

const OPTIONS = { vectors: [], only: ["concurrent"], chaos: true, runs: 15 } as const;

/** Calls a function when an answer is cut off. */
function onCut(
  target: ServiceTarget,
  act: (url: string, init: RequestInit) => void,
): ServiceTarget {
  return {
    ...target,
    async fetch(url, init) {
      const response = await (target.fetch ?? globalThis.fetch)(url, init);
      const { status } = response;
      if (status === 204) return response;
      const text = await response.text();
      let sent = false;
      const body = new ReadableStream(
        {
          pull(controller) {
            if (sent) controller.close();
            else controller.enqueue(new TextEncoder().encode(text));
            sent = true;
          },
          cancel: () => act(url, init),
        },
        { highWaterMark: 0 },
      );
      return new Response(body, { status });
    },
  };
}

describe("requests over a bad connection", () => {
  it("an engine loses and repeats no effect", async () => {
    const { checks } = await runConformance({ engine: createEngine({ seed: 1, now: 0 }) }, OPTIONS);
    expect(checks.map(({ id, verdict }) => `${id} ${verdict}`).sort()).toEqual([
      "chaos:records passed",
      "chaos:transactions passed",
      "chaos:unique passed",
    ]);
  });

  it("nor does a server, whose connections end", async () => {
    const engine = createEngine({ seed: 1, now: 0 });
    engine.createWorkspace("w");
    const server = await serve(engine, { workspace: "w" });
    try {
      const target = { workspaceUrl: server.url, workspace: "w" };
      const { checks } = await runConformance(target, { ...OPTIONS, runs: 5 });
      expect(checks.map(({ verdict }) => verdict)).toEqual(["passed", "passed", "passed"]);
    } finally {
      await server.close();
    }
  });

  it("requests are cut off, repeated and delayed", async () => {
    const seen: string[] = [];
    let cuts = 0;
    const { fetch, ...rest } = createTarget();
    const counted: ServiceTarget = {
      ...rest,
      fetch(url, init) {
        if (url.includes("/data/")) seen.push(`${init.method} ${url} ${init.body}`);
        return (fetch ?? globalThis.fetch)(url, init);
      },
    };
    const target = onCut(counted, () => cuts++);
    await runConformance(target, { ...OPTIONS, only: ["chaos:records"], runs: 5 });
    expect(cuts).toBeGreaterThan(5);
    expect(seen.length).toBeGreaterThan(5 * 40);
  });

  it("X-1: a write that takes effect twice, as its answer was cut off, is found", async () => {
    const plain = createTarget();
    const send = plain.fetch ?? globalThis.fetch;
    const target = onCut(plain, (url, init) => {
      if (init.method === "PATCH") void send(url, init).then(() => send(url, init));
    });
    const { divergences } = await runConformance(target, { ...OPTIONS, runs: 40 });
    const [divergence] = divergences;
    expect(divergence?.check).toBe("chaos:records");
    expect(divergence && replayArguments(divergence)).toMatch(/^--chaos --only chaos:records /);
    const { counterexample } = divergence ?? {};
    const history = counterexample?.kind === "history" ? counterexample.history.join("\n") : "";
    expect(history).toContain("nothing: it may have taken effect, now or later, or not");
    const quiet = { vectors: [], only: ["concurrent"], concurrent: true, runs: 15 };
    expect((await runConformance(target, quiet)).divergences).toEqual([]);
  });
});
