/** A subcommand of `twinbase`. */
export interface Command {
  /**
   * Runs it; the exit code.
   *
   * @throws UsageError for arguments it cannot be run with
   */
  run(args: readonly string[]): Promise<number>;
}

/** Arguments that a subcommand cannot be run with; exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  /** What the help of the subcommand does for whoever reads the message. */
  readonly help: "lists them" | "tells more";

  constructor(message: string, help: "lists them" | "tells more" = "tells more") {
    super(message);
    this.help = help;
  }
}
