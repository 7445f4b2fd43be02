import type { ComponentChildren, VNode } from "preact";
import { useId, useLayoutEffect, useState } from "preact/hooks";
import { describeError } from "../state/load.js";

/** A labelled select. */
export function Choice({
  label,
  value,
  options,
  onChange,
  isHidden = false,
  isWrong = false,
}: {
  label: string;
  value: string;
  options: readonly (string | readonly [value: string, text: string])[];
  onChange: (value: string) => void;
  /** Visually hidden label. */
  isHidden?: boolean;
  isWrong?: boolean;
}): VNode {
  const id = useId();
  return (
    <div class="field">
      <label for={id} class={isHidden ? "unseen" : ""}>
        {label}
      </label>
      <select
        id={id}
        aria-invalid={isWrong}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      >
        {options.map((option) => {
          const [key, text] = typeof option === "string" ? [option, option] : option;
          return (
            <option key={key} value={key}>
              {text}
            </option>
          );
        })}
      </select>
    </div>
  );
}

/** A labelled checkbox. */
export function Check({
  label,
  isChecked,
  onChange,
  children,
}: {
  /** The accessible name, if it differs from the visible one. */
  label?: string;
  isChecked: boolean;
  onChange: (isChecked: boolean) => void;
  children: ComponentChildren;
}): VNode {
  return (
    <label class="check">
      <input
        type="checkbox"
        aria-label={label}
        checked={isChecked}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      {children}
    </label>
  );
}

/** A labelled text input. */
export function TextField({
  label,
  value,
  onInput,
  placeholder,
  isWide = false,
  isWrong = false,
}: {
  label: string;
  value: string;
  onInput: (value: string) => void;
  placeholder?: string | undefined;
  /** Grows to the available width. */
  isWide?: boolean;
  isWrong?: boolean;
}): VNode {
  const id = useId();
  return (
    <div class={isWide ? "field wide" : "field"}>
      <label for={id}>{label}</label>
      <input
        id={id}
        placeholder={placeholder}
        aria-invalid={isWrong}
        value={value}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </div>
  );
}

/** Local text state, reset when the given text changes. */
export function useTyped(given: string): readonly [string, (text: string) => void] {
  const [text, setText] = useState(given);
  // A layout effect: a later one could discard typed text.
  useLayoutEffect(() => setText(given), [given]);
  return [text, setText];
}

/** An error message, announced to screen readers. */
export function Fault({ error }: { error: unknown }): VNode | null {
  if (error === undefined || error === null) return null;
  return (
    <p class="fault" role="alert">
      {typeof error === "string" ? error : describeError(error)}
    </p>
  );
}
