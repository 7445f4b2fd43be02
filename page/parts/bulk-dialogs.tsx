import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { QueryRequest } from "../../src/types.js";
import { writeWhere } from "../state/bulk.js";
import { isChecked, type TableSchema } from "../state/catalog.js";
import { type Leaf, leavesOf, objectAt } from "../state/columns.js";
import { place } from "../state/place.js";
import { countSelected, querySelected, type Selection } from "../state/selection.js";
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
  readonly selection: Selection;
  readonly query: QueryRequest;
  /** Number of records that match the query. */
  readonly total: number;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Updates the selected records, or deletes them; resolves with their number as a phrase. */
async function writeSelected({ selection, query }: BulkProps, fields?: object): Promise<string> {
  const { filter = {} } = querySelected(selection, query);
  const write = fields === undefined ? { delete: { filter } } : { update: { filter, fields } };
  return showCount(await writeWhere(place.value.address, write), "record");
}

export function DeleteDialog(props: BulkProps): VNode {
  const { table, selection, total, onDone, onClose } = props;
  void titleVersion.value;
  const count = countSelected(selection, total);
  const [id] = count === 1 && !selection.isInverse ? selection.ids : [];
  const title = id === undefined ? "" : titleOf(table.name, id);
  return (
    <Dialog
      title={`Delete ${id ?? showCount(count, "record")}?`}
      action="Delete"
      isDanger
      onSubmit={async () => {
        await undoably(
          () => writeSelected(props),
          (records) => (id === undefined ? `${records} deleted` : `${id} was deleted`),
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
        Links to {count === 1 ? "it" : "them"}{" "}
        {isChecked.value ? "are set to null" : "stay, and lead nowhere"}. You can undo this.
      </p>
    </Dialog>
  );
}

export function SetValueDialog(props: BulkProps): VNode {
  const { table, selection, total, onDone, onClose } = props;
  const leaves = leavesOf(table).filter(({ isOwn }) => isOwn);
  const [path, setPath] = useState("");
  const [text, setText] = useState("");
  const [isNull, setNull] = useState(false);
  const leaf = leaves.find((known) => known.path === path);
  const isText = leaf?.type === "string" || leaf?.type === "text";
  return (
    <Dialog
      title={`Set a value in ${showCount(countSelected(selection, total), "record")}`}
      action={isNull ? "Set to null" : isText && text === "" ? "Set to empty text" : "Set value"}
      isReady={leaf !== undefined && (isNull || isText || text !== "")}
      onSubmit={async () => {
        const value = isNull || leaf === undefined ? null : fromInput(leaf.type, text);
        await undoably(
          () => writeSelected(props, objectAt(path, value)),
          (records) => `${path} was set in ${records}`,
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
