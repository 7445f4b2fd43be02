import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { deletions, runOperations, updates } from "../state/bulk.js";
import { isChecked, type TableSchema } from "../state/catalog.js";
import { type Leaf, leavesOf } from "../state/columns.js";
import { place } from "../state/place.js";
import { showCount } from "../state/text.js";
import { titleOf, titleVersion } from "../state/titles.js";
import { undoably } from "../state/undo.js";
import { fromInput } from "../state/values.js";
import { Dialog } from "./dialog.jsx";
import { Check, Choice, TextField } from "./field.jsx";
import { DeadLink, LinkPicker } from "./link-picker.jsx";
import { Shown } from "./value.jsx";

interface BulkProps {
  readonly table: TableSchema;
  readonly ids: readonly string[];
  readonly onDone: () => void;
  readonly onClose: () => void;
}

export function DeleteDialog({ table, ids, onDone, onClose }: BulkProps): VNode {
  void titleVersion.value;
  const title = ids.length === 1 ? titleOf(table.name, ids[0]!) : "";
  return (
    <Dialog
      title={ids.length === 1 ? `Delete ${ids[0]}?` : `Delete ${showCount(ids.length, "record")}?`}
      action="Delete"
      isDanger
      onSubmit={async () => {
        await undoably(
          () => runOperations(place.value.address, deletions(table.name, ids)),
          () =>
            ids.length === 1
              ? `${ids[0]} was deleted`
              : `${showCount(ids.length, "record")} deleted`,
        );
        onDone();
      }}
      onClose={onClose}
    >
      {title && (
        <p>
          <strong>
            <Shown text={title} />
          </strong>
        </p>
      )}
      <p>
        Links to {ids.length === 1 ? "it" : "them"}{" "}
        {isChecked.value ? "are set to null" : "stay, and lead nowhere"}. You can undo this.
      </p>
    </Dialog>
  );
}

export function SetValueDialog({ table, ids, onDone, onClose }: BulkProps): VNode {
  const leaves = leavesOf(table).filter(({ isOwn }) => isOwn);
  const [path, setPath] = useState("");
  const [text, setText] = useState("");
  const [isNull, setNull] = useState(false);
  const leaf = leaves.find((known) => known.path === path);
  const isText = leaf?.type === "string" || leaf?.type === "text";
  return (
    <Dialog
      title={`Set a value in ${showCount(ids.length, "record")}`}
      action={isNull ? "Set to null" : isText && text === "" ? "Set to empty text" : "Set value"}
      isReady={leaf !== undefined && (isNull || isText || text !== "")}
      onSubmit={async () => {
        const value = isNull || leaf === undefined ? null : fromInput(leaf.type, text);
        await undoably(
          () => runOperations(place.value.address, updates(table.name, ids, path, value)),
          () => `${path} was set in ${showCount(ids.length, "record")}`,
        );
        onDone();
      }}
      onClose={onClose}
    >
      <Choice
        label="Column"
        value={path}
        options={[
          ["", "Choose one"],
          ...leaves.map((known) => [known.path, `${known.path} (${known.type})`] as const),
        ]}
        onChange={(next) => {
          setPath(next);
          setText("");
        }}
      />
      {leaf !== undefined && !isNull && <ValueInput leaf={leaf} text={text} onInput={setText} />}
      <Check isChecked={isNull} onChange={setNull}>
        Set to null
      </Check>
    </Dialog>
  );
}

function ValueInput({
  leaf,
  text,
  onInput,
}: {
  leaf: Leaf;
  text: string;
  onInput: (text: string) => void;
}): VNode {
  if (leaf.type === "bool") {
    return (
      <Choice
        label="Value"
        value={text}
        options={[["", "Choose one"], "true", "false"]}
        onChange={onInput}
      />
    );
  }
  if (leaf.link === undefined) return <TextField label="Value" value={text} onInput={onInput} />;
  return (
    <div class="field">
      <label for="bulk-link">Value</label>
      <LinkPicker
        id="bulk-link"
        target={leaf.link}
        value={text}
        isWrong={false}
        onChange={onInput}
      />
      <DeadLink target={leaf.link} id={text} />
    </div>
  );
}
