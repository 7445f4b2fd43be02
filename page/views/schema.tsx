import type { VNode } from "preact";
import { useMemo, useState } from "preact/hooks";
import { Shown } from "../parts/value.jsx";
import { addressKey, counts, type TableSchema } from "../state/catalog.js";
import { BOX_WIDTH, layoutSchema, type TableBox } from "../state/layout.js";
import { hrefTo, place } from "../state/place.js";
import { showNumber } from "../state/text.js";

/** The tables of a branch as a picture: boxes with columns, and lines where links lead. */
export function SchemaView({ tables }: { tables: readonly TableSchema[] }): VNode {
  const picture = useMemo(() => layoutSchema(tables), [tables]);
  const [marked, setMarked] = useState<string | undefined>(undefined);
  if (tables.length === 0) return <p class="empty">This branch has no tables yet.</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys
    <div class="schema" tabIndex={0} role="region" aria-label="Tables and links">
      <div class="picture" style={{ width: `${picture.width}px`, height: `${picture.height}px` }}>
        <svg width={picture.width} height={picture.height} aria-hidden="true">
          <defs>
            <marker
              id="tip"
              viewBox="0 0 8 8"
              refX="7"
              refY="4"
              markerWidth="8"
              markerHeight="8"
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
          <Box key={box.table.name} box={box} onMark={setMarked} />
        ))}
      </div>
    </div>
  );
}

function Box({
  box,
  onMark,
}: {
  box: TableBox;
  onMark: (table: string | undefined) => void;
}): VNode {
  const { table, leaves, x, y, height } = box;
  const address = [...place.value.address.slice(0, 3), table.name];
  const records = counts.value.get(addressKey(address)) ?? 0;
  return (
    <section
      class="box"
      aria-label={`Table ${table.name}`}
      style={{ left: `${x}px`, top: `${y}px`, width: `${BOX_WIDTH}px`, height: `${height}px` }}
      onMouseEnter={() => onMark(table.name)}
      onMouseLeave={() => onMark(undefined)}
      onFocusIn={() => onMark(table.name)}
      onFocusOut={() => onMark(undefined)}
    >
      <h2>
        <a href={hrefTo("records", address)}>
          <Shown text={table.name} />
        </a>
        <span class="faint">{showNumber(records)}</span>
      </h2>
      <ul>
        {leaves.map(({ path, type, link, definition }) => (
          <li key={path}>
            <span class="name">
              <Shown text={path} />
              {definition?.notNull && (
                <abbr title="not null" class="flag">
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
