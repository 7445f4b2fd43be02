import type { TableAddress } from "../../catalog/address.js";
import { type Change, type Subscription, subscribe } from "../../changes.js";
import type { AnyEngine } from "../../engine.js";
import type { EventSource } from "./streams.js";

const MAX_TABLES = 100;

interface Feed {
  readonly tables: Map<string, TableAddress>;
  catalog: boolean;
  readonly wake: () => void;
}

/**
 * Returns a function that opens a feed: which tables were written, and whether the catalog changed.
 * A feed ends after too many tables: a client that connects again must load everything. All feeds share
 * one subscription, as each change is read once.
 */
export function createFeeds(engine: AnyEngine): (wake: () => void) => EventSource {
  const feeds = new Set<Feed>();
  let subscription: Subscription | undefined;
  const onChanges = (changes: readonly Change[]): void => {
    const { tables, catalog } = summarize(changes);
    for (const feed of feeds) {
      feed.catalog ||= catalog;
      for (const [key, at] of tables) if (feed.tables.size <= MAX_TABLES) feed.tables.set(key, at);
      feed.wake();
    }
  };
  return (wake) => {
    const feed: Feed = { tables: new Map(), catalog: false, wake };
    feeds.add(feed);
    subscription ??= subscribe(engine, onChanges);
    return {
      bytes: 0,
      close() {
        if (!feeds.delete(feed) || feeds.size > 0) return;
        subscription?.unsubscribe();
        subscription = undefined;
      },
      read() {
        if (feed.tables.size > MAX_TABLES) return undefined;
        const event = { tables: [...feed.tables.values()], catalog: feed.catalog };
        feed.tables.clear();
        feed.catalog = false;
        return event;
      },
    };
  };
}

/** Returns the first written tables of a call. */
function summarize(changes: readonly Change[]): Pick<Feed, "tables" | "catalog"> {
  const tables = new Map<string, TableAddress>();
  let catalog = false;
  for (const change of changes) {
    if (!("table" in change) || !change.kind.startsWith("record_")) {
      catalog ||= !change.kind.startsWith("user_");
    } else if (tables.size <= MAX_TABLES) {
      const { workspace, database, branch, table } = change;
      const at = { workspace, database, branch, table };
      tables.set(JSON.stringify(at), at);
    }
  }
  return { tables, catalog };
}
