import { refuse } from "../../errors.js";
import type { Reply } from "../message.js";

const EVENT_MS = 150;
const MAX_STREAMS = 100;
const HEADERS = {
  "content-type": "text/event-stream",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
};

/** A source of events. */
export interface EventSource {
  /** Returns the data of the next event; undefined ends the stream. */
  read(): object | undefined;
  close(): void;
}

/**
 * Creates a function that answers with a stream of server-sent events: one at once, then others
 * 150 ms after `wake`. Nothing is queued: slow clients get fewer events.
 */
export function createStreams(): (open: (wake: () => void) => EventSource) => Reply {
  let streams = 0;
  return (open) => {
    if (streams >= MAX_STREAMS) {
      refuse("unavailable", `at most ${MAX_STREAMS} event streams`, { rule: "E-3" });
    }
    const stream = openStream(open, () => streams--);
    streams++;
    return { status: 200, stream, headers: HEADERS };
  };
}

function openStream(
  open: (wake: () => void) => EventSource,
  onEnd: () => void,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let isDue = false;
  let resume = (): void => {};
  const source = open(() => {
    isDue = true;
    resume();
  });
  let end = (): void => {
    end = () => {};
    source.close();
    onEnd();
  };
  let isFirst = true;
  const pull = async (controller: ReadableStreamDefaultController): Promise<void> => {
    if (!isFirst) {
      if (!isDue) await new Promise<void>((go) => (resume = go));
      await new Promise((go) => setTimeout(go, EVENT_MS));
    }
    isFirst = isDue = false;
    const data = source.read();
    if (data === undefined) {
      end();
      controller.close();
      return;
    }
    controller.enqueue(encoder.encode(`event: changes\ndata: ${JSON.stringify(data)}\n\n`));
  };
  return new ReadableStream({ pull, cancel: () => end() }, { highWaterMark: 0 });
}
