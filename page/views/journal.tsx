import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Json, Samples } from "../parts/code.jsx";
import { Fault } from "../parts/field.jsx";
import { Shown } from "../parts/value.jsx";
import { control } from "../state/api.js";
import { loadTree, tree } from "../state/catalog.js";
import { useLoad } from "../state/load.js";
import { place, setParams } from "../state/place.js";
import type { SampleCall } from "../state/samples.js";
import { cutText } from "../state/text.js";

interface Entry extends SampleCall {
  readonly index: number;
  readonly status?: number;
  readonly ms: number;
  readonly response?: unknown;
}

const POLL_MS = 1000;
/** Entries that are kept in the list. */
const MOST_ENTRIES = 1000;
/** Entries that are shown at once. */
const MOST_SHOWN = 500;

/** In the URL: calls of databases that are no longer there are left out. */
const HIDDEN = "hidden";

/** The calls as they come, the last one first; one of them with all that was said. */
export function JournalView(): VNode {
  const [entries, setEntries] = useState<readonly Entry[]>([]);
  const [isPaused, setPaused] = useState(false);
  const { words = "", gone = "", entry: chosen } = place.value.params;
  const [error, setError] = useState<Error | undefined>(undefined);
  const next = useRef(0);
  /** How often it was cleared: what was asked before that is shown no more. */
  const clears = useRef(0);
  useEffect(() => {
    if (isPaused) return;
    const controller = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = async (): Promise<void> => {
      try {
        const path = `journal?from=${next.current}&bodies=false`;
        const asked = clears.current;
        const found = await control<{ entries: Entry[] }>("GET", path, {
          signal: controller.signal,
        });
        if (found.entries.length > 0 && asked === clears.current) {
          next.current = found.entries.at(-1)!.index + 1;
          setEntries((before) => [...found.entries.toReversed(), ...before].slice(0, MOST_ENTRIES));
        }
        setError(undefined);
      } catch (fault) {
        if (!controller.signal.aborted) setError(fault as Error);
      }
      if (!controller.signal.aborted) timer = setTimeout(look, POLL_MS);
    };
    void look();
    return () => {
      controller.abort();
      clearTimeout(timer);
    };
  }, [isPaused]);
  const clear = async (): Promise<void> => {
    await control("DELETE", "journal");
    clears.current++;
    setEntries([]);
    setParams({ entry: "" });
  };
  // Which databases there are is asked again when one was made or deleted.
  const made = entries.find(({ operation = "" }) => /Database$/.test(operation))?.index;
  useEffect(() => {
    if (gone === HIDDEN) void loadTree().catch(setError);
  }, [gone, made]);
  const found = entries.filter(
    (entry) => textOf(entry).includes(words.toLowerCase()) && (gone !== HIDDEN || isThere(entry)),
  );
  const shown = found.slice(0, MOST_SHOWN);
  return (
    <div class="journal-view">
      <div class="toolbar">
        <input
          type="search"
          aria-label="Only calls with"
          placeholder="Operation, path or status"
          value={words}
          onInput={(event) => setParams({ words: event.currentTarget.value }, { replace: true })}
        />
        <label class="check">
          <input
            type="checkbox"
            checked={gone === HIDDEN}
            onChange={(event) => setParams({ gone: event.currentTarget.checked ? HIDDEN : "" })}
          />
          Hide databases that are gone
        </label>
        <button type="button" aria-pressed={isPaused} onClick={() => setPaused(!isPaused)}>
          Pause
        </button>
        <button type="button" onClick={() => void clear()}>
          Clear
        </button>
        <span class="space" />
        <span class="count" role="status">
          {shown.length < found.length && `the last ${shown.length} of `}
          {found.length === entries.length ? "" : `${found.length} of `}
          {entries.length} {entries.length === 1 ? "call" : "calls"}
        </span>
      </div>
      <Fault error={error} />
      <div class="sides">
        {shown.length === 0 ? (
          <p class="empty">
            {entries.length > 0
              ? "No call of these."
              : "No call yet. What this page asks for is not written down."}
          </p>
        ) : (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys
          <div class="list" role="region" aria-label="Calls" tabIndex={0}>
            <table>
              <thead>
                <tr>
                  <th scope="col">Call</th>
                  <th scope="col">Of</th>
                  <th scope="col" class="number">
                    Status
                  </th>
                  <th scope="col" class="number">
                    ms
                  </th>
                </tr>
              </thead>
              <tbody>
                {shown.map((entry) => (
                  <Row key={entry.index} entry={entry} isChosen={chosen === String(entry.index)} />
                ))}
              </tbody>
            </table>
          </div>
        )}
        {chosen !== undefined && <EntryDetail index={chosen} />}
      </div>
    </div>
  );
}

/** What a call is looked for by. */
function textOf({ operation = "", method, path, status }: Entry): string {
  return `${operation} ${method} ${decodePath(path)} ${status ?? "dropped"}`.toLowerCase();
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Whether a call is of a database that there is, or of none. */
function isThere({ workspace, database }: Entry): boolean {
  if (database === undefined || tree.value === undefined) return true;
  return tree.value.some(
    (of) => of.database === database && (workspace ?? of.workspace) === of.workspace,
  );
}

function Row({ entry, isChosen }: { entry: Entry; isChosen: boolean }): VNode {
  const { index, method, path, operation, database, branch, table, status, ms } = entry;
  const of = [database && `${database}:${branch ?? ""}`, table].filter(Boolean).join(" / ");
  return (
    <tr class={isChosen ? "chosen" : ""}>
      <th scope="row">
        <button
          type="button"
          class="link"
          aria-pressed={isChosen}
          onClick={() => setParams({ entry: isChosen ? "" : String(index) })}
        >
          <Shown text={operation ?? cutText(`${method} ${path}`, 60)} />
        </button>
      </th>
      <td>
        <Shown text={cutText(of, 60)} />
      </td>
      <td class={status !== undefined && status < 400 ? "number good" : "number bad"}>
        {status ?? "dropped"}
      </td>
      <td class="number">{ms.toFixed(1)}</td>
    </tr>
  );
}

function EntryDetail({ index }: { index: string }): VNode {
  const { value: entry, error } = useLoad<Entry>(
    (signal) => control("GET", `journal/${encodeURIComponent(index)}`, { signal }),
    [index],
  );
  return (
    <section class="detail" aria-label={`Call ${index}`}>
      <Fault error={error} />
      {entry !== undefined && (
        <>
          <h2>
            <Shown
              text={cutText(`${entry.method} ${entry.path}${entry.search && `?${entry.search}`}`)}
            />
          </h2>
          <Json label="Request" value={entry.request ?? ""} />
          <Json
            label={entry.status === undefined ? "No answer: dropped" : `Answer ${entry.status}`}
            value={entry.response ?? ""}
          />
          <Samples call={entry} />
        </>
      )}
    </section>
  );
}
