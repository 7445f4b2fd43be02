import type { Charge, Memory } from "../../engine/memory.js";
import type { Reply } from "../message.js";

const EVENT_MS = 150;
/** The connection and the queries of a stream, beside their records. */
const STREAM_BYTES = 64 * 1024;
const HEADERS = {
  "content-type": "text/event-stream",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
};

/** A source of events. */
export interface EventSource {
  /** Returns the data of the next event; undefined ends the stream. */
  read(): object | undefined;
  /** The memory of the records that it keeps. */
  readonly bytes: number;
  close(): void;
}

/**
 * Creates a function that answers with a stream of server-sent events: one at once, then others
 * 150 ms after `wake`. Nothing is queued: slow clients get fewer events. A stream is refused, or ends,
 * if the account has no room for it.
 */
export function createStreams(memory: Memory): (open: (wake: () => void) => EventSource) => Reply {
  return (open) => {
    const stream = openStream(open, memory.charge("event streams"));
    return { status: 200, stream, headers: HEADERS };
  };
}

function openStream(
  open: (wake: () => void) => EventSource,
  charge: Charge,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let isDue = false;
  let isOver = false;
  let resume = (): void => {};
  let source: EventSource | undefined;
  let end = (): void => {
    end = () => {};
    source?.close();
    charge.set(0);
  };
  /** Charges what the source keeps, and an event until the client takes the next. */
  const count = (event = 0): void => charge.set(STREAM_BYTES + source!.bytes + event); // opened
  const onChange = (): void => {
    isDue = true;
    try {
      if (source !== undefined && !isOver) count();
    } catch {
      isOver = true;
      source?.close();
    }
    resume();
  };
  try {
    charge.set(STREAM_BYTES);
    source = open(onChange);
    count();
  } catch (error) {
    end();
    throw error;
  }
  let isFirst = true;
  const pull = async (controller: ReadableStreamDefaultController): Promise<void> => {
    if (!isFirst) {
      if (!isDue) await new Promise<void>((go) => (resume = go));
      await new Promise((go) => setTimeout(go, EVENT_MS));
    }
    isFirst = isDue = false;
    const data = isOver ? undefined : source.read();
    if (data === undefined) {
      end();
      controller.close();
      return;
    }
    const event = encoder.encode(`event: changes\ndata: ${JSON.stringify(data)}\n\n`);
    try {
      count(event.length);
    } catch {
      end();
      controller.close();
      return;
    }
    controller.enqueue(event);
  };
  return new ReadableStream({ pull, cancel: () => end() }, { highWaterMark: 0 });
}
