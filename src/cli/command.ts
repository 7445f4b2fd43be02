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
}
