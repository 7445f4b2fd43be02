import { findTable } from "../../catalog/find.js";
import { refuse } from "../../errors.js";
import type { Profile } from "../../profile.js";
import type { ClockSetting } from "../clock.js";
import { LineReader } from "../export/lines.js";
import { readClock, readSecret, requireId } from "../export/read.js";
import { FilesReader } from "../export/read-files.js";
import { refusePart, requireCount, requireFields } from "../export/values.js";
import type { EngineContents, FileKeeping } from "../setup.js";
import type { TablePlace } from "./layout.js";
import { COMMIT, LOG_FORMAT, LOG_VERSION } from "./layout.js";
import { ChangeReader, ReplayedState, readPlace } from "./read-change.js";
import { RowsReader } from "./read-rows.js";

/** What an engine comes to by a log. */
export interface Replayed {
  readonly contents: EngineContents;
  readonly seed: number;
  readonly secret?: string | undefined;
  readonly clock: ClockSetting | undefined;
}

/** Does again what logs tell of, one after the other. */
export class Replay {
  readonly #profile: Profile;
  readonly #state: ReplayedState;
  #counters: Omit<Replayed, "contents"> & { readonly nextId: number; readonly tablesMade: number };
  #commits: number | undefined;
  /** The tables being written, until something else is changed. */
  readonly #open: Map<string, { readonly place: TablePlace; readonly rows: RowsReader }> =
    new Map();
  readonly #files: FilesReader;
  #rows: RowsReader | undefined;
  #change: ChangeReader | undefined;

  constructor(profile: Profile, begin: Replayed, files: FileKeeping) {
    this.#files = new FilesReader(files);
    const { contents, seed, secret, clock } = begin;
    this.#profile = profile;
    this.#state = new ReplayedState(contents);
    this.#counters = { ...contents, seed, secret, clock };
  }

  /** How many groups of changes there were, in logs before those that were read too. */
  get commits(): number {
    return this.#commits ?? 0;
  }

  /**
   * Reads a log. The lines of `rest` are checked by their checksums, but not applied.
   *
   * @param name of the log, for messages
   * @param rest what follows the last commit
   * @throws TwinbaseError `invalid_request` with the name and the line that is damaged or no good
   */
  read(name: string, text: Iterable<Uint8Array>, rest: Iterable<Uint8Array>): void {
    let isRest = false;
    let isFirst = true;
    const reader = new LineReader((line) => {
      if (isFirst) this.#begin(line);
      else if (!isRest) this.#take(line);
      isFirst = false;
    }, name);
    for (const chunk of text) reader.write(chunk);
    isRest = true;
    for (const chunk of rest) reader.write(chunk);
    reader.endTorn();
  }

  end(): Replayed {
    this.#settle();
    const { nextId, tablesMade, seed, secret, clock } = this.#counters;
    return { contents: { ...this.#state.end(), nextId, tablesMade }, seed, secret, clock };
  }

  #begin([format, version, commits]: readonly unknown[]): void {
    if (format !== LOG_FORMAT) refusePart("header", LOG_FORMAT, format);
    if (version !== 1 && version !== LOG_VERSION)
      refusePart("header", `version 1 or ${LOG_VERSION}`, version);
    const before = requireCount(commits, "commits");
    if (this.#commits !== undefined && before !== this.#commits) {
      refuse("invalid_request", `${before} commits before it, of which ${this.#commits} are there`);
    }
    this.#commits = before;
  }

  #take(line: readonly unknown[]): void {
    const [tag, ...parts] = line;
    if (this.#change !== undefined && tag !== "changed") {
      this.#change.take(line);
      return;
    }
    switch (tag) {
      case "r":
      case "u":
      case "d":
        if (this.#rows === undefined) refuse("invalid_request", "a record without a table");
        this.#rows.take(line);
        break;
      case "rows":
        this.#rows = this.#openRows(readPlace(parts));
        break;
      case "change":
        this.#settle();
        this.#change = new ChangeReader(this.#state, this.#profile);
        break;
      case "changed":
        if (this.#change === undefined) refuse("invalid_request", "the end of no change");
        this.#change.end();
        this.#change = undefined;
        break;
      case COMMIT:
        this.#commit(parts);
        break;
      default:
        refusePart("line", "a line of a log", tag);
    }
  }

  #openRows(place: TablePlace): RowsReader {
    const key = place.join("\n");
    let open = this.#open.get(key);
    if (open === undefined) {
      open = {
        place,
        rows: new RowsReader(place[3], this.#state.tableAt(place), this.#files),
      };
      this.#open.set(key, open);
    }
    return open.rows;
  }

  /** Gives the tables that were written to the state. */
  #settle(): void {
    for (const { place, rows } of this.#open.values()) {
      const [workspace, database, branch, table] = place;
      const key = findTable(this.#state.state, { workspace, database, branch, table });
      this.#state.tables.set(key, rows.end());
    }
    this.#open.clear();
    this.#rows = undefined;
  }

  #commit([number, details]: readonly unknown[]): void {
    const expected = this.commits + 1;
    if (number !== expected) refusePart(COMMIT, `number ${expected}`, number);
    const { nextId, tablesMade, seed, secret, clock } = requireFields(details, COMMIT);
    this.#commits = expected;
    this.#rows = undefined;
    this.#counters = {
      nextId: requireId(nextId),
      tablesMade: requireCount(tablesMade, "tablesMade"),
      seed: Number.isSafeInteger(seed) ? (seed as number) : refusePart("seed", "a number", seed),
      secret: secret === undefined ? this.#counters.secret : readSecret(secret ?? undefined),
      clock: readClock(clock),
    };
  }
}
