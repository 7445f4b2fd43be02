import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { AnyRecord } from "../../src/types.js";
import { Choice, Fault } from "../parts/field.jsx";
import { recordHref, Shown } from "../parts/value.jsx";
import { branchPath, service } from "../state/api.js";
import { metadataColumn, type TableSchema } from "../state/catalog.js";
import { useLoad } from "../state/load.js";
import { place, setParams } from "../state/place.js";
import { showNumber } from "../state/text.js";

interface Found {
  readonly records: readonly AnyRecord[];
  readonly totalCount: number;
}

interface FoundMetadata {
  readonly table: string;
  readonly score: number;
  readonly highlight?: unknown;
}

/** Words, looked for in all tables of a branch or in one. */
export function SearchView({ tables }: { tables: readonly TableSchema[] }): VNode {
  const { address, params } = place.value;
  const [workspace = "", database = "", branch = ""] = address;
  const { words = "", in: table = "", fuzziness = "1", prefix = "" } = params;
  const [text, setText] = useState(words);
  useEffect(() => setText(words), [words]);
  const { value, error } = useLoad<Found | undefined>(
    async (signal) => {
      if (words === "") return undefined;
      const body = {
        query: words,
        fuzziness: Number(fuzziness),
        ...(prefix !== "" && { prefix: "phrase" }),
        ...(table !== "" && { tables: [table] }),
        page: { size: 50 },
        // Tags are shown as they are: the page shows texts, never HTML.
        highlight: { encodeHTML: false },
      };
      return service(workspace, "POST", `${branchPath(database, branch)}/search`, { body, signal });
    },
    [workspace, database, branch, words, table, fuzziness, prefix],
  );
  return (
    <div>
      <form
        class="toolbar bottom"
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          setParams({ words: text });
        }}
      >
        <div class="field wide">
          <label for="words">Words</label>
          <input
            id="words"
            type="search"
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </div>
        <Choice
          label="In"
          value={table}
          options={[["", "all tables"], ...tables.map(({ name }) => name)]}
          onChange={(to) => setParams({ in: to })}
        />
        <Choice
          label="Letters that may differ"
          value={fuzziness}
          options={["0", "1", "2"]}
          onChange={(to) => setParams({ fuzziness: to })}
        />
        <Choice
          label="Match"
          value={prefix}
          options={[
            ["", "any of the words"],
            ["phrase", "the phrase, as it begins"],
          ]}
          onChange={(to) => setParams({ prefix: to })}
        />
        <button type="submit" class="primary">
          Search
        </button>
      </form>
      <Fault error={error} />
      {value !== undefined && (
        <>
          <p class="count" role="status">
            {showNumber(value.totalCount)} found
          </p>
          <ol class="found">
            {value.records.map((record) => (
              <FoundRecord key={`${metadataOf(record).table} ${record.id}`} record={record} />
            ))}
          </ol>
        </>
      )}
    </div>
  );
}

function FoundRecord({ record }: { record: AnyRecord }): VNode {
  const { table, score, highlight } = metadataOf(record);
  return (
    <li>
      <h2>
        <a href={recordHref(table, record.id)}>
          <Shown text={record.id} />
        </a>{" "}
        <span class="faint">
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
      </dl>
    </li>
  );
}

/** A passage with its matches marked; whatever else it holds is text. */
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
  return record[metadataColumn.value] as FoundMetadata;
}

function passagesOf(highlight: unknown, path = ""): { path: string; passage: string }[] {
  if (Array.isArray(highlight)) {
    return highlight.map((passage) => ({ path, passage: String(passage) }));
  }
  return Object.entries((highlight ?? {}) as object).flatMap(([name, inner]) =>
    passagesOf(inner, path === "" ? name : `${path}.${name}`),
  );
}
