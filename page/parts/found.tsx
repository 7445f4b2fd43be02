import type { VNode } from "preact";
import type { AnyRecord } from "../../src/types.js";
import { idOf } from "../../src/value/id.js";
import { metadataAt, type TableSchema } from "../state/catalog.js";
import { leavesOf, valueAt } from "../state/columns.js";
import { place, setParams } from "../state/place.js";
import { cutText, showNumber, showValue } from "../state/text.js";
import { titleIn, titleVersion } from "../state/titles.js";
import { Empty } from "./empty.jsx";
import { recordHref, Shown } from "./value.jsx";

export interface Found {
  readonly records: readonly AnyRecord[];
  readonly totalCount: number;
}

interface FoundMetadata {
  readonly table: string;
  readonly score: number;
  readonly highlight?: unknown;
}

/** Values shown of a record without highlights. */
const MOST_VALUES = 3;

/** Search results by descending score. */
export function FoundList({
  found,
  tables,
}: {
  found: Found;
  tables: readonly TableSchema[];
}): VNode {
  return (
    <>
      <p class="count" role="status">
        {showNumber(found.totalCount)} found
      </p>
      {found.records.length === 0 && <NothingFound />}
      <ol class="found">
        {found.records.map((record) => (
          <FoundRecord
            key={`${metadataOf(record).table} ${idOf(record)}`}
            record={record}
            tables={tables}
          />
        ))}
      </ol>
    </>
  );
}

function NothingFound(): VNode {
  const { fuzziness = "1", in: table = "", by } = place.value.params;
  const widen = { filter: "", target: "", boosters: "" };
  return (
    <Empty title="Nothing found">
      {by !== "vector" && fuzziness !== "2" && (
        <button type="button" class="primary" onClick={() => setParams({ fuzziness: "2" })}>
          Allow more typos
        </button>
      )}
      {table !== "" && by !== "vector" && (
        <button type="button" onClick={() => setParams({ in: "", ...widen })}>
          Search all tables
        </button>
      )}
      {by === "vector" && (
        <button type="button" onClick={() => setParams({ filter: "" })}>
          Search without filter
        </button>
      )}
    </Empty>
  );
}

function FoundRecord({
  record,
  tables,
}: {
  record: AnyRecord;
  tables: readonly TableSchema[];
}): VNode {
  const { table, score, highlight } = metadataOf(record);
  const schema = tables.find(({ name }) => name === table);
  void titleVersion.value;
  const title = (schema && titleIn(schema, record)) || idOf(record);
  return (
    <li>
      <h2>
        <a href={recordHref(table, idOf(record))}>
          <Shown text={title} />
        </a>{" "}
        <span class="faint">
          {title !== idOf(record) && (
            <>
              <Shown text={idOf(record)} /> ·{" "}
            </>
          )}
          <Shown text={table} /> · score {score.toFixed(2)}
        </span>
      </h2>
      <dl>
        {passagesOf(highlight).map(({ path, passage }) => (
          <div key={`${path} ${passage}`}>
            <dt>
              <Shown text={path} />
            </dt>
            <dd>
              <Marked passage={passage} />
            </dd>
          </div>
        ))}
        {highlight === undefined &&
          schema !== undefined &&
          valuesOf(record, schema).map(({ path, text }) => (
            <div key={path}>
              <dt>
                <Shown text={path} />
              </dt>
              <dd>
                <bdi>{text}</bdi>
              </dd>
            </div>
          ))}
      </dl>
    </li>
  );
}

/** A highlighted passage, without interpreting any other markup. */
function Marked({ passage }: { passage: string }): VNode {
  const parts = passage.split(/<em>(.*?)<\/em>/s);
  return (
    <bdi>
      {parts.map((part, index) =>
        index % 2 === 1 ? (
          <mark key={index}>
            <Shown text={part} />
          </mark>
        ) : (
          <Shown key={index} text={part} />
        ),
      )}
    </bdi>
  );
}

function metadataOf(record: AnyRecord): FoundMetadata {
  const [table, score, highlight] = ["table", "score", "highlight"].map((key) =>
    valueAt(record, metadataAt(key)),
  );
  return { table, score, highlight } as FoundMetadata;
}

function passagesOf(highlight: unknown, path = ""): { path: string; passage: string }[] {
  if (Array.isArray(highlight)) {
    return highlight.map((passage) => ({ path, passage: String(passage) }));
  }
  return Object.entries((highlight ?? {}) as object).flatMap(([name, inner]) =>
    passagesOf(inner, path === "" ? name : `${path}.${name}`),
  );
}

/** The first values of a record, without vectors. */
function valuesOf(record: AnyRecord, schema: TableSchema): { path: string; text: string }[] {
  return leavesOf(schema)
    .filter(({ type }) => type !== "id" && type !== "vector")
    .map(({ path }) => ({ path, text: cutText(showValue(valueAt(record, path))) }))
    .filter(({ text }) => text !== "")
    .slice(0, MOST_VALUES);
}
