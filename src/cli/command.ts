/** A subcommand of `twinbase`. */
export interface Command {
  /**
   * Returns the exit code.
   *
   * @throws UsageError for wrong arguments
   */
  run(args: readonly string[]): Promise<number>;
}

/** Wrong arguments; exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  /** Ends the hint at the help. */
  readonly help: "lists them" | "tells more";

  constructor(message: string, help: "lists them" | "tells more" = "tells more") {
    super(message);
    this.help = help;
  }
}
