import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Boundary } from "./parts/boundary.jsx";
import { Empty } from "./parts/empty.jsx";
import { Fault } from "./parts/field.jsx";
import { KeyForm } from "./parts/key-form.jsx";
import { Navigation } from "./parts/navigation.jsx";
import { BusyBar, Notices, UndoDialog } from "./parts/notices.jsx";
import { ThemeButton } from "./parts/theme.jsx";
import { Shown } from "./parts/value.jsx";
import { key, needsKey, setKey } from "./state/api.js";
import {
  branchTables,
  loadCounts,
  loadTables,
  loadTree,
  schemaEdits,
  type TableSchema,
  tree,
} from "./state/catalog.js";
import { isLive, onChanges, startLive } from "./state/live.js";
import { useLoad } from "./state/load.js";
import { ENGINE_VIEWS, go, hrefTo, place, VIEWS } from "./state/place.js";
import { showText } from "./state/text.js";
import { forgetTitles, titleOf, titleVersion } from "./state/titles.js";
import { undo } from "./state/undo.js";
import { ChartsView } from "./views/charts.jsx";
import { DatabasesView } from "./views/databases.jsx";
import { FaultsView } from "./views/faults.jsx";
import { JournalView } from "./views/journal.jsx";
import { RecordsView } from "./views/records.jsx";
import { SchemaView } from "./views/schema.jsx";
import { SearchView } from "./views/search.jsx";
import { SnapshotsView } from "./views/snapshots.jsx";

/** Milliseconds in which changes of others are collected. */
const COUNT_MS = 400;

/** The page: header, sidebar, view. */
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
    [workspace, database, branch, key.value, schemaEdits.value],
  );
  branchTables.value = loaded.value ?? [];
  useEffect(forgetTitles, [workspace, database, branch]);
  useLiveCatalog(loaded.reload);
  useKeys();
  const home = location.hash.length > 2 ? undefined : onlyBranch();
  useEffect(() => {
    if (home !== undefined) go({ address: home, view: "schema", params: {} }, { replace: true });
  }, [home]);
  const title = titleOfPage();
  useEffect(() => {
    document.title = `${title} – Twinbase`;
  }, [title]);
  if (needsKey.value) return <KeyForm />;
  if (tree.value === undefined) {
    return (
      <main class="loading">
        <BusyBar />
        {fault !== undefined && (
          <>
            <Fault error={fault} />
            <button type="button" onClick={() => location.reload()}>
              Reload the page
            </button>
          </>
        )}
      </main>
    );
  }
  const tables = loaded.value ?? [];
  return (
    <div class="page">
      <button type="button" class="skip" onClick={() => document.getElementById("main")?.focus()}>
        Skip to the content
      </button>
      <header class="top">
        <BusyBar />
        <a class="brand" href="#/">
          Twinbase
        </a>
        <Crumbs />
        <span class="space" />
        <Notices />
        {isLive.value && (
          <span class="live" title="Changes of others appear automatically">
            Live
          </span>
        )}
        {key.value !== "" && (
          <button type="button" class="quiet" onClick={() => setKey("")}>
            Sign out
          </button>
        )}
        <ThemeButton />
      </header>
      <Navigation tables={tables} onReload={loaded.reload} />
      <main id="main" tabIndex={-1} class={`view ${view}`}>
        <h1>
          {tableName !== undefined && (view === "records" || view === "charts") ? (
            <Shown text={tableName} />
          ) : (
            VIEWS[view]
          )}
        </h1>
        <Fault error={loaded.error} />
        {loaded.error === undefined && (
          <Boundary at={location.hash}>
            <View key={address.join("/")} tables={tables} isLoading={loaded.value === undefined} />
          </Boundary>
        )}
      </main>
      <UndoDialog />
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
    return (
      <Empty
        title={`No table ${showText(tableName)} on this branch`}
        text="It may have been renamed or deleted."
      >
        <a class="button" href={hrefTo(undefined, address.slice(0, 3))}>
          Show the schema
        </a>
      </Empty>
    );
  }
  if (table !== undefined && view === "records") {
    return <RecordsView table={table} tables={tables} />;
  }
  if (table !== undefined && view === "charts") {
    return <ChartsView table={table} tables={tables} />;
  }
  return (
    <Empty title="No branch is chosen">
      <a class="button" href="#/">
        Choose a database
      </a>
    </Empty>
  );
}

/** The address of the only database's main branch. */
function onlyBranch(): readonly string[] | undefined {
  const [only, ...others] = tree.value ?? [];
  if (only === undefined || others.length > 0) return undefined;
  const { workspace, database, branches } = only;
  const branch = branches.includes("main") ? "main" : branches[0];
  return branch === undefined ? undefined : [workspace, database, branch];
}

/** Keys of all views: `/` finds, Ctrl+Z undoes; fields and dialogs have their own. */
function useKeys(): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const target = event.target as HTMLElement;
      if (
        event.defaultPrevented ||
        target.matches("input:not([type=checkbox]), select, textarea")
      ) {
        return;
      }
      const isUndo = (event.ctrlKey || event.metaKey) && event.key === "z";
      if (!isUndo && event.key !== "/") return;
      event.preventDefault();
      if (isUndo) void undo();
      else document.querySelector<HTMLInputElement>("main input[type=search]")?.focus();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
}

/** Keeps counts, databases and tables up to date. */
function useLiveCatalog(reloadTables: () => void): void {
  useEffect(() => {
    if (needsKey.value) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isCatalog = false;
    const stopListening = onChanges(({ catalog }) => {
      isCatalog ||= catalog;
      timer ??= setTimeout(() => {
        timer = undefined;
        if (isCatalog) reloadTables();
        (isCatalog ? loadTree() : loadCounts()).catch(() => {});
        isCatalog = false;
      }, COUNT_MS);
    });
    const stop = startLive();
    return () => {
      stop();
      stopListening();
      clearTimeout(timer);
    };
  }, [key.value, needsKey.value]);
}

/** Breadcrumbs from the workspace to the record or the view. */
function Crumbs(): VNode {
  const { address, view, params } = place.value;
  const [, , , table] = address;
  void titleVersion.value;
  const isOfEngine = ENGINE_VIEWS.includes(view);
  const title =
    isOfEngine || view === "search" || view === "charts"
      ? VIEWS[view]
      : table && params.record && (titleOf(table, params.record) || params.record);
  const steps = isOfEngine ? [] : address;
  return (
    <nav aria-label="Address" class="crumbs">
      <ol>
        {steps.map((name, index) => {
          const to = steps.slice(0, index + 1);
          const isLast = index === steps.length - 1 && !title;
          return (
            <li key={to.join("/")}>
              <a href={hrefTo(undefined, to)} aria-current={isLast ? "page" : undefined}>
                <Shown text={name} />
              </a>
            </li>
          );
        })}
        {title && (
          <li aria-current="page">
            <Shown text={title} />
          </li>
        )}
      </ol>
    </nav>
  );
}

function titleOfPage(): string {
  const { address, view } = place.value;
  if (ENGINE_VIEWS.includes(view)) return VIEWS[view];
  return [address[3] ?? VIEWS[view], address[1]].filter(Boolean).join(" · ");
}
