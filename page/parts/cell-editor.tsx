import type { VNode } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Leaf } from "../state/columns.js";
import { fromInput, toInput } from "../state/values.js";

/** A value being changed in its cell: Enter writes it, Escape leaves it as it was. */
export function CellEditor({
  leaf,
  value,
  onWrite,
  onClose,
}: {
  leaf: Leaf;
  value: unknown;
  onWrite: (value: unknown) => Promise<string | undefined>;
  onClose: () => void;
}): VNode {
  const [text, setText] = useState(toInput(leaf.type, value));
  const [error, setError] = useState<string | undefined>(undefined);
  const input = useRef<HTMLInputElement & HTMLSelectElement>(null);
  const told = useRef<HTMLParagraphElement>(null);
  const isClosed = useRef(false);
  // At once, so that what is typed after Enter is typed here.
  useLayoutEffect(() => {
    input.current?.focus();
    input.current?.select?.();
  }, []);
  // In the last rows and columns there is no room for it: the grid makes some.
  useLayoutEffect(
    () => told.current?.scrollIntoView({ block: "nearest", inline: "nearest" }),
    [error],
  );
  const close = (): void => {
    isClosed.current = true;
    onClose();
  };
  const write = async (next: unknown): Promise<void> => {
    const fault = await onWrite(next);
    if (fault === undefined) close();
    else setError(fault);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    event.stopPropagation();
    if (event.key === "Escape") close();
    if (event.key === "Enter") {
      event.preventDefault();
      void write(fromInput(leaf.type, text));
    }
  };
  const label = `${leaf.path}: ${leaf.type}`;
  const given = {
    ref: input,
    "aria-label": label,
    "aria-invalid": error !== undefined,
    "aria-describedby": error === undefined ? undefined : "cell-fault",
    onKeyDown,
  };
  return (
    <div
      class="cell-editor"
      onFocusOut={(event) => {
        const isLeft = !event.currentTarget.contains(event.relatedTarget as Node | null);
        if (isLeft && !isClosed.current) close();
      }}
    >
      {leaf.type === "bool" ? (
        <select {...given} value={text} onChange={(event) => setText(event.currentTarget.value)}>
          <option value="true">true</option>
          <option value="false">false</option>
        </select>
      ) : (
        <input {...given} value={text} onInput={(event) => setText(event.currentTarget.value)} />
      )}
      <button type="button" class="small" title="Writes null" onClick={() => void write(null)}>
        null
      </button>
      {error !== undefined && (
        <p ref={told} id="cell-fault" class="fault" role="alert">
          {error}
        </p>
      )}
    </div>
  );
}
