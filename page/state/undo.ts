import { type Signal, signal } from "@preact/signals";
import { control } from "./api.js";
import { schemaEdits } from "./catalog.js";
import { closeNotice, notify, notifyFault } from "./notices.js";

/** Prefix of the snapshots behind undo, hidden from the list. */
export const UNDO_PREFIX = "explorer-undo-";

const tab = Math.random().toString(36).slice(2, 10);
const BEFORE = `${UNDO_PREFIX}${tab}-before`;
const AFTER = `${UNDO_PREFIX}${tab}-after`;

/** Description of the change that undo reverts. */
const undoable = signal<string | undefined>(undefined);
/** Number of others' changes that a pending undo would revert too. */
export const undoQuestion: Signal<number | undefined> = signal<number | undefined>(undefined);

/** Incremented by each undo. */
export const undone: Signal<number> = signal(0);

if (typeof addEventListener !== "undefined") {
  addEventListener("pagehide", () => {
    if (undoable.value === undefined) return;
    for (const name of [BEFORE, AFTER]) {
      control("DELETE", `snapshots/${name}`, { keepalive: true }).catch(() => {});
    }
  });
}

/** Runs a change that `undo` can revert, and notifies. */
export async function undoably<T>(
  act: () => Promise<T>,
  describe: (done: T) => string,
): Promise<T> {
  // The snapshot of the previous change is about to be overwritten.
  undoable.value = undefined;
  closeNotice();
  await control("PUT", `snapshots/${BEFORE}`);
  const done = await act();
  await control("PUT", `snapshots/${AFTER}`);
  undoable.value = describe(done);
  notify(undoable.value, {
    label: "Undo",
    about: "Restores everything to the state before: writes of others since then go too",
    run: () => void undo(),
  });
  return done;
}

/** Reverts the last change; asks first if others have written since. */
export async function undo(isConfirmed = false): Promise<void> {
  const what = undoable.value;
  if (what === undefined) return;
  try {
    if (!isConfirmed) {
      const body = { before: AFTER, limit: 100 };
      const { changes } = await control<{ changes: unknown[] }>("POST", "diff", { body });
      if (changes.length > 0) {
        undoQuestion.value = changes.length;
        return;
      }
    }
    undoQuestion.value = undefined;
    await control("POST", `snapshots/${BEFORE}/restore`);
    undoable.value = undefined;
    schemaEdits.value++;
    undone.value++;
    notify(`Undone: ${what}`);
  } catch (error) {
    notifyFault(error);
  }
}
