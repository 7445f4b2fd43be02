import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { key } from "../state/api.js";
import { tree } from "../state/catalog.js";
import { asCurl, asTypeScript, type SampleCall } from "../state/samples.js";
import { showLines } from "../state/text.js";

/** A code block with a copy button. */
export function Code({
  label,
  text,
  isWrapped = false,
}: {
  label: string;
  text: string;
  isWrapped?: boolean;
}): VNode {
  const [isCopied, setCopied] = useState(false);
  return (
    <figure class={isWrapped ? "code-box wrapped" : "code-box"}>
      <figcaption>
        <span>{label}</span>
        <button
          type="button"
          class="small"
          aria-label={`Copy ${label}`}
          onClick={async () => {
            await navigator.clipboard?.writeText(text);
            setCopied(true);
            setTimeout(() => setCopied(false), 1500);
          }}
        >
          {isCopied ? "Copied" : "Copy"}
        </button>
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys */}
      <pre class="code" tabIndex={0} role="region" aria-label={label}>
        {showLines(text)}
      </pre>
    </figure>
  );
}

export function Json({ label, value }: { label: string; value: unknown }): VNode {
  const text = typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? "");
  return <Code label={label} text={text} isWrapped />;
}

/** A request as curl and TypeScript. */
export function Samples({ call }: { call: SampleCall }): VNode {
  const { origin } = location;
  const holders = (tree.value ?? []).filter(({ database }) => database === call.database);
  // Without a workspace, the only one with this database is meant.
  const workspace = call.workspace ?? holders[0]?.workspace;
  return (
    <div class="split">
      <Code label="curl" text={asCurl(call, origin, key.value !== "")} />
      <Code label="TypeScript" text={asTypeScript({ ...call, workspace }, origin)} />
    </div>
  );
}
