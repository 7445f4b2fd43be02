import { type Signal, signal } from "@preact/signals";

/** Milliseconds until a request counts as slow. */
const LATE_MS = 200;

/** Whether a request has been open for more than 200 ms. */
export const isBusy: Signal<boolean> = signal(false);

/** Requests that are open, and the timer of the first of them. */
const open: { count: number; timer?: ReturnType<typeof setTimeout> } = { count: 0 };

/** Counts a request until it is settled. */
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
