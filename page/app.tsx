import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Fault } from "./parts/field.jsx";
import { KeyForm } from "./parts/key-form.jsx";
import { Navigation } from "./parts/navigation.jsx";
import { ThemeButton } from "./parts/theme.jsx";
import { Shown } from "./parts/value.jsx";
import { key, needsKey, setKey } from "./state/api.js";
import { loadTables, loadTree, type TableSchema, tree } from "./state/catalog.js";
import { useLoad } from "./state/load.js";
import { hrefTo, place, type ViewName } from "./state/place.js";
import { DatabasesView } from "./views/databases.jsx";
import { FaultsView } from "./views/faults.jsx";
import { FiguresView } from "./views/figures.jsx";
import { JournalView } from "./views/journal.jsx";
import { RecordsView } from "./views/records.jsx";
import { SchemaView } from "./views/schema.jsx";
import { SearchView } from "./views/search.jsx";
import { SnapshotsView } from "./views/snapshots.jsx";

const TITLES: Readonly<Record<ViewName, string>> = {
  databases: "Databases",
  schema: "Schema",
  records: "Records",
  figures: "Figures",
  search: "Search",
  journal: "Journal",
  snapshots: "Snapshots",
  faults: "Faults and clock",
};

/** The whole page: where one is, where one can go, and the view. */
export function App(): VNode {
  const { address, view } = place.value;
  const [workspace, database, branch, tableName] = address;
  const [fault, setFault] = useState<Error | undefined>(undefined);
  useEffect(() => {
    setFault(undefined);
    loadTree().catch(setFault);
  }, [key.value]);
  const loaded = useLoad<readonly TableSchema[]>(
    async () =>
      workspace === undefined || database === undefined || branch === undefined
        ? []
        : loadTables(workspace, database, branch),
    [workspace, database, branch, key.value],
  );
  const title = titleOf();
  useEffect(() => {
    document.title = `${title} – Twinbase`;
  }, [title]);
  if (needsKey.value) return <KeyForm />;
  if (tree.value === undefined) {
    return <main class="loading">{fault === undefined ? null : <Fault error={fault} />}</main>;
  }
  const tables = loaded.value ?? [];
  return (
    <div class="page">
      <button type="button" class="skip" onClick={() => document.getElementById("main")?.focus()}>
        Skip to the content
      </button>
      <header class="top">
        <a class="brand" href="#/">
          Twinbase
        </a>
        <Crumbs />
        <span class="space" />
        {key.value !== "" && (
          <button type="button" class="quiet" onClick={() => setKey("")}>
            Forget key
          </button>
        )}
        <ThemeButton />
      </header>
      <Navigation tables={tables} onReload={loaded.reload} />
      <main id="main" tabIndex={-1} class={`view ${view}`}>
        <h1>
          {tableName !== undefined && (view === "records" || view === "figures") ? (
            <Shown text={tableName} />
          ) : (
            TITLES[view]
          )}
        </h1>
        <Fault error={loaded.error} />
        {loaded.error === undefined && (
          <View key={address.join("/")} tables={tables} isLoading={loaded.value === undefined} />
        )}
      </main>
    </div>
  );
}

function View({
  tables,
  isLoading,
}: {
  tables: readonly TableSchema[];
  isLoading: boolean;
}): VNode | null {
  const { address, view } = place.value;
  const [, , branch, tableName] = address;
  const table = tables.find(({ name }) => name === tableName);
  if (view === "databases") return <DatabasesView />;
  if (view === "journal") return <JournalView />;
  if (view === "snapshots") return <SnapshotsView />;
  if (view === "faults") return <FaultsView />;
  if (isLoading) return null;
  if (view === "schema" && branch !== undefined) return <SchemaView tables={tables} />;
  if (view === "search" && branch !== undefined) return <SearchView tables={tables} />;
  if (tableName !== undefined && table === undefined) {
    return <Fault error={`There is no table ${tableName} on this branch.`} />;
  }
  if (table !== undefined && view === "records") {
    return <RecordsView table={table} tables={tables} />;
  }
  if (table !== undefined && view === "figures") {
    return <FiguresView table={table} tables={tables} />;
  }
  return <p class="empty">Choose a branch first.</p>;
}

/** The way from the workspace to the table, each step a link. */
function Crumbs(): VNode {
  const { address } = place.value;
  return (
    <nav aria-label="Address" class="crumbs">
      <ol>
        {address.map((name, index) => {
          const to = address.slice(0, index + 1);
          return (
            <li key={to.join("/")}>
              <a
                href={hrefTo(undefined, to)}
                aria-current={index === address.length - 1 ? "page" : undefined}
              >
                <Shown text={name} />
              </a>
            </li>
          );
        })}
      </ol>
    </nav>
  );
}

function titleOf(): string {
  const { address, view } = place.value;
  return [address[3] ?? TITLES[view], address[1]].filter(Boolean).join(" · ");
}
