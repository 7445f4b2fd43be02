import type { VNode } from "preact";
import type { Change } from "../../src/engine/change.js";
import type { AnyRecord } from "../../src/types.js";
import { linkedId } from "../state/columns.js";
import { cutText, showCount, showValue } from "../state/text.js";
import { Shown } from "./value.jsx";

export interface Difference {
  readonly changes: readonly Change[];
  readonly more: boolean;
}

/** The differences between two states. */
export function ChangeList({ difference }: { difference: Difference }): VNode {
  const { changes, more } = difference;
  if (changes.length === 0) return <p class="faint">No differences.</p>;
  return (
    <>
      <p role="status" class="count">
        {showCount(changes.length, "change")}
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
            {changes.map((change, index) => (
              <tr key={index}>
                <td class={`change ${toneOf(change.kind)}`}>{change.kind.replace("_", " ")}</td>
                <td class="change">
                  <Shown text={placeOf(change)} />
                </td>
                <td>
                  <What change={change} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

function toneOf(kind: Change["kind"]): string {
  if (/deleted$/.test(kind)) return "bad";
  return /created$|inserted$/.test(kind) ? "good" : "";
}

function placeOf(change: Change): string {
  const { workspace, database, branch, table } = change as Partial<Record<string, string>>;
  const of = database === undefined ? workspace : `${database}${branch ? `:${branch}` : ""}`;
  return [of, table].filter(Boolean).join(" / ");
}

function What({ change }: { change: Change }): VNode | null {
  switch (change.kind) {
    case "record_inserted":
    case "record_deleted":
      return <RecordValue record={change.record} />;
    case "record_updated":
      return <Values id={change.after.id} before={change.before} after={change.after} />;
    case "table_altered":
      return <Values id="" before={{ columns: change.before }} after={{ columns: change.after }} />;
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
  const { id, ...fields } = record;
  const shown = Object.entries(fields).filter(([, value]) => !isMetadata(value));
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
    (key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]) && !isMetadata(after[key]),
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

/** A value in short; of a link, the id. */
function textOf(value: unknown): string {
  return cutText(showValue(linkedId(value) ?? value ?? null), 120) || "null";
}

function isMetadata(value: unknown): boolean {
  return typeof value === "object" && value !== null && "version" in value && "updatedAt" in value;
}
