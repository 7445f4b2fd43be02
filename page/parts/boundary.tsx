import { Component, type ComponentChildren, type VNode } from "preact";

interface BoundaryProps {
  /** Location; a new one resets the boundary. */
  readonly at: string;
  readonly children: ComponentChildren;
}

/** An error boundary. */
export class Boundary extends Component<BoundaryProps, { readonly error: Error | undefined }> {
  override state: { readonly error: Error | undefined } = { error: undefined };

  static override getDerivedStateFromError(error: Error): { readonly error: Error } {
    return { error };
  }

  override componentDidUpdate(before: BoundaryProps): void {
    if (before.at !== this.props.at && this.state.error !== undefined) {
      this.setState({ error: undefined });
    }
  }

  override render({ children }: BoundaryProps): ComponentChildren {
    const { error } = this.state;
    return error === undefined ? children : <Crash error={error} />;
  }
}

/** The message of a crashed view. */
export function Crash({ error }: { error: Error }): VNode {
  return (
    <section class="empty-state" role="alert">
      <h2>This view stopped working</h2>
      <p>{error.message || String(error)}</p>
      <div class="buttons">
        <button type="button" class="primary" onClick={() => location.reload()}>
          Reload the page
        </button>
        <a href="#/">Go to databases</a>
      </div>
    </section>
  );
}
