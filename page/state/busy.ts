import { type Signal, signal } from "@preact/signals";

/** Milliseconds until a pending request is indicated. */
const LATE_MS = 200;

/** Whether a request has been open for more than 200 ms. */
export const isBusy: Signal<boolean> = signal(false);

/** Number of pending requests, and the timer of the first. */
const open: { count: number; timer?: ReturnType<typeof setTimeout> } = { count: 0 };

/** Tracks a request until it settles. */
export async function trackRequest<T>(request: Promise<T>): Promise<T> {
  if (++open.count === 1) open.timer = setTimeout(() => (isBusy.value = true), LATE_MS);
  try {
    return await request;
  } finally {
    if (--open.count === 0) {
      clearTimeout(open.timer);
      isBusy.value = false;
    }
  }
}
