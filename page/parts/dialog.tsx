import type { ComponentChildren, VNode } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { Fault } from "./field.jsx";

/** A modal form. Closing restores the focus; errors of `onSubmit` are shown in the dialog. */
export function Dialog({
  title,
  action,
  isDanger = false,
  isWide = false,
  isReady = true,
  onSubmit,
  onClose,
  children,
}: {
  title: string;
  /** The label of the button that submits. */
  action: string;
  isDanger?: boolean;
  isWide?: boolean;
  isReady?: boolean;
  onSubmit: () => void | Promise<void>;
  onClose: () => void;
  children?: ComponentChildren;
}): VNode {
  const box = useRef<HTMLDialogElement>(null);
  const id = useId();
  const [error, setError] = useState<unknown>(undefined);
  const [isRunning, setRunning] = useState(false);
  useEffect(() => {
    const opener = document.activeElement as HTMLElement | null;
    const element = box.current!;
    element.showModal();
    const first =
      element.querySelector<HTMLElement>("[data-first], input, select, textarea") ??
      element.querySelector<HTMLElement>("button[type=submit]");
    first?.focus();
    return () => {
      element.close();
      if (opener?.isConnected) opener.focus();
    };
  }, []);
  // Data that enables the form may arrive after it opened.
  useEffect(() => {
    const isElsewhere = document.activeElement?.matches("input, select, textarea");
    if (isReady && !isElsewhere) {
      box.current?.querySelector<HTMLElement>("button[type=submit]")?.focus();
    }
  }, [isReady]);
  const submit = async (): Promise<void> => {
    setRunning(true);
    setError(undefined);
    try {
      await onSubmit();
    } catch (fault) {
      setError(fault);
    }
    setRunning(false);
  };
  return (
    <dialog
      ref={box}
      class={isWide ? "dialog wide" : "dialog"}
      role={isDanger ? "alertdialog" : "dialog"}
      aria-labelledby={id}
      onCancel={(event) => {
        // A cancelled choice of a file bubbles.
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        onClose();
      }}
      onKeyDown={(event) => event.stopPropagation()}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady && !isRunning) void submit();
        }}
      >
        <h2 id={id}>{title}</h2>
        {children}
        <Fault error={error} />
        <footer class="buttons">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button
            type="submit"
            class={isDanger ? "danger" : "primary"}
            disabled={!isReady || isRunning}
          >
            {action}
          </button>
        </footer>
      </form>
    </dialog>
  );
}
