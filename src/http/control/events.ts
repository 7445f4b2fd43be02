import type { TableAddress } from "../../catalog/address.js";
import { subscribe } from "../../changes.js";
import type { AnyEngine } from "../../engine.js";
import type { EventSource } from "./streams.js";

const MAX_TABLES = 100;

/**
 * Tells which tables were written, and whether the catalog changed. Ends after too many tables: a
 * client that connects again must load everything.
 */
export function openFeed(engine: AnyEngine, wake: () => void): EventSource {
  const tables = new Map<string, TableAddress>();
  let catalog = false;
  const { unsubscribe } = subscribe(engine, (changes) => {
    for (const change of changes) {
      if (!("table" in change) || !change.kind.startsWith("record_")) {
        catalog ||= !change.kind.startsWith("user_");
      } else if (tables.size <= MAX_TABLES) {
        const { workspace, database, branch, table } = change;
        const at = { workspace, database, branch, table };
        tables.set(JSON.stringify(at), at);
      }
    }
    wake();
  });
  return {
    close: unsubscribe,
    read() {
      if (tables.size > MAX_TABLES) return undefined;
      const event = { tables: [...tables.values()], catalog };
      tables.clear();
      catalog = false;
      return event;
    },
  };
}
