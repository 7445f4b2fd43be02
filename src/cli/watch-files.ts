import { type FSWatcher, watch } from "node:fs";
import { dirname, resolve } from "node:path";

/** Milliseconds in which several writes count as one change. */
const SETTLE_MS = 100;

/**
 * Calls `act` with the first changed file; its errors are printed. Folders are watched, since editors
 * replace files.
 */
export function watchFiles(
  files: readonly string[],
  act: (file: string) => Promise<void>,
  say: (line: string) => void,
): { close(): void } {
  const folders = new Set(files.map((file) => resolve(dirname(file))));
  let changed: string | undefined;
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  const run = (): void => {
    const file = changed ?? "";
    changed = undefined;
    running = running.then(() => act(file)).catch((error) => say(`${file}: ${String(error)}`));
  };
  const watchers: FSWatcher[] = Array.from(folders, (folder) =>
    watch(folder, (_, name) => {
      const file = files.find((path) => resolve(path) === resolve(folder, name ?? ""));
      if (file === undefined) return;
      changed ??= file;
      clearTimeout(timer);
      timer = setTimeout(run, SETTLE_MS);
    }),
  );
  return {
    close() {
      clearTimeout(timer);
      for (const watcher of watchers) watcher.close();
    },
  };
}
