import type { ComponentChildren, VNode } from "preact";

/** What to do next where there is nothing to show. */
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
