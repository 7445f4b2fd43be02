import { useEffect, useRef, useState } from "preact/hooks";
import { control } from "./api.js";
import type { JournalLine } from "./journal-lines.js";

const POLL_MS = 1000;
/** Calls listed at most. */
const MAX_LINES = 1000;

export interface UsedJournal {
  /** Latest first. */
  readonly lines: readonly JournalLine[];
  readonly error: Error | undefined;
  readonly clear: () => Promise<void>;
}

/** Polls the journal. */
export function useJournal(isPaused: boolean): UsedJournal {
  const [lines, setLines] = useState<readonly JournalLine[]>([]);
  const [error, setError] = useState<Error | undefined>(undefined);
  const next = useRef(0);
  /** Number of clears; responses to earlier requests are dropped. */
  const clears = useRef(0);
  useEffect(() => {
    if (isPaused) return;
    const controller = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = async (): Promise<void> => {
      try {
        const path = `journal?from=${next.current}&bodies=false`;
        const asked = clears.current;
        const found = await control<{ entries: JournalLine[] }>("GET", path, {
          signal: controller.signal,
        });
        if (found.entries.length > 0 && asked === clears.current) {
          next.current = found.entries.at(-1)!.index + 1;
          setLines((before) => [...found.entries.toReversed(), ...before].slice(0, MAX_LINES));
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
    setLines([]);
  };
  return { lines, error, clear };
}

/** Finds calls whose bodies contain a text. */
export function useBodySearch(words: string, latest: number | undefined): ReadonlySet<number> {
  const [found, setFound] = useState<{ words: string; indexes: ReadonlySet<number> }>({
    words: "",
    indexes: new Set(),
  });
  useEffect(() => {
    if (words === "") return;
    const controller = new AbortController();
    const timer = setTimeout(() => {
      const path = `journal?bodies=false&text=${encodeURIComponent(words)}`;
      control<{ entries: JournalLine[] }>("GET", path, { signal: controller.signal }).then(
        ({ entries }) => setFound({ words, indexes: new Set(entries.map(({ index }) => index)) }),
        () => {},
      );
    }, 150);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [words, latest]);
  return found.words === words ? found.indexes : new Set();
}
