import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Empty } from "../parts/empty.jsx";
import { Check, Choice, Fault } from "../parts/field.jsx";
import { JournalDetail } from "../parts/journal-detail.jsx";
import { Shown } from "../parts/value.jsx";
import { loadTree, tree } from "../state/catalog.js";
import {
  type Fold,
  foldLines,
  isShown,
  type JournalLine,
  operationOf,
} from "../state/journal-lines.js";
import { locale } from "../state/locale.js";
import { notifyFault } from "../state/notices.js";
import { place, setParams } from "../state/place.js";
import { cutText, showCount, showText } from "../state/text.js";
import { useBodySearch, useJournal } from "../state/use-journal.js";

/** Rows rendered at most. */
const MAX_SHOWN = 500;
/** URL parameter: hide calls to deleted databases. */
const HIDDEN = "hidden";
/** URL parameter: don't fold repeated calls. */
const ALL = "all";

const times = new Intl.DateTimeFormat(locale, {
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  hourCycle: "h23",
});

/** Recorded calls, latest first, with the details of one. */
export function JournalView(): VNode {
  const [isPaused, setPaused] = useState(false);
  const { params } = place.value;
  const { words = "", operation = "", table = "", status = "" } = params;
  const { gone = "", repeats = "", entry: chosen } = params;
  const { lines, error, clear } = useJournal(isPaused);
  const withText = useBodySearch(words, lines[0]?.index);
  // Reloads the databases once a call created or deleted one.
  const made = lines.find((line) => /Database$/.test(line.operation ?? ""))?.index;
  useEffect(() => {
    if (gone === HIDDEN) loadTree().catch(notifyFault);
  }, [gone, made]);
  const filter = { words, operation, table, status };
  const found = lines.filter(
    (line) => isShown(line, filter, withText) && (gone !== HIDDEN || isThere(line)),
  );
  const folds =
    repeats === ALL ? found.map((line) => ({ lines: [line], latest: line })) : foldLines(found);
  const shown = folds.slice(0, MAX_SHOWN);
  const isFiltered = [words, operation, table, status, gone].some((text) => text !== "");
  const fold = folds.find(({ lines: of }) => of.some(({ index }) => String(index) === chosen));
  return (
    <div class="journal-view">
      <div class="toolbar bottom">
        <div class="field wide">
          <label for="journal-words">Search</label>
          <input
            id="journal-words"
            type="search"
            placeholder="Operation, path, reason or body text"
            value={words}
            onInput={(event) => setParams({ words: event.currentTarget.value }, { replace: true })}
          />
        </div>
        <Choice
          label="Operation"
          value={operation}
          options={[["", "any"], ...namesIn(lines, operation, operationOf)]}
          onChange={(to) => setParams({ operation: to })}
        />
        <Choice
          label="Table"
          value={table}
          options={[["", "any"], ...namesIn(lines, table, (line) => line.table ?? "")]}
          onChange={(to) => setParams({ table: to })}
        />
        <Choice
          label="Status"
          value={status}
          options={[
            ["", "any"],
            ["ok", "successful"],
            ["failed", "failed"],
          ]}
          onChange={(to) => setParams({ status: to })}
        />
        <button type="button" aria-pressed={isPaused} onClick={() => setPaused(!isPaused)}>
          Pause
        </button>
        <button
          type="button"
          onClick={() => void clear().then(() => setParams({ entry: "" }), notifyFault)}
        >
          Clear
        </button>
      </div>
      <div class="toolbar">
        <Check
          isChecked={repeats !== ALL}
          onChange={(isFolded) => setParams({ repeats: isFolded ? "" : ALL })}
        >
          Fold repeated calls
        </Check>
        <Check
          isChecked={gone === HIDDEN}
          onChange={(isHidden) => setParams({ gone: isHidden ? HIDDEN : "" })}
        >
          Hide deleted databases
        </Check>
        <span class="space" />
        <span class="count" role="status">
          {shown.length < folds.length && `the last ${shown.length} rows of `}
          {found.length === lines.length ? "" : `${found.length} of `}
          {showCount(lines.length, "call")}
        </span>
      </div>
      <Fault error={error} />
      {shown.length === 0 ? (
        <NoCalls isFiltered={isFiltered && lines.length > 0} />
      ) : (
        <div class={chosen === undefined ? "sides alone" : "sides"}>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys */}
          <div class="list" role="region" aria-label="Calls" tabIndex={0}>
            <table class="calls">
              <thead>
                <tr>
                  <th scope="col">Time</th>
                  <th scope="col">Operation</th>
                  <th scope="col">Table</th>
                  <th scope="col">Request</th>
                  <th scope="col" class="number">
                    Status
                  </th>
                  <th scope="col" class="number">
                    ms
                  </th>
                </tr>
              </thead>
              <tbody>
                {shown.map((of) => (
                  <Row key={of.lines.at(-1)!.index} fold={of} isChosen={of === fold} />
                ))}
              </tbody>
            </table>
          </div>
          {chosen !== undefined && (
            <JournalDetail index={chosen} alike={fold?.lines.map(({ index }) => index) ?? []} />
          )}
        </div>
      )}
    </div>
  );
}

function NoCalls({ isFiltered }: { isFiltered: boolean }): VNode {
  if (isFiltered) {
    const none = { words: "", operation: "", table: "", status: "", gone: "" };
    return (
      <Empty title="No call matches">
        <button type="button" class="primary" onClick={() => setParams(none)}>
          Show all calls
        </button>
      </Empty>
    );
  }
  return (
    <Empty
      title="No calls yet"
      text={
        <>
          Calls to <code>{location.origin}</code> appear here as they come. Those of this page are
          left out.
        </>
      }
    >
      <a class="button" href={`${location.origin}/openapi.json`} target="_blank" rel="noreferrer">
        Make a first call
      </a>
    </Empty>
  );
}

/** The distinct names of calls, and the selected one. */
function namesIn(
  lines: readonly JournalLine[],
  chosen: string,
  nameOf: (line: JournalLine) => string,
): string[] {
  const names = new Set([...lines.map(nameOf), chosen]);
  names.delete("");
  return [...names].sort();
}

/** Whether the database of a call still exists; true for calls without one. */
function isThere({ workspace, database }: JournalLine): boolean {
  if (database === undefined || tree.value === undefined) return true;
  return tree.value.some(
    (of) => of.database === database && (workspace ?? of.workspace) === of.workspace,
  );
}

function Row({ fold, isChosen }: { fold: Fold; isChosen: boolean }): VNode {
  const { latest, lines } = fold;
  const { index, at, database, branch, table, status, ms, brief, reason } = latest;
  const isGood = status !== undefined && status < 400;
  const toggle = (): void => setParams({ entry: isChosen ? "" : String(index) });
  return (
    <tr class={isChosen ? "chosen" : ""} onClick={toggle}>
      <td class="when">{times.format(at)}</td>
      <th scope="row">
        <button
          type="button"
          class="link"
          aria-pressed={isChosen}
          onClick={(event) => {
            event.stopPropagation();
            toggle();
          }}
        >
          {operationOf(latest)
            .split(/(?<=[a-z])(?=[A-Z])/)
            .map((word) => [showText(word), <wbr key={word} />])}
        </button>
        {lines.length > 1 && (
          <span class="tag repeats" title={`${lines.length} identical calls`}>
            ×{lines.length}
          </span>
        )}
      </th>
      <td title={database === undefined ? "" : `${database}:${branch ?? ""}`}>
        <Shown text={cutText(table ?? database ?? "", 40)} />
      </td>
      <td class="brief">
        <span class="code">
          <Shown text={cutText(brief ?? (table === undefined ? latest.path : ""), 90)} />
        </span>
        {reason !== undefined && (
          <div class="bad">
            <Shown text={cutText(reason, 140)} />
          </div>
        )}
      </td>
      <td class={isGood ? "number good" : "number bad"}>{status ?? "dropped"}</td>
      <td class="number">{ms.toFixed(1)}</td>
    </tr>
  );
}
