import type { VNode } from "preact";

/** A square button that closes or removes its container; the label is its accessible name. */
export function CloseButton({
  label,
  onClick,
}: {
  label: string;
  onClick: (button: HTMLButtonElement) => void;
}): VNode {
  return (
    <button
      type="button"
      class="close quiet"
      aria-label={label}
      title={label}
      onClick={(event) => onClick(event.currentTarget)}
    >
      ×
    </button>
  );
}
