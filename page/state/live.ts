import { type Signal, signal } from "@preact/signals";
import type { TableAddress } from "../../src/catalog/address.js";
import { openStream, ServiceError } from "./api.js";

/** A set of changes. */
interface Changes {
  /** Tables with changed records. */
  readonly tables: readonly TableAddress[];
  /** Whether workspaces, databases, branches or tables changed. */
  readonly catalog: boolean;
  /** Whether changes were missed: anything may have changed. */
  readonly isGap: boolean;
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

/** Connects to the change feed; returns a function that disconnects. */
export function startLive(): () => void {
  let wasOpen = false;
  return follow<Omit<Changes, "isGap">>({
    open: (signal) => openStream(undefined, "GET", "events", { signal }),
    onEvent: ({ tables, catalog }) => {
      const isGap = wasOpen && !isLive.value;
      wasOpen = isLive.value = true;
      // The first event may be empty.
      if (!isGap && !catalog && tables.length === 0) return;
      for (const listener of listeners) listener({ tables, catalog: catalog || isGap, isGap });
    },
    onEnd: () => (isLive.value = false),
  });
}

/**
 * Follows a stream of events while the page is visible: browsers limit connections per host, and
 * hidden tabs would use them up. Returns a function that stops.
 */
export function follow<T>({
  open,
  onEvent,
  onEnd,
  delayMs = 0,
}: {
  readonly open: (signal: AbortSignal) => Promise<ReadableStream<Uint8Array<ArrayBuffer>>>;
  readonly onEvent: (data: T) => void;
  readonly onEnd?: () => void;
  readonly delayMs?: number;
}): () => void {
  let controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = (): void => {
    clearTimeout(timer);
    controller.abort();
    onEnd?.();
  };
  const start = async (): Promise<void> => {
    stop();
    if (document.hidden) return;
    controller = new AbortController();
    const { signal } = controller;
    let isRefused = false;
    try {
      await readEvents(await open(signal), (data) => {
        if (!signal.aborted) onEvent(data as T);
      });
    } catch (error) {
      isRefused = error instanceof ServiceError && error.status < 500;
    }
    if (signal.aborted) return;
    onEnd?.();
    if (!isRefused) timer = setTimeout(start, RETRY_MS);
  };
  document.addEventListener("visibilitychange", start);
  timer = setTimeout(start, delayMs);
  return () => {
    document.removeEventListener("visibilitychange", start);
    stop();
  };
}

/** Reads server-sent events; `EventSource` can't send an API key. */
async function readEvents(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  onData: (data: unknown) => void,
): Promise<void> {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    text += next.value;
    const events = text.split("\n\n");
    text = events.pop() ?? "";
    for (const lines of events) onData(JSON.parse(/^data: (.*)$/m.exec(lines)?.[1] ?? "{}"));
  }
}
