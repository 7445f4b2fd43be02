import type { ComponentChildren, VNode } from "preact";
import { useState } from "preact/hooks";

/** An area that takes a dropped file; shows a sign while one is dragged over it. */
export function DropArea({
  class: name,
  sign,
  onFile,
  children,
}: {
  class: string;
  /** Describes the effect of a drop. */
  sign: string;
  onFile: (file: File) => void;
  children: ComponentChildren;
}): VNode {
  const [isOver, setOver] = useState(false);
  const onDrag = (event: DragEvent): void => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    setOver(true);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a button in it does the same
    <div
      class={`${name} drop-area`}
      onDragEnter={onDrag}
      onDragOver={onDrag}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
      }}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        const file = event.dataTransfer?.files[0];
        if (file !== undefined) onFile(file);
      }}
    >
      {children}
      {isOver && (
        <p class="drop-sign" role="status">
          {sign}
        </p>
      )}
    </div>
  );
}
