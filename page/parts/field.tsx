import type { VNode } from "preact";
import { useId, useLayoutEffect, useState } from "preact/hooks";
import { describeError } from "../state/load.js";

/** One of several words. */
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
  /** The label is read out, but takes no room. */
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

/** A text in one line. */
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
  /** It takes what room there is. */
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

/** A text as it is typed; where another one is given, it is that. */
export function useTyped(given: string): readonly [string, (text: string) => void] {
  const [text, setText] = useState(given);
  // Before it is seen, so that nothing typed into it is taken back.
  useLayoutEffect(() => setText(given), [given]);
  return [text, setText];
}

/** What went wrong, told at once to those who listen. */
export function Fault({ error }: { error: unknown }): VNode | null {
  if (error === undefined || error === null) return null;
  return (
    <p class="fault" role="alert">
      {typeof error === "string" ? error : describeError(error)}
    </p>
  );
}
