import type { VNode } from "preact";
import type { Change } from "../../src/engine/change.js";
import { recordNames } from "../../src/schema/record-names.js";
import type { AnyRecord, ColumnDefinition } from "../../src/types.js";
import { idOf } from "../../src/value/id.js";
import { profile } from "../state/catalog.js";
import { type Leaf, leavesOf, linkedId } from "../state/columns.js";
import { cutText, showCount, showText, showValue } from "../state/text.js";
import { Shown } from "./value.jsx";

export interface Difference {
  readonly changes: readonly Change[];
  readonly more: boolean;
}

/** The differences between two states, or two branches. */
export function ChangeList({
  difference,
  isOfBranches = false,
}: {
  difference: Difference;
  isOfBranches?: boolean;
}): VNode {
  const { changes, more } = difference;
  if (changes.length === 0) return <p class="faint">No differences.</p>;
  const folds = foldCreated(changes);
  return (
    <>
      <p role="status" class="count">
        {showCount(folds.length, "change")}
        {more ? ", and more" : ""}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys */}
      <div class="list" role="region" aria-label="Changes" tabIndex={0}>
        <table class="changes">
          <thead>
            <tr>
              <th scope="col">Change</th>
              <th scope="col">Where</th>
              <th scope="col">What</th>
            </tr>
          </thead>
          <tbody>
            {folds.map(({ change, tables, records }, index) => (
              <tr key={index}>
                <td class={`change ${toneOf(change.kind)}`}>{change.kind.replace("_", " ")}</td>
                <td class="change">
                  <Shown text={placeOf(change, isOfBranches)} />
                </td>
                <td>
                  <What change={change} />
                  {tables + records > 0 && (
                    <span class="faint">
                      {tables > 0 && `with ${showCount(tables, "table")} and `}
                      {showCount(records, "record")}
                    </span>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

/** A change, and the number of entities inside a created one. */
interface Fold {
  readonly change: Change;
  tables: number;
  records: number;
}

/** Folds the contents of a created database, branch or table, which follow it, into its row. */
function foldCreated(changes: readonly Change[]): Fold[] {
  const folds: Fold[] = [];
  for (const change of changes) {
    const last = folds.at(-1);
    const isInside =
      last !== undefined &&
      /^(?:workspace|database|branch|table)_created$/.test(last.change.kind) &&
      addressOf(last.change).every((name, i) => addressOf(change)[i] === name);
    if (!isInside) folds.push({ change, tables: 0, records: 0 });
    else if (change.kind === "table_created") last.tables++;
    else if (change.kind === "record_inserted") last.records++;
  }
  return folds;
}

/** Workspace, database, branch and table, as far as the change has them. */
function addressOf(change: Change): string[] {
  const { workspace, database, branch, table } = change as Partial<Record<string, string>>;
  return [workspace, database, branch, table].filter((name) => name !== undefined);
}

function toneOf(kind: Change["kind"]): string {
  if (/deleted$/.test(kind)) return "bad";
  return /created$|inserted$/.test(kind) ? "good" : "";
}

/** The path of a change; in a comparison of branches only the table. */
function placeOf(change: Change, isOfBranches: boolean): string {
  const [workspace, database, branch, table] = addressOf(change);
  if (isOfBranches) return table ?? "";
  const of = database === undefined ? workspace : `${database}${branch ? `:${branch}` : ""}`;
  return [of, table].filter(Boolean).join(" / ");
}

function What({ change }: { change: Change }): VNode | null {
  switch (change.kind) {
    case "record_inserted":
    case "record_deleted":
      return <RecordValue record={change.record} />;
    case "record_updated":
      return <Values id={idOf(change.after)} before={change.before} after={change.after} />;
    case "table_altered":
      return <Columns before={change.before} after={change.after} />;
    case "table_renamed":
    case "branch_renamed":
    case "database_renamed":
      return <Shown text={`before: ${change.from}`} />;
    case "user_created":
    case "user_changed":
    case "user_deleted":
      return <Shown text={change.user.email} />;
    default:
      return null;
  }
}

function RecordValue({ record }: { record: AnyRecord }): VNode {
  const [[, id], ...fields] = Object.entries(record) as [[string, string], ...[string, unknown][]]; // the id is first
  const shown = fields.filter(([name]) => !isMetadata(name));
  const rest = Object.fromEntries(shown.map(([key, value]) => [key, linkedId(value) ?? value]));
  return (
    <>
      <strong>
        <Shown text={id} />
      </strong>{" "}
      <span class="faint">
        <bdi>{cutText(showValue(rest), 200)}</bdi>
      </span>
    </>
  );
}

/** Keys whose values differ, with both values. */
function Values({
  id,
  before,
  after,
}: {
  id: string;
  before: Readonly<Record<string, unknown>>;
  after: Readonly<Record<string, unknown>>;
}): VNode {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]) && !isMetadata(key),
  );
  return (
    <>
      <strong>
        <Shown text={id} />
      </strong>
      <ul class="values">
        {keys.map((key) => (
          <li key={key}>
            <Shown text={key} />: <del>{textOf(before[key])}</del> <ins>{textOf(after[key])}</ins>
          </li>
        ))}
      </ul>
    </>
  );
}

/** The columns that differ. */
function Columns({
  before,
  after,
}: {
  before: readonly ColumnDefinition[];
  after: readonly ColumnDefinition[];
}): VNode {
  const [old, now] = [before, after].map((columns) =>
    leavesOf({ name: "", columns }).map((leaf) => ({ ...leaf, text: describeColumn(leaf) })),
  ) as [DescribedLeaf[], DescribedLeaf[]];
  const removed = old.filter(({ path }) => !now.some((leaf) => leaf.path === path));
  return (
    <ul class="values">
      {now.map(({ path, text }, at) => {
        const same = old.find((leaf) => leaf.path === path);
        if (same?.text === text) return null;
        // A renamed column keeps its position. So does a new one that replaces the last.
        const was = same ?? removed.find((leaf) => leaf.text === text && leaf === old[at]);
        if (was !== undefined && same === undefined) removed.splice(removed.indexOf(was), 1);
        const word =
          was === undefined ? "added" : same === undefined ? "renamed or replaced" : "changed";
        return (
          <li key={path}>
            {word} {was && <del>{`${showText(was.path)}: ${was.text}`}</del>}{" "}
            <ins>{`${showText(path)}: ${text}`}</ins>
          </li>
        );
      })}
      {removed.map(({ path, text }) => (
        <li key={path}>
          removed <del>{`${showText(path)}: ${text}`}</del>
        </li>
      ))}
    </ul>
  );
}

type DescribedLeaf = Leaf & { readonly text: string };

/** The type and the options of a column. */
function describeColumn({ type, definition }: Leaf): string {
  const { name: _, type: __, link, ...options } = { name: "", type, ...definition };
  const parts = Object.entries(options).map(([option, value]) =>
    value === true ? option : `${option} ${JSON.stringify(value)}`,
  );
  return [link === undefined ? type : `link to ${link.table}`, ...parts].join(", ");
}

/** A value in short; of a link, the id. */
function textOf(value: unknown): string {
  return cutText(showValue(linkedId(value) ?? value ?? null), 120) || "null";
}

function isMetadata(name: string): boolean {
  return recordNames(profile.value).includes(name);
}
