import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { NewBranchDialog, NewDatabaseDialog } from "../parts/database-dialog.jsx";
import { Empty } from "../parts/empty.jsx";
import { Shown } from "../parts/value.jsx";
import { counts, type DatabaseTree, tree } from "../state/catalog.js";
import { formatBranches, hrefTo, place } from "../state/place.js";
import { showCount, showNumber } from "../state/text.js";

/** Databases with their branches, limited to the workspace of the address. */
export function DatabasesView(): VNode {
  const { address } = place.value;
  // The current branch stays selected and does not filter the list.
  const [workspace, database] = address.length < 3 ? address : [];
  const shown = (tree.value ?? []).filter(
    (entry) =>
      (workspace === undefined || entry.workspace === workspace) &&
      (database === undefined || entry.database === database),
  );
  const [isMaking, setMaking] = useState(false);
  const button = (
    <button type="button" class="primary" onClick={() => setMaking(true)}>
      New database
    </button>
  );
  const dialog = isMaking && <NewDatabaseDialog onClose={() => setMaking(false)} />;
  if (shown.length === 0) {
    return (
      <Empty title="No databases yet" text="A database has branches, and a branch has tables.">
        {button}
        {dialog}
      </Empty>
    );
  }
  return (
    <>
      <div class="toolbar">
        <span class="count">{showCount(shown.length, "database")}</span>
        <span class="space" />
        {button}
        {dialog}
      </div>
      <div class="cards">
        {shown.map((entry) => (
          <Database key={`${entry.workspace}/${entry.database}`} entry={entry} />
        ))}
      </div>
    </>
  );
}

function Database({ entry }: { entry: DatabaseTree }): VNode {
  const { workspace, database, branches } = entry;
  const [isMaking, setMaking] = useState(false);
  const [first = "", second = ""] = branches;
  const compared = { branches: formatBranches([workspace, database, first, second]) };
  return (
    <section class="card">
      <h2>
        <Shown text={database} />
      </h2>
      <p class="faint">
        workspace <Shown text={workspace} />
      </p>
      <table>
        <thead>
          <tr>
            <th scope="col">Branch</th>
            <th scope="col" class="number">
              Tables
            </th>
            <th scope="col" class="number">
              Records
            </th>
          </tr>
        </thead>
        <tbody>
          {branches.map((branch) => {
            const held = countOf([workspace, database, branch]);
            return (
              <tr key={branch}>
                <th scope="row">
                  <a href={hrefTo(undefined, [workspace, database, branch])}>
                    <Shown text={branch} />
                  </a>
                </th>
                <td class="number">{held.tables}</td>
                <td class="number">{showNumber(held.records)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
      <div class="buttons">
        <button type="button" class="small" onClick={() => setMaking(true)}>
          New branch
        </button>
        {branches.length > 1 && (
          <a class="button small" href={hrefTo("snapshots", place.value.address, compared)}>
            Compare branches
          </a>
        )}
      </div>
      {isMaking && <NewBranchDialog entry={entry} onClose={() => setMaking(false)} />}
    </section>
  );
}

function countOf(address: readonly string[]): { tables: number; records: number } {
  const start = JSON.stringify(address).slice(0, -1);
  const found = [...counts.value].filter(([key]) => key.startsWith(`${start},`));
  return { tables: found.length, records: found.reduce((sum, [, records]) => sum + records, 0) };
}
