import type { VNode } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { VALUE_TYPES } from "../../src/fixtures/infer-type.js";
import { READING, type ReadingOptions, readingOf } from "../../src/fixtures/reading.js";
import type { ColumnDefinition, ColumnType } from "../../src/types.js";
import { isChecked, type TableSchema } from "../state/catalog.js";
import { findFaults, type ImportFault, type ImportRecord } from "../state/import-faults.js";
import {
  fitRecords,
  type ImportPlan,
  planImport,
  runImport,
  tableNameOf,
} from "../state/import-file.js";
import { place } from "../state/place.js";
import { cutText, showCount, showNumber, showValue } from "../state/text.js";
import { undoably } from "../state/undo.js";
import { Dialog } from "./dialog.jsx";
import { Check, Fault, TextField } from "./field.jsx";
import { Shown } from "./value.jsx";

const SHOWN_RECORDS = 5;

function withType(column: ColumnDefinition, type: ColumnType | undefined): ColumnDefinition {
  return type === undefined ? column : { name: column.name, type };
}

/** Previews a file and inserts its records into a table or a new one. */
export function ImportDialog({
  table,
  file: given,
  onDone,
  onClose,
}: {
  /** Undefined creates a table. */
  table: TableSchema | undefined;
  /** A dropped file; undefined shows a file input. */
  file: File | undefined;
  onDone: (table: string) => void;
  onClose: () => void;
}): VNode {
  const [file, setFile] = useState(given);
  const [reading, setReading] = useState<ReadingOptions>({});
  const [plan, setPlan] = useState<ImportPlan | undefined>(undefined);
  const [fault, setFault] = useState<unknown>(undefined);
  const [name, setName] = useState(given === undefined ? "" : tableNameOf(given.name));
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [isUpdate, setUpdate] = useState(false);
  const [isDeadTaken, setDeadTaken] = useState(false);
  useEffect(() => {
    if (file === undefined) return;
    setFault(undefined);
    planImport(file, table, reading).then(setPlan, (error) => {
      setPlan(undefined);
      setFault(error);
    });
    if (name === "") setName(tableNameOf(file.name));
  }, [file, reading]);
  const into = table?.name ?? name;
  const [types, setTypes] = useState<ReadonlyMap<string, ColumnType>>(new Map());
  const added =
    plan?.added
      .filter((column) => !left.has(column.name))
      .map((column) => withType(column, types.get(column.name))) ?? [];
  const [records, faults] = useMemo(() => {
    if (plan === undefined) return [[], new Map<ImportRecord, ImportFault>()] as const;
    const taken = [...(table?.columns ?? []), ...added];
    const fitted = fitRecords(plan, taken);
    return [
      fitted,
      findFaults(fitted, taken, plan.facts, { isUpdate, maxLines: plan.maxLines }),
    ] as const;
  }, [plan, left, types, isUpdate]);
  const columns = [
    ...(records.some(({ id }) => id !== undefined) ? ["id"] : []),
    ...(plan?.known ?? []),
    ...added.map((column) => column.name),
  ];
  const dead = [...faults.values()].filter(({ isDead }) => isDead).length;
  const isBad = (fault: ImportFault | undefined): fault is ImportFault =>
    fault !== undefined && !(fault.isDead && isDeadTaken);
  const bad = [...faults.values()].filter(isBad);
  const good = records.filter((record) => !isBad(faults.get(record)));
  const run = async (): Promise<void> => {
    const [workspace = "", database = "", branch = ""] = place.value.address;
    await undoably(
      async () => {
        await runImport([workspace, database, branch, into], table, good, { added, isUpdate });
        onDone(into); // before the notification, which a change of the view would close
      },
      () =>
        `${showCount(good.length, "record")} imported into ${into}` +
        (bad.length > 0 ? `, ${showNumber(bad.length)} left out` : ""),
    );
  };
  return (
    <Dialog
      title={table === undefined ? "Import a file as a new table" : `Import into ${table.name}`}
      action={
        plan === undefined
          ? "Import"
          : `Import ${showCount(good.length, bad.length > 0 ? "good record" : "record")}`
      }
      isWide
      isReady={good.length > 0 && into !== ""}
      onSubmit={run}
      onClose={onClose}
    >
      <div class="field">
        {given === undefined ? (
          <>
            <label for="import-file">CSV, JSON or JSON lines</label>
            <input
              id="import-file"
              type="file"
              accept=".csv,.tsv,.txt,.json,.geojson,.ndjson,.jsonl,.gz"
              onClick={(event) => {
                // An edited file of the same name is a change too.
                event.currentTarget.value = "";
                setFile(undefined);
                setPlan(undefined);
              }}
              onChange={(event) => setFile(event.currentTarget.files?.[0])}
            />
          </>
        ) : (
          <p>
            <Shown text={given.name} />
          </p>
        )}
      </div>
      <ReadingForm onChange={setReading} />
      <Fault error={fault} />
      {table === undefined && plan !== undefined && (
        <TextField label="Name of the new table" value={name} onInput={setName} />
      )}
      {plan !== undefined && (
        <>
          {plan.added.length > 0 && (
            <fieldset>
              <legend>{table === undefined ? "Columns" : "Columns missing in the table"}</legend>
              {plan.added.map((column) => (
                <Check
                  key={column.name}
                  isChecked={!left.has(column.name)}
                  onChange={() => {
                    const next = new Set(left);
                    if (!next.delete(column.name)) next.add(column.name);
                    setLeft(next);
                  }}
                >
                  {table === undefined ? "" : "Add "}
                  <Shown text={column.name} />{" "}
                  {column.type === "object" ? (
                    <span class="type">{column.type}</span>
                  ) : (
                    <select
                      aria-label={`Type of ${column.name}`}
                      value={types.get(column.name) ?? column.type}
                      onChange={({ currentTarget: { value } }) =>
                        setTypes(new Map(types).set(column.name, value as ColumnType))
                      } // one of the options
                    >
                      {VALUE_TYPES.map((type) => (
                        <option key={type}>{type}</option>
                      ))}
                    </select>
                  )}
                </Check>
              ))}
            </fieldset>
          )}
          {plan.notes.length > 0 && (
            <ul class="hint">
              {plan.notes.map((note) => (
                <li key={note}>
                  <Shown text={note} />
                </li>
              ))}
            </ul>
          )}
          {table !== undefined && (
            <Check isChecked={isUpdate} onChange={setUpdate}>
              Update records whose id exists
            </Check>
          )}
          {dead > 0 && !isChecked.value && (
            <Check isChecked={isDeadTaken} onChange={setDeadTaken}>
              Import {showCount(dead, "record")} with links that lead nowhere, too
            </Check>
          )}
          {bad.length > 0 && (
            <>
              <p class="warning" role="status">
                {showCount(bad.length, "record")} of {showNumber(plan.rows.length)} cannot be
                imported as {bad.length === 1 ? "it is" : "they are"}. Mend the file and choose it
                again, or import the others.
              </p>
              <Faults faults={bad} />
            </>
          )}
          <Preview records={records} columns={columns} />
        </>
      )}
    </Dialog>
  );
}

/** The options of reading a file. */
function ReadingForm({ onChange }: { onChange: (reading: ReadingOptions) => void }): VNode {
  const [values, setValues] = useState<Readonly<Record<string, string | boolean>>>({});
  const change = (name: string, value: string | boolean): void => {
    const next = { ...values, [name]: value };
    setValues(next);
    onChange(readingOf(Object.fromEntries(Object.entries(next).map(parseOption))));
  };
  return (
    <details>
      <summary>How to read it</summary>
      {Object.entries(READING).map(([name, option]) => {
        const label = name.replace("-", " ");
        const value = values[name] ?? "";
        return "value" in option ? (
          <TextField
            key={name}
            label={label}
            value={String(value)}
            placeholder={option.help.replaceAll("`", "")}
            onInput={(text) => change(name, text)}
          />
        ) : (
          <Check key={name} isChecked={value === true} onChange={(is) => change(name, is)}>
            {label}
          </Check>
        );
      })}
    </details>
  );
}

/** Parses the text of an option; texts without a value are separated by spaces. */
function parseOption([name, value]: [string, string | boolean]): [string, unknown] {
  if (value === "") return [name, undefined];
  if (name === READING.skip.key) return [name, Number(value)];
  return [name, name === READING.null.key ? String(value).split(" ") : value];
}

/** The records that are left out, with their lines in the file. */
function Faults({ faults }: { faults: readonly ImportFault[] }): VNode {
  const listed = faults.filter(({ line }) => line !== undefined);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard
    <div class="list short" role="region" aria-label="Records with faults" tabIndex={0}>
      <ul class="values">
        {listed.map(({ line, path, text }) => (
          <li key={`${line} ${path}`}>
            line {line}, <Shown text={path} />: <bdi class="bad">{cutText(text)}</bdi>
          </li>
        ))}
      </ul>
      {faults.length > listed.length && (
        <p class="hint">and {showNumber(faults.length - listed.length)} more</p>
      )}
    </div>
  );
}

function Preview({
  records,
  columns,
}: {
  records: readonly ImportRecord[];
  columns: readonly string[];
}): VNode {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard
    <div class="list" role="region" aria-label="First records of the file" tabIndex={0}>
      <table>
        {records.length > SHOWN_RECORDS && (
          <caption>
            The first {SHOWN_RECORDS} of {showCount(records.length, "record")}
          </caption>
        )}
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                <Shown text={column} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {records.slice(0, SHOWN_RECORDS).map(({ id, values }, index) => (
            <tr key={index}>
              {columns.map((column) => (
                <td key={column}>
                  <bdi>{cutText(showValue(column === "id" ? id : values[column]), 60)}</bdi>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
