// Processes that run the tasks of child.mjs, each for one engine.
import { fork } from "node:child_process";
import { once } from "node:events";

/** Starts a process for an engine. Only one process should work at a time. */
export function openSession(engine, { rows = 0, env = {} } = {}) {
  const heapMegabytes = rows > 2_000_000 ? 16_384 : 8192;
  const child = fork(new URL("./child.mjs", import.meta.url), [engine], {
    env: { ...process.env, ...env },
    execArgv: ["--expose-gc", `--max-old-space-size=${heapMegabytes}`],
    serialization: "advanced",
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  let settle = () => {};
  child.on("message", (message) => settle(message));
  child.on("exit", () => settle({ error: "its process ended" }));
  return {
    engine,
    /** Runs one task at a time. */
    async ask(task, args = {}) {
      const { result, error } = await new Promise((resolve) => {
        settle = resolve;
        child.send({ task, args });
      });
      if (error !== undefined) throw new Error(`${engine}: ${error}`);
      return result;
    },
    async close() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill("SIGKILL");
      await once(child, "exit");
    },
  };
}

/** Starts a process and loads all rows, whose digests must equal `expected`. */
export async function openLoaded(engine, { rows, progress }, expected) {
  progress(`${engine}: loading ${rows.toLocaleString("en")} rows`);
  const session = openSession(engine, { rows });
  const load = await session.ask("open", { rows });
  if (load.answer !== (expected ?? load.answer)) throw new Error(`${engine}: loaded rows differ`);
  return { session, load };
}
