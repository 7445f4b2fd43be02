import type { AnyRecord } from "../types.js";
import { diffPages } from "./changes.js";
import type { LivePage } from "./page.js";

/** Options of `liveEvents`. */
export interface LiveEventsOptions {
  /** Milliseconds of silence after which a comment is sent, for proxies; default 15,000. */
  readonly heartbeatMs?: number | undefined;
  /** Whether the query stays open when the reader cancels; default false. */
  readonly keepOpen?: boolean | undefined;
}

/** Creates events only when the reader is ready for one: nothing is queued. */
export function streamEvents(
  page: LivePage,
  heartbeatMs: number,
  keepOpen: boolean,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let sent: { readonly records: readonly AnyRecord[]; readonly marks: string } | undefined;
  let events = 0;
  let wake = (): void => {};
  const onChange = (): void => wake();
  page.listeners.add(onChange);
  const nextEvent = (): string | undefined => {
    const { records, more, isStale } = page;
    const state = { more, ...(isStale && { stale: true }) };
    const marks = JSON.stringify(state);
    if (sent?.records === records && sent.marks === marks) return undefined;
    const [event, data] =
      sent === undefined
        ? ["page", { records, ...state }]
        : ["changes", { changes: diffPages(sent.records, records), ...state }];
    sent = { records, marks };
    return `id: ${++events}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        let text = nextEvent();
        if (text === undefined && !page.isClosed) {
          await new Promise<void>((resolve) => {
            const timer = setTimeout(resolve, heartbeatMs);
            wake = () => {
              clearTimeout(timer);
              resolve();
            };
          });
          text = nextEvent() ?? (page.isClosed ? undefined : ": heartbeat\n\n");
        }
        if (text !== undefined) controller.enqueue(encoder.encode(text));
        else {
          const { error } = page;
          const data = JSON.stringify({ code: error?.code, message: error?.message });
          controller.enqueue(encoder.encode(`event: closed\ndata: ${data}\n\n`));
          controller.close();
        }
      },
      cancel() {
        page.listeners.delete(onChange);
        if (!keepOpen) page.close();
        wake();
      },
    },
    { highWaterMark: 0 },
  );
}
