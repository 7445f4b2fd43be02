// The parent's side of the engines' processes.
import { fork } from "node:child_process";
import { once } from "node:events";

/** @typedef {Awaited<ReturnType<typeof openSession>>} Session */

/**
 * Starts a process for an engine. Only one of them should have something to do at a time.
 *
 * @param {string} engine
 * @param {number} [rows] more of them are given a larger heap
 */
export function openSession(engine, rows = 0) {
  const heapMegabytes = rows > 2_000_000 ? 16_384 : 8192;
  const child = fork(new URL("./child.mjs", import.meta.url), [engine], {
    execArgv: ["--expose-gc", `--max-old-space-size=${heapMegabytes}`],
    serialization: "advanced",
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  /** @type {((message: { result?: any, error?: string }) => void) | undefined} */
  let settle;
  child.on("message", (/** @type {any} */ message) => settle?.(message));
  child.on("exit", () => settle?.({ error: `${engine}: its process ended` }));
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  return {
    engine,
    hasEnded,
    /**
     * One task at a time. A process that takes longer than it may is ended.
     *
     * @param {string} task
     * @param {object} [args]
     * @param {number} [limitSeconds] default a day
     * @returns {Promise<any>}
     */
    async ask(task, args = {}, limitSeconds = 86_400) {
      if (hasEnded()) throw new Error(`${engine}: its process has ended`);
      let isLate = false;
      const timer = setTimeout(() => {
        isLate = true;
        child.kill("SIGKILL");
      }, limitSeconds * 1000);
      const message = await new Promise((resolve) => {
        settle = resolve;
        child.send({ task, args });
      });
      clearTimeout(timer);
      settle = undefined;
      if (isLate) throw new Error(`no answer within ${limitSeconds} s`);
      if (message.error !== undefined) throw new Error(message.error);
      return message.result;
    },
    async close() {
      if (hasEnded()) return;
      child.kill("SIGKILL");
      await once(child, "exit");
    },
  };
}

/** Why a task failed. @param {unknown} error */
export function firstLine(error) {
  const text = error instanceof Error ? error.message : String(error);
  return (text.split("\n")[0] ?? "").replace(/^Error: /, "");
}
