import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { branchPath, service } from "../state/api.js";
import { type DatabaseTree, loadTree } from "../state/catalog.js";
import { useLoad } from "../state/load.js";
import { go, place } from "../state/place.js";
import { Dialog } from "./dialog.jsx";
import { Choice, TextField } from "./field.jsx";

/** Creates a database with a branch `main`, and a workspace if there is none. */
export function NewDatabaseDialog({ onClose }: { onClose: () => void }): VNode {
  const { value } = useLoad(
    () => service<{ workspaces: { id: string }[] }>(undefined, "GET", "workspaces"),
    [],
  );
  const workspaces = value?.workspaces.map(({ id }) => id) ?? [];
  const [chosen, setChosen] = useState(place.value.address[0]);
  const [name, setName] = useState("");
  const make = async (): Promise<void> => {
    const known = chosen ?? workspaces[0];
    const workspace =
      known ??
      (await service<{ id: string }>(undefined, "POST", "workspaces", { body: { name: "local" } }))
        .id;
    const path = `workspaces/${encodeURIComponent(workspace)}/dbs/${encodeURIComponent(name)}`;
    await service(undefined, "PUT", path, { body: { branchName: "main", region: "local" } });
    await loadTree();
    onClose();
    go({ address: [workspace, name, "main"], view: "schema", params: {} });
  };
  return (
    <Dialog
      title="New database"
      action="Create database"
      isReady={name.trim() !== "" && value !== undefined}
      onSubmit={make}
      onClose={onClose}
    >
      <TextField label="Name" value={name} onInput={setName} />
      {workspaces.length > 1 && (
        <Choice
          label="Workspace"
          value={chosen ?? workspaces[0] ?? ""}
          options={workspaces}
          onChange={setChosen}
        />
      )}
    </Dialog>
  );
}

/** Creates a branch with the tables and records of another. */
export function NewBranchDialog({
  entry: { workspace, database, branches },
  onClose,
}: {
  entry: DatabaseTree;
  onClose: () => void;
}): VNode {
  const [name, setName] = useState("");
  const [from, setFrom] = useState(branches.includes("main") ? "main" : branches[0]);
  const make = async (): Promise<void> => {
    await service(workspace, "PUT", branchPath(database, name), { body: { from } });
    await loadTree();
    onClose();
    go({ address: [workspace, database, name], view: "schema", params: {} });
  };
  return (
    <Dialog
      title={`New branch of ${database}`}
      action="Create branch"
      isReady={name.trim() !== ""}
      onSubmit={make}
      onClose={onClose}
    >
      <TextField label="Name" value={name} onInput={setName} />
      <Choice label="From" value={from ?? ""} options={branches} onChange={setFrom} />
    </Dialog>
  );
}
