import type { VNode } from "preact";
import { isBusy } from "../state/busy.js";
import { closeNotice, notice } from "../state/notices.js";
import { undo, undoQuestion } from "../state/undo.js";
import { CloseButton } from "./close-button.jsx";
import { Dialog } from "./dialog.jsx";
import { Shown } from "./value.jsx";

/** The current notification. */
export function Notices(): VNode {
  const shown = notice.value;
  return (
    <div class="notices" role={shown?.isFault ? "alert" : "status"} aria-label="Messages">
      {shown !== undefined && (
        <div key={shown.id} class={shown.isFault ? "notice wrong" : "notice"}>
          <Shown text={shown.text} />
          {shown.action !== undefined && (
            <button
              type="button"
              class="small"
              title={shown.action.about}
              onClick={() => {
                closeNotice();
                document.querySelector<HTMLElement>("[role=grid]")?.focus();
                shown.action?.run();
              }}
            >
              {shown.action.label}
            </button>
          )}
          <CloseButton label="Dismiss" onClick={closeNotice} />
        </div>
      )}
    </div>
  );
}

/** Confirms an undo that would revert others' changes. */
export function UndoDialog(): VNode | null {
  const count = undoQuestion.value;
  if (count === undefined) return null;
  return (
    <Dialog
      title="Undo changes of others too?"
      action="Undo all"
      isDanger
      onSubmit={() => undo(true)}
      onClose={() => (undoQuestion.value = undefined)}
    >
      <p>
        Others have made {count >= 100 ? "100 or more" : count} {count === 1 ? "change" : "changes"}{" "}
        since. Undo restores the state before your change, without them.
      </p>
    </Dialog>
  );
}

/** A progress bar while a request takes longer than 200 ms. */
export function BusyBar(): VNode {
  return (
    <div class="busy-place" aria-live="off">
      {isBusy.value && <div class="busy" role="progressbar" aria-label="Loading" />}
    </div>
  );
}
