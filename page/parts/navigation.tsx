import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { addressKey, counts, loadTree, type TableSchema, tree } from "../state/catalog.js";
import { ENGINE_VIEWS, go, hrefTo, place, VIEWS, type ViewName } from "../state/place.js";
import { showNumber } from "../state/text.js";
import { Choice } from "./field.jsx";
import { Shown } from "./value.jsx";

/** The sidebar: branch, tables, views. */
export function Navigation({
  tables,
  onReload,
}: {
  tables: readonly TableSchema[];
  onReload: () => void;
}): VNode {
  const { address, view } = place.value;
  const [, , branch, tableName] = address;
  const [isOpen, setOpen] = useState(false);
  const menu = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!isOpen) return undefined;
    const onKey = ({ key }: KeyboardEvent): void => {
      if (key !== "Escape") return;
      setOpen(false);
      menu.current?.focus();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [isOpen]);
  const branchAddress = address.slice(0, 3);
  const hasBranch = branch !== undefined;
  const link = (name: ViewName, to: readonly string[]): VNode => (
    <li key={name}>
      <a
        href={hrefTo(name, to)}
        aria-current={view === name ? "page" : undefined}
        onClick={() => setOpen(false)}
      >
        {VIEWS[name]}
      </a>
    </li>
  );
  return (
    <div class={isOpen ? "side open" : "side"}>
      <button
        ref={menu}
        type="button"
        class="menu"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        Menu
      </button>
      <nav aria-label="Views">
        <BranchChoice view={view} />
        {hasBranch && (
          <>
            <h2>
              Tables
              <button
                type="button"
                class="small"
                aria-label="Reload tables"
                onClick={() => {
                  void loadTree();
                  onReload();
                }}
              >
                ↻
              </button>
            </h2>
            <ul>
              {tables.map(({ name }) => {
                const to = [...branchAddress, name];
                const isHere = tableName === name && (view === "records" || view === "charts");
                return (
                  <li key={name}>
                    <a
                      href={hrefTo(undefined, to)}
                      aria-current={isHere ? "page" : undefined}
                      onClick={() => setOpen(false)}
                    >
                      <span class="name">
                        <Shown text={name} />
                      </span>
                      <span class="faint">{showNumber(counts.value.get(addressKey(to)) ?? 0)}</span>
                    </a>
                  </li>
                );
              })}
            </ul>
            <h2>Branch</h2>
            <ul>
              {link("schema", branchAddress)}
              {link("search", branchAddress)}
            </ul>
          </>
        )}
        <h2>Engine</h2>
        <ul>{ENGINE_VIEWS.map((name) => link(name, address))}</ul>
      </nav>
    </div>
  );
}

/** The branch selector. */
function BranchChoice({ view }: { view: ViewName }): VNode | null {
  const [workspace, database, branch, tableName] = place.value.address;
  const options = (tree.value ?? []).flatMap((entry) =>
    entry.branches.map((name) => [entry.workspace, entry.database, name] as const),
  );
  if (options.length === 0) return null;
  const workspaces = new Set(options.map(([of]) => of));
  const here = [workspace, database, branch].filter((name) => name !== undefined);
  const choose = (chosen: string): void => {
    if (chosen === "") return;
    const to = JSON.parse(chosen) as string[];
    const isSameDatabase = to[0] === workspace && to[1] === database;
    const table = isSameDatabase && tableName !== undefined ? [tableName] : [];
    go({ address: [...to, ...table], view: table.length > 0 ? view : "schema", params: {} });
  };
  return (
    <Choice
      label="Branch"
      value={here.length === 3 ? addressKey(here) : ""}
      options={[
        ...(here.length === 3 ? [] : [["", "Choose a branch"] as const]),
        ...options.map(([of, name, on]) => {
          const text = workspaces.size > 1 ? `${of} / ${name}:${on}` : `${name}:${on}`;
          return [addressKey([of, name, on]), text] as const;
        }),
      ]}
      onChange={choose}
    />
  );
}
