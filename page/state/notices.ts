import { effect, type Signal, signal } from "@preact/signals";
import { addressKey } from "./catalog.js";
import { place } from "./place.js";

/** A notification. */
export interface Notice {
  readonly id: number;
  readonly text: string;
  readonly isFault: boolean;
  readonly action?:
    | { readonly label: string; readonly about: string; readonly run: () => void }
    | undefined;
}

/** Milliseconds to show a notification; errors stay until dismissed. */
const STAY_MS = 12_000;

export const notice: Signal<Notice | undefined> = signal<Notice | undefined>(undefined);

/** Shows a notification instead of the current one. */
export function notify(text: string, action?: Notice["action"]): void {
  show({ id: nextId(), text, isFault: false, action });
}

/** Shows an error that no view displays. */
export function notifyFault(error: unknown): void {
  show({
    id: nextId(),
    text: error instanceof Error ? error.message : String(error),
    isFault: true,
  });
}

export function closeNotice(): void {
  notice.value = undefined;
}

// A notification belongs to its view.
let shownAt = "";
effect(() => {
  const { address, view } = place.value;
  const at = addressKey([...address, view]);
  if (at !== shownAt) closeNotice();
  shownAt = at;
});

function show(next: Notice): void {
  notice.value = next;
  if (next.isFault) return;
  setTimeout(() => {
    if (notice.value?.id === next.id) closeNotice();
  }, STAY_MS);
}

function nextId(): number {
  return (notice.peek()?.id ?? 0) + performance.now();
}
