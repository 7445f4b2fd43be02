import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { control, key, replay } from "../state/api.js";
import { copyText } from "../state/file-text.js";
import type { JournalLine } from "../state/journal-lines.js";
import { useLoad } from "../state/load.js";
import { notify, notifyFault } from "../state/notices.js";
import { setParams } from "../state/place.js";
import { asCurl, asTest } from "../state/samples.js";
import { cutText } from "../state/text.js";
import { CloseButton } from "./close-button.jsx";
import { Code, Json, Samples } from "./code.jsx";
import { Fault } from "./field.jsx";
import { Shown } from "./value.jsx";

interface WholeCall extends JournalLine {
  readonly response?: unknown;
}

/** A recorded call: request, response, replay, code samples. */
export function JournalDetail({
  index,
  alike,
}: {
  index: string;
  /** Indexes of identical calls, latest first. */
  alike: readonly number[];
}): VNode {
  const { value: call, error } = useLoad<WholeCall>(
    (signal) => control("GET", `journal/${encodeURIComponent(index)}`, { signal }),
    [index],
  );
  const [isTest, setTest] = useState(false);
  const section = useRef<HTMLElement>(null);
  // In narrow windows it replaces the list, below a tall toolbar.
  useEffect(() => {
    if (matchMedia("(max-width: 760px)").matches) section.current?.scrollIntoView();
  }, [index, call === undefined]);
  const at = alike.indexOf(Number(index));
  const step = (by: number): void => setParams({ entry: String(alike[at + by]) });
  const repeat = async (): Promise<void> => {
    try {
      notify(`Replayed: status ${await replay(call!)}`);
    } catch (fault) {
      notifyFault(fault);
    }
  };
  const copy = async (): Promise<void> => {
    const isCopied = await copyText(asCurl(call!, location.origin, key.value !== ""));
    notify(
      isCopied ? "Copied as curl" : "The browser does not allow copying here: curl is shown below",
    );
  };
  return (
    <section ref={section} class="detail" aria-label={`Call ${index}`}>
      <Fault error={error} />
      {call !== undefined && (
        <>
          <header>
            <h2>
              <Shown
                text={cutText(`${call.method} ${call.path}${call.search && `?${call.search}`}`)}
              />
            </h2>
            <CloseButton label="Close call" onClick={() => setParams({ entry: "" })} />
          </header>
          <p class="faint">
            {new Date(call.at).toISOString().replace("T", " ")} · {call.ms.toFixed(1)} ms
          </p>
          {alike.length > 1 && (
            <div class="buttons">
              <button type="button" class="small" disabled={at <= 0} onClick={() => step(-1)}>
                Later
              </button>
              <span class="faint">
                {at + 1} of {alike.length} calls that are alike
              </span>
              <button
                type="button"
                class="small"
                disabled={at >= alike.length - 1}
                onClick={() => step(1)}
              >
                Earlier
              </button>
            </div>
          )}
          <div class="buttons">
            <button type="button" onClick={() => void repeat()}>
              Replay
            </button>
            <button type="button" onClick={() => void copy()}>
              Copy as curl
            </button>
            <button type="button" aria-expanded={isTest} onClick={() => setTest(!isTest)}>
              Make a test
            </button>
          </div>
          {isTest && <Code label="Test" text={asTest(call, location.origin)} />}
          {call.request !== undefined && <Json label="Request" value={call.request} />}
          <Json
            label={call.status === undefined ? "No response: dropped" : `Response ${call.status}`}
            value={call.response ?? "no body"}
          />
          <Samples call={call} />
        </>
      )}
    </section>
  );
}
