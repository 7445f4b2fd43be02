import { type Signal, signal } from "@preact/signals";
import { openEventStream } from "./api.js";

/** Changes to the records of one table. */
export interface TableChange {
  readonly workspace: string;
  readonly database: string;
  readonly branch: string;
  readonly table: string;
  readonly inserted: number;
  readonly deleted: number;
  readonly updatedIds: readonly string[];
  readonly deletedIds: readonly string[];
  /** Whether more records changed than are listed. */
  readonly more: boolean;
}

export interface Changes {
  readonly tables: readonly TableChange[];
  /** Whether workspaces, databases, branches or tables changed. */
  readonly catalog: boolean;
  /** Whether changes were missed: anything may have changed. */
  readonly isGap?: boolean;
}

const RETRY_MS = 2000;
const listeners = new Set<(changes: Changes) => void>();

/** Whether the change feed is connected. */
export const isLive: Signal<boolean> = signal(false);

/** Subscribes to changes; returns a function that unsubscribes. */
export function onChanges(listener: (changes: Changes) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Connects to the change feed while the page is visible: browsers limit connections per host, and
 * hidden tabs would use them up. Returns a function that disconnects.
 */
export function startLive(): () => void {
  let controller: AbortController | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let wasOpen = false;
  const stop = (): void => {
    clearTimeout(timer);
    controller?.abort();
    controller = undefined;
    isLive.value = false;
  };
  const start = (): void => {
    stop();
    if (document.hidden) return;
    controller = new AbortController();
    const { signal } = controller;
    readEvents(signal, (event, data) => {
      if (event === "changes") emit(data as Changes);
      if (event === "open" && wasOpen) emit({ tables: [], catalog: true, isGap: true });
      isLive.value = wasOpen = true;
    })
      .catch(() => {})
      .finally(() => {
        if (signal.aborted) return;
        isLive.value = false;
        timer = setTimeout(start, RETRY_MS);
      });
  };
  document.addEventListener("visibilitychange", start);
  start();
  return () => {
    document.removeEventListener("visibilitychange", start);
    stop();
  };
}

function emit(changes: Changes): void {
  for (const listener of listeners) listener(changes);
}

/** Reads server-sent events; `EventSource` can't send an API key. */
async function readEvents(
  signal: AbortSignal,
  onEvent: (event: string, data: unknown) => void,
): Promise<void> {
  const stream = await openEventStream(signal);
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    text += next.value;
    const events = text.split("\n\n");
    text = events.pop() ?? "";
    for (const lines of events) {
      const [, event = "", data = "{}"] = /^event: (.*)\ndata: (.*)$/.exec(lines) ?? [];
      onEvent(event, JSON.parse(data));
    }
  }
}
