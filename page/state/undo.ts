import { type Signal, signal } from "@preact/signals";
import { control } from "./api.js";
import { schemaEdits } from "./catalog.js";
import { closeNotice, notify, notifyFault } from "./notices.js";

/** Names of the snapshots that undo restores begin so; the list of snapshots leaves them out. */
export const UNDO_PREFIX = "explorer-undo-";

const tab = Math.random().toString(36).slice(2, 10);
const BEFORE = `${UNDO_PREFIX}${tab}-before`;
const AFTER = `${UNDO_PREFIX}${tab}-after`;

/** The change that undo takes back. */
const undoable = signal<string | undefined>(undefined);
/** How many changes of others an undo would take back too, where it has to be confirmed. */
export const undoQuestion: Signal<number | undefined> = signal<number | undefined>(undefined);

if (typeof addEventListener !== "undefined") {
  addEventListener("pagehide", () => {
    if (undoable.value === undefined) return;
    for (const name of [BEFORE, AFTER]) {
      control("DELETE", `snapshots/${name}`, { keepalive: true }).catch(() => {});
    }
  });
}

/** Does something that `undo` can take back, and says that it was done. */
export async function undoably<T>(
  act: () => Promise<T>,
  describe: (done: T) => string,
): Promise<T> {
  // The snapshot that the change before would be undone by is written over.
  undoable.value = undefined;
  closeNotice();
  await control("PUT", `snapshots/${BEFORE}`);
  const done = await act();
  await control("PUT", `snapshots/${AFTER}`);
  undoable.value = describe(done);
  notify(undoable.value, { label: "Undo", run: () => void undo() });
  return done;
}

/** Goes back to before the last change; asks first where others have written since. */
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
    notify(`Undone: ${what}`);
  } catch (error) {
    notifyFault(error);
  }
}
