import type { VNode } from "preact";
import { useMemo, useState } from "preact/hooks";
import { Canvas } from "../parts/canvas.jsx";
import { DropArea } from "../parts/drop-area.jsx";
import { Empty } from "../parts/empty.jsx";
import { ImportDialog } from "../parts/import-dialog.jsx";
import { SchemaInspector } from "../parts/schema-inspector.jsx";
import { NewTableDialog } from "../parts/table-dialogs.jsx";
import { Shown } from "../parts/value.jsx";
import { addressKey, counts, type TableSchema } from "../state/catalog.js";
import { BOX_WIDTH, layoutSchema, type TableBox } from "../state/layout.js";
import { go, hrefTo, place, setParams } from "../state/place.js";
import { showCount, showNumber } from "../state/text.js";

type Task = { readonly kind: "table" } | { readonly kind: "import"; readonly file?: File };

/** The schema of a branch as a diagram, with an inspector for the chosen table. */
export function SchemaView({ tables }: { tables: readonly TableSchema[] }): VNode {
  const [task, setTask] = useState<Task | undefined>(undefined);
  const { address, params } = place.value;
  const chosen = tables.find(({ name }) => name === params.table);
  const close = (): void => setTask(undefined);
  return (
    <DropArea
      class="schema-view"
      sign="Drop the file to import it as a new table"
      onFile={(file) => setTask({ kind: "import", file })}
    >
      {tables.length === 0 ? (
        <Empty
          title="No tables yet"
          text="Create one, or drop a CSV or JSON file here: its columns are inferred."
        >
          <button type="button" class="primary" onClick={() => setTask({ kind: "table" })}>
            New table
          </button>
          <button type="button" onClick={() => setTask({ kind: "import" })}>
            Import a file
          </button>
        </Empty>
      ) : (
        <>
          <div class="toolbar">
            <span class="count">{showCount(tables.length, "table")}</span>
            <span class="space" />
            <button type="button" onClick={() => setTask({ kind: "import" })}>
              Import as table
            </button>
            <button type="button" class="primary" onClick={() => setTask({ kind: "table" })}>
              New table
            </button>
          </div>
          <div class="beside">
            <Picture tables={tables} chosen={chosen?.name} />
            {chosen !== undefined && (
              <SchemaInspector key={chosen.name} table={chosen} tables={tables} />
            )}
          </div>
        </>
      )}
      {task?.kind === "table" && (
        <NewTableDialog
          tables={tables}
          onClose={close}
          onDone={(name) => {
            close();
            setParams({ table: name });
          }}
        />
      )}
      {task?.kind === "import" && (
        <ImportDialog
          table={undefined}
          file={task.file}
          onClose={close}
          onDone={(name) => {
            close();
            go({ address: [...address.slice(0, 3), name], view: "records", params: {} });
          }}
        />
      )}
    </DropArea>
  );
}

function Picture({
  tables,
  chosen,
}: {
  tables: readonly TableSchema[];
  chosen: string | undefined;
}): VNode {
  const picture = useMemo(() => layoutSchema(tables), [tables]);
  const [pointed, setPointed] = useState<string | undefined>(undefined);
  const marked = pointed ?? chosen;
  return (
    <Canvas
      label="Tables and links"
      width={picture.width}
      height={picture.height}
      legend={<Legend />}
    >
      <svg width={picture.width} height={picture.height} aria-hidden="true">
        <defs>
          <marker
            id="tip"
            viewBox="0 0 8 8"
            refX="7"
            refY="4"
            markerWidth="8"
            markerHeight="8"
            markerUnits="userSpaceOnUse"
            orient="auto"
          >
            <path d="M0,0 L8,4 L0,8 z" />
          </marker>
        </defs>
        {picture.lines.map(({ key, from, to, line }) => (
          <path
            key={key}
            d={line}
            class={marked === from || marked === to ? "line marked" : "line"}
            marker-end="url(#tip)"
          />
        ))}
      </svg>
      {picture.boxes.map((box) => (
        <Box
          key={box.table.name}
          box={box}
          isChosen={box.table.name === chosen}
          onPoint={setPointed}
        />
      ))}
    </Canvas>
  );
}

function Legend(): VNode {
  return (
    <ul class="legend" aria-label="Signs">
      <li>
        <span class="flag">*</span> required
      </li>
      <li>
        <span class="flag">◆</span> unique
      </li>
      <li>
        <span class="flag">→</span> links to a table
      </li>
    </ul>
  );
}

function Box({
  box,
  isChosen,
  onPoint,
}: {
  box: TableBox;
  isChosen: boolean;
  onPoint: (table: string | undefined) => void;
}): VNode {
  const { table, leaves, x, y, height } = box;
  const address = [...place.value.address.slice(0, 3), table.name];
  const records = counts.value.get(addressKey(address)) ?? 0;
  return (
    <section
      class={isChosen ? "box chosen" : "box"}
      aria-label={`Table ${table.name}`}
      style={{ left: `${x}px`, top: `${y}px`, width: `${BOX_WIDTH}px`, height: `${height}px` }}
      onMouseEnter={() => onPoint(table.name)}
      onMouseLeave={() => onPoint(undefined)}
      onFocusIn={() => onPoint(table.name)}
      onFocusOut={() => onPoint(undefined)}
    >
      <h2>
        <a class="name" href={hrefTo("records", address)}>
          <Shown text={table.name} />
        </a>
        <span class="space" />
        <span class="faint">{showNumber(records)}</span>
        <button
          type="button"
          class="small"
          aria-label={`Edit ${table.name}`}
          aria-pressed={isChosen}
          onClick={() => setParams({ table: isChosen ? "" : table.name })}
        >
          Edit
        </button>
      </h2>
      <ul>
        {leaves.map(({ path, type, link, definition }) => (
          <li key={path}>
            <span class="name">
              <Shown text={path} />
              {definition?.notNull && (
                <abbr title="required" class="flag">
                  *
                </abbr>
              )}
              {definition?.unique && (
                <abbr title="unique" class="flag">
                  ◆
                </abbr>
              )}
            </span>
            <span class="type">{link === undefined ? type : `→ ${link}`}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
