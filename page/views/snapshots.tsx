import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { ChangeList, type Difference } from "../parts/change-list.jsx";
import { Choice, Fault } from "../parts/field.jsx";
import { Shown } from "../parts/value.jsx";
import { branchPath, control, controlIn } from "../state/api.js";
import { loadTree, tree } from "../state/catalog.js";
import { useLoad } from "../state/load.js";
import { locale } from "../state/locale.js";
import { formatBranches, hrefTo, place, setParams } from "../state/place.js";
import { UNDO_PREFIX } from "../state/undo.js";

/** Represents the current state among snapshot names. */
const NOW = "";

/** Snapshots: take, restore, compare. */
export function SnapshotsView(): VNode {
  const loaded = useLoad<{ snapshots: string[]; taken: number[] }>(
    (signal) => control("GET", "snapshots", { signal }),
    [],
  );
  const [name, setName] = useState("");
  const [toRestore, setToRestore] = useState<string | undefined>(undefined);
  const [message, setMessage] = useState("");
  const [error, setError] = useState<Error | undefined>(undefined);
  const act = async (method: string, path: string, done: string): Promise<void> => {
    try {
      await control(method, path);
      setMessage(done);
      setError(undefined);
      setToRestore(undefined);
      loaded.reload();
      await loadTree();
    } catch (fault) {
      setError(fault as Error);
    }
  };
  const at = (of: string): string => `snapshots/${encodeURIComponent(of)}`;
  const { snapshots: all = [], taken = [] } = loaded.value ?? {};
  const snapshots = all.filter((name) => !name.startsWith(UNDO_PREFIX));
  return (
    <div class="stack">
      <section class="card">
        <h2>Snapshots</h2>
        <form
          class="toolbar"
          onSubmit={(event) => {
            event.preventDefault();
            void act("PUT", at(name), `Snapshot “${name}” taken`);
            setName("");
          }}
        >
          <input
            aria-label="Name of the snapshot"
            placeholder="Name"
            required
            value={name}
            onInput={(event) => setName(event.currentTarget.value)}
          />
          <button type="submit" class="primary">
            Take snapshot
          </button>
          <span class="space" />
          <button type="button" onClick={() => setToRestore(NOW)}>
            Reset to the start
          </button>
        </form>
        <Fault error={error ?? loaded.error} />
        {toRestore !== undefined && (
          <div class="ask" role="alertdialog" aria-label="Restore">
            <p>
              {toRestore === NOW ? (
                "Reset everything to the state at the start, with clock, faults and journal?"
              ) : (
                <>
                  Restore <Shown text={toRestore} />? Everything written since is lost.
                </>
              )}
            </p>
            <button
              type="button"
              class="danger"
              ref={(button) => button?.focus()}
              onClick={() =>
                void (toRestore === NOW
                  ? act("POST", "reset", "Everything was reset")
                  : act("POST", `${at(toRestore)}/restore`, `“${toRestore}” was restored`))
              }
            >
              {toRestore === NOW ? "Reset everything" : "Restore snapshot"}
            </button>
            <button type="button" onClick={() => setToRestore(undefined)}>
              Cancel
            </button>
          </div>
        )}
        <p role="status" class="faint">
          {message}
        </p>
        {snapshots.length === 0 ? (
          <p class="faint">
            No snapshots yet. A snapshot keeps the whole state under a name, to compare with or to
            restore.
          </p>
        ) : (
          <table>
            <tbody>
              {snapshots.map((of) => (
                <tr key={of}>
                  <th scope="row">
                    <Shown text={of} />
                  </th>
                  <td class="faint">
                    <ShownTime ms={taken[all.indexOf(of)]} />
                  </td>
                  <td class="number">
                    <div class="buttons">
                      <button type="button" class="small" onClick={() => setToRestore(of)}>
                        Restore
                      </button>
                      <button
                        type="button"
                        class="small"
                        onClick={() => setParams({ before: of, after: "", branches: "" })}
                      >
                        Compare with now
                      </button>
                      <button
                        type="button"
                        class="small"
                        onClick={() => void act("DELETE", at(of), `“${of}” was deleted`)}
                      >
                        Delete
                      </button>
                    </div>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </section>
      <SnapshotDifference snapshots={snapshots} message={message} />
      <BranchDifference message={message} />
    </div>
  );
}

/** A time of the machine's clock; undefined as nothing. */
function ShownTime({ ms }: { ms: number | undefined }): VNode | null {
  if (ms === undefined) return null;
  const time = new Date(ms);
  return <time dateTime={time.toISOString()}>taken {time.toLocaleString(locale)}</time>;
}

function SnapshotDifference({
  snapshots,
  message,
}: {
  snapshots: readonly string[];
  message: string;
}): VNode | null {
  const { before, after = NOW } = place.value.params;
  const { value, error } = useLoad<Difference | undefined>(
    async (signal) => {
      if (before === undefined) return undefined;
      const body = { before, ...(after !== NOW && { after }) };
      return control("POST", "diff", { body, signal });
    },
    [before, after, message],
  );
  if (snapshots.length === 0 && before === undefined) return null;
  return (
    <section class="card">
      <h2>Compare snapshots</h2>
      <div class="toolbar">
        <Choice
          label="From"
          value={before ?? ""}
          options={[["", "Choose one"], ...snapshots]}
          onChange={(chosen) => setParams({ before: chosen })}
        />
        <Choice
          label="To"
          value={after}
          options={[[NOW, "now"], ...snapshots]}
          onChange={(chosen) => setParams({ after: chosen })}
        />
      </div>
      <Fault error={error} />
      {value !== undefined && <ChangeList difference={value} />}
    </section>
  );
}

/** Compares two branches of a database. */
function BranchDifference({ message }: { message: string }): VNode {
  const databases = (tree.value ?? []).filter(({ branches }) => branches.length > 1);
  const chosen = (place.value.params.branches ?? "").split("/").map(decodeURIComponent);
  const [workspace, database, before, after] = chosen;
  const { value, error } = useLoad<Difference | undefined>(
    async (signal) => {
      if (!workspace || !database || !before || !after) return undefined;
      const path = `${branchPath(database, before)}/diff/${encodeURIComponent(after)}`;
      return controlIn(workspace, "POST", path, { body: {}, signal });
    },
    [place.value.params.branches, message],
  );
  const entry =
    databases.find((of) => of.workspace === workspace && of.database === database) ?? databases[0];
  if (entry === undefined) {
    return (
      <section class="card">
        <h2>Compare branches</h2>
        <p class="faint">
          No database has two branches yet. Make one under{" "}
          <a href={hrefTo("databases")}>Databases</a>, change it, and compare here.
        </p>
      </section>
    );
  }
  const put = (names: readonly (string | undefined)[]): void =>
    setParams({ branches: formatBranches(names) });
  const at = [entry.workspace, entry.database];
  return (
    <section class="card">
      <h2>Compare branches</h2>
      <div class="toolbar">
        <Choice
          label="Database"
          value={JSON.stringify(at)}
          options={databases.map((of) => {
            const text = `${of.workspace} / ${of.database}`;
            return [JSON.stringify([of.workspace, of.database]), text] as const;
          })}
          onChange={(to) => put(JSON.parse(to) as string[])}
        />
        <Choice
          label="From branch"
          value={before ?? ""}
          options={[["", "Choose one"], ...entry.branches]}
          onChange={(to) => put([...at, to, after])}
        />
        <Choice
          label="To branch"
          value={after ?? ""}
          options={[["", "Choose one"], ...entry.branches]}
          onChange={(to) => put([...at, before, to])}
        />
      </div>
      <Fault error={error} />
      {value !== undefined && <ChangeList difference={value} isOfBranches />}
    </section>
  );
}
