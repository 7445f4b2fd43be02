import type { VNode } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { AnyRecord } from "../../src/types.js";
import { type Leaf, valueAt } from "../state/columns.js";
import { cutText, showValue } from "../state/text.js";
import { fromInput, toInput } from "../state/values.js";
import { DeadLink, LinkPicker } from "./link-picker.jsx";

/** The result of writing a cell. */
export interface WriteResult {
  readonly fault?: string;
  /** Somebody else has changed the record since the edit began. */
  readonly isConflict?: boolean;
}

export interface CellEdit {
  readonly row: number;
  readonly column: number;
  /** The record at the start of the edit. */
  readonly record: AnyRecord;
  /** The typed text. */
  readonly text: string;
}

/** The editor of a cell: Enter, Tab or blur saves, Escape cancels. */
export function CellEditor({
  leaf,
  edit,
  record,
  onType,
  onWrite,
  onClose,
}: {
  leaf: Leaf;
  edit: CellEdit;
  /** The current record. */
  record: AnyRecord;
  onType: (text: string) => void;
  onWrite: (value: unknown, isForced: boolean) => Promise<WriteResult>;
  /** Tab moves by a column. */
  onClose: (by?: number) => void;
}): VNode {
  const [result, setResult] = useState<WriteResult>({});
  const [isWriting, setWriting] = useState(false);
  const input = useRef<HTMLInputElement & HTMLSelectElement>(null);
  const told = useRef<HTMLDivElement>(null);
  const isClosed = useRef(false);
  const { text } = edit;
  const isLink = leaf.link !== undefined;
  const began = toInput(leaf.type, valueAt(edit.record, leaf.path));
  const theirs = toInput(leaf.type, valueAt(record, leaf.path));
  // The editor's own write also changes the record.
  const isConflict = !isWriting && (result.isConflict || theirs !== began);
  // A layout effect, to receive keys typed right after Enter.
  useLayoutEffect(() => {
    input.current?.focus();
    input.current?.select?.();
  }, []);
  // Messages of the last rows and columns are below the fold.
  useLayoutEffect(
    () => told.current?.scrollIntoView({ block: "nearest", inline: "nearest" }),
    [result, isConflict],
  );
  const close = (by?: number): void => {
    isClosed.current = true;
    onClose(by);
  };
  const write = async (next: unknown, isForced = false, by?: number): Promise<void> => {
    setWriting(true);
    const done = await onWrite(next, isForced);
    if (done.fault === undefined && !done.isConflict) {
      close(by);
      return;
    }
    setWriting(false);
    setResult(done);
  };
  const writeText = (given = text, isForced = false, by?: number): void => {
    if (given === began && !isForced) close(by);
    else void write(given === "" && isLink ? null : fromInput(leaf.type, given), isForced, by);
  };
  const label = `${leaf.path}: ${leaf.type}`;
  const given = {
    ref: input,
    "aria-label": label,
    "aria-invalid": result.fault !== undefined || isConflict,
    "aria-describedby": result.fault || isConflict ? "cell-fault" : undefined,
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: its fields handle the keys
    <div
      class="cell-editor"
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === "Escape") close();
        const isButton = (event.target as HTMLElement).tagName === "BUTTON";
        if (event.key === "Enter" && !isButton) {
          event.preventDefault();
          writeText();
        }
        // A typed link is a name to look up: it is chosen, or warned of, first.
        if (event.key === "Tab" && !isButton && !isConflict && !(isLink && text !== began)) {
          event.preventDefault();
          writeText(text, false, event.shiftKey ? -1 : 1);
        }
      }}
      onFocusOut={(event) => {
        const isLeft = !event.currentTarget.contains(event.relatedTarget as Node | null);
        // Ignore the window losing focus.
        if (!isLeft || isClosed.current || !document.hasFocus()) return;
        if (text === began) close();
        else if (!isConflict && !isLink) writeText();
      }}
    >
      {isLink ? (
        <LinkPicker
          label={label}
          target={leaf.link!}
          value={text}
          isWrong={given["aria-invalid"]}
          describedBy={given["aria-describedby"]}
          input={input}
          isOffering
          onChange={onType}
          onEnter={(id) => writeText(id)}
        />
      ) : leaf.type === "bool" ? (
        <select {...given} value={text} onChange={(event) => onType(event.currentTarget.value)}>
          <option value="" disabled />
          <option value="true">true</option>
          <option value="false">false</option>
        </select>
      ) : (
        <input {...given} value={text} onInput={(event) => onType(event.currentTarget.value)} />
      )}
      <button type="button" class="small" title="Set to null" onClick={() => void write(null)}>
        null
      </button>
      <div ref={told} class="cell-notes">
        {isConflict ? (
          <div id="cell-fault" class="conflict" role="alert">
            <p>
              Somebody else changed this record. It now holds{" "}
              <strong>{cutText(showValue(valueAt(record, leaf.path) ?? "null"), 60)}</strong>.
            </p>
            <button
              type="button"
              class="small"
              onClick={() => {
                onType(theirs);
                close();
              }}
            >
              Show theirs
            </button>
            <button type="button" class="small danger" onClick={() => writeText(text, true)}>
              Overwrite
            </button>
          </div>
        ) : (
          result.fault !== undefined && (
            <p id="cell-fault" class="fault" role="alert">
              {result.fault}
            </p>
          )
        )}
        {isLink && <DeadLink target={leaf.link!} id={text} onSave={() => writeText()} />}
      </div>
    </div>
  );
}
