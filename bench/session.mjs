// The parent's side of the engines' processes.
import { fork } from "node:child_process";
import { once } from "node:events";

/** @typedef {Awaited<ReturnType<typeof openSession>>} Session */

/**
 * Starts a process for an engine. Only one of them should have something to do at a time.
 *
 * @param {string} engine
 * @param {number} [heapMegabytes]
 */
export function openSession(engine, heapMegabytes = 8192) {
  const child = fork(new URL("./child.mjs", import.meta.url), [engine], {
    execArgv: ["--expose-gc", `--max-old-space-size=${heapMegabytes}`],
    serialization: "advanced",
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  /** @type {((message: { result?: any, error?: string }) => void) | undefined} */
  let settle;
  child.on("message", (/** @type {any} */ message) => settle?.(message));
  child.on("exit", () => settle?.({ error: `${engine}: its process ended` }));
  return {
    engine,
    /**
     * One task at a time.
     *
     * @param {string} task
     * @param {object} [args]
     * @returns {Promise<any>}
     */
    async ask(task, args = {}) {
      if (child.exitCode !== null || child.signalCode !== null) {
        throw new Error(`${engine}: its process has ended`);
      }
      const message = await new Promise((resolve) => {
        settle = resolve;
        child.send({ task, args });
      });
      settle = undefined;
      if (message.error !== undefined) throw new Error(message.error);
      return message.result;
    },
    async close() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill();
      await once(child, "exit");
    },
  };
}
