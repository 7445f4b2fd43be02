import type { ComponentChildren, VNode } from "preact";

/** An empty state, with the next step. */
export function Empty({
  title,
  text,
  children,
}: {
  title: string;
  text?: ComponentChildren;
  /** Buttons. */
  children?: ComponentChildren;
}): VNode {
  return (
    <section class="empty-state">
      <h2>{title}</h2>
      {text !== undefined && <p>{text}</p>}
      {children !== undefined && <div class="buttons">{children}</div>}
    </section>
  );
}
