import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import type { Readable, Writable } from "node:stream";

const NAMES: readonly string[] = ["chromium", "chromium-browser", "google-chrome", "chrome"];

/** The browser of this machine, if it has one; `CHROMIUM` names another, or as an empty text none. */
export function findBrowser(): string | undefined {
  const given = process.env.CHROMIUM;
  if (given !== undefined) return given === "" ? undefined : given;
  const places = (process.env.PATH ?? "").split(delimiter);
  return NAMES.flatMap((name) => places.map((place) => join(place, name))).find(existsSync);
}

/** A page that is open in a browser without a window. */
export interface BrowserPage {
  /** The value of an expression in the page. */
  evaluate<T>(expression: string): Promise<T>;
  /** Moves to an element, as a person would, and clicks it. */
  click(selector: string): Promise<void>;
  /** What the page complained of so far. */
  readonly complaints: readonly string[];
  close(): Promise<void>;
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  // biome-ignore lint/suspicious/noExplicitAny: each command of the protocol has its own answer
  readonly result?: any;
  readonly error?: { readonly message: string };
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly params?: any;
}

/** Opens a page through the browser's own protocol, over pipes. */
export async function openPage(browser: string, url: string): Promise<BrowserPage> {
  const profile = mkdtempSync(join(tmpdir(), "conformance-browser-"));
  const process = spawn(
    browser,
    [
      "--headless=new",
      "--no-sandbox",
      "--disable-gpu",
      "--disable-dev-shm-usage",
      "--remote-debugging-pipe",
      "--window-size=1200,900",
      `--user-data-dir=${profile}`,
      "about:blank",
    ],
    { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] },
  );
  const complaints: string[] = [];
  const send = connect(process, complaints);
  const { targetId } = await send("Target.createTarget", { url: "about:blank" });
  const { sessionId } = await send("Target.attachToTarget", { targetId, flatten: true });
  for (const domain of ["Page", "Runtime", "Log"]) await send(`${domain}.enable`, {}, sessionId);
  await send("Page.navigate", { url }, sessionId);
  const evaluate = async <T>(expression: string): Promise<T> => {
    const options = { expression, returnByValue: true, awaitPromise: true };
    const { result, exceptionDetails } = await send("Runtime.evaluate", options, sessionId);
    if (exceptionDetails !== undefined) throw new Error(JSON.stringify(exceptionDetails));
    return result.value as T; // what the test asked for
  };
  await evaluate(
    `new Promise((done) => document.readyState === "complete" ? done(0) : addEventListener("load", () => done(0)))`,
  );
  return {
    complaints,
    evaluate,
    async click(selector) {
      const place = await evaluate<{ x: number; y: number }>(`(() => {
        const element = document.querySelector(${JSON.stringify(selector)});
        element.scrollIntoView({ block: "center" });
        const { x, y, height } = element.getBoundingClientRect();
        return { x: x + 10, y: y + height / 2 };
      })()`);
      const mouse = { ...place, button: "left", clickCount: 1 };
      for (const type of ["mousePressed", "mouseReleased"]) {
        await send("Input.dispatchMouseEvent", { type, ...mouse }, sessionId);
      }
    },
    async close() {
      const gone = new Promise((resolve) => process.once("exit", resolve));
      await send("Browser.close", {}).catch(() => process.kill());
      await gone;
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

type Send = (
  method: string,
  params: object,
  sessionId?: string,
  // biome-ignore lint/suspicious/noExplicitAny: each command of the protocol has its own answer
) => Promise<any>;

/** Commands and answers end with a zero byte each. */
function connect(process: ChildProcess, complaints: string[]): Send {
  const [, , , input, output] = process.stdio as unknown as [0, 0, 0, Writable, Readable]; // as spawned
  const waiting = new Map<number, (message: Message) => void>();
  let [count, rest] = [0, ""];
  output.on("data", (chunk: Buffer) => {
    const parts = (rest + chunk.toString()).split("\0");
    rest = parts.pop() ?? "";
    for (const part of parts) receive(JSON.parse(part) as Message);
  });
  const receive = (message: Message): void => {
    if (message.id !== undefined) waiting.get(message.id)?.(message);
    const { method, params } = message;
    if (method === "Runtime.exceptionThrown") complaints.push(JSON.stringify(params));
    if (method === "Runtime.consoleAPICalled") complaints.push(JSON.stringify(params.args));
    if (method === "Log.entryAdded") complaints.push(params.entry.text);
  };
  process.once("exit", () => {
    for (const answer of waiting.values()) answer({ error: { message: "the browser is gone" } });
  });
  return (method, params, sessionId) =>
    new Promise((resolve, reject) => {
      const id = ++count;
      waiting.set(id, ({ result, error }) => {
        waiting.delete(id);
        if (error === undefined) resolve(result);
        else reject(new Error(`${method}: ${error.message}`));
      });
      input.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    });
}
