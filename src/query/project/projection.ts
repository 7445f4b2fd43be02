import type { Profile } from "../../profile.js";
import type { LeafColumn } from "../../schema/columns.js";
import { recordNames } from "../../schema/record-names.js";
import { showFiles } from "../../schema/show-files.js";
import { TRAITS } from "../../schema/traits.js";
import { type Chunk, chunkAt, rowAt } from "../../storage/chunk.js";
import type { TableVersion } from "../../storage/table.js";
import type { Json } from "../../types.js";
import type { ColumnChoice, ReverseChoice, Selection } from "../bound/bound-query.js";
import { type QueryRun, viewAt } from "../query-run.js";
import type { MakeRecord, Sink } from "./sink.js";

export type Rows = ArrayLike<number>;

/** Records of a reverse link by id (rule P-11). */
export type ReverseRecords<R> = (choice: ReverseChoice) => (id: string) => R[];

/** Compiles a selection of a table to a builder of records. */
export type CompileSelection<R> = (
  run: QueryRun,
  table: TableVersion,
  selection: Selection,
  reverse: ReverseRecords<R>,
) => (rows: Rows) => R[];

/**
 * Walks a selection: columns in schema order between id and metadata (rule P-10), and links. A sink
 * creates a step per column; a step shared by both sinks would be several times slower.
 */
export function createProjection<Step, R>(sink: Sink<Step, R>): CompileSelection<R> {
  // Cached: selections of all columns are the most common, and refer to no other table.
  const whole = new WeakMap<Selection, CompiledSelection<R>>();

  const compile: Compile<R> = (run, table, selection, reverse) => {
    const { profile } = run;
    const cached = whole.get(selection);
    if (cached?.profile === profile) return cached;
    const columns = compileColumns(sink, run, table, (linked) => {
      const { table: target } = viewAt(run, linked.table);
      const { make } = compile(run, target, linked.selection, reverse);
      return (id) => {
        const ordinal = target.find(id);
        return ordinal < 0 ? undefined : makeAt(target.chunks, ordinal, make);
      };
    });
    const compiled: CompiledSelection<R> = {
      profile,
      make: sink.record({
        steps: columns(table.schema.columns, selection.columns, false),
        names: recordNames(profile),
        reverse: selection.reverse.map((choice) => [choice.name, reverse(choice)]),
      }),
    };
    if (selection.isWhole) whole.set(selection, compiled);
    return compiled;
  };

  return (run, table, selection, reverse) => {
    const { make } = compile(run, table, selection, reverse);
    return (rows) => {
      const records: R[] = [];
      for (let from = 0; from < rows.length; from = records.length) {
        if (from > 0) run.checkTime?.();
        const end = Math.min(from + RECORD_RUN, rows.length);
        for (let i = from; i < end; i++) records.push(makeAt(table.chunks, rows[i]!, make));
      }
      return records;
    };
  };
}

/** Records between time limit checks. */
const RECORD_RUN = 32;

function makeAt<R>(chunks: readonly Chunk[], ordinal: number, make: MakeRecord<R>): R {
  return make(chunkAt(chunks, ordinal), rowAt(ordinal));
}

/** Valid for all table versions with the same schema. */
interface CompiledSelection<R> {
  readonly profile: Profile;
  readonly make: MakeRecord<R>;
}

type Compile<R> = (...selected: Parameters<CompileSelection<R>>) => CompiledSelection<R>;

type LinkedSelection = NonNullable<Extract<ColumnChoice, { kind: "link" }>["linked"]>;

/** Column steps, in schema order. */
type CompileColumns<Step> = (
  columns: readonly { readonly name: string }[],
  choices: ReadonlyMap<string, ColumnChoice>,
  isFirst: boolean,
) => readonly Step[];

/** @param openLink finds a linked record; undefined for a dangling link (rule P-7) */
function compileColumns<Step, R>(
  sink: Sink<Step, R>,
  { profile, showFiles: show = showFiles }: QueryRun,
  { identity }: TableVersion,
  openLink: (linked: LinkedSelection) => (id: string) => R | undefined,
): CompileColumns<Step> {
  const id = profile.idColumn;
  const createStep = (choice: ColumnChoice, isFirst: boolean): Step => {
    const { column } = choice;
    const key = sink.keyOf(column.name, isFirst);
    switch (choice.kind) {
      case "files": {
        const shape = show(choice.column, choice.members, identity);
        return sink.json(key, choice.column.slot, shape);
      }
      case "value":
        return createValueStep(sink, choice.column, key, profile);
      case "object":
        return sink.object(key, (first) => steps(choice.column.columns, choice.columns, first));
      case "link":
        return sink.link(key, choice.column.slot, id, choice.linked && openLink(choice.linked));
    }
  };
  const steps: CompileColumns<Step> = (columns, choices, isFirst) =>
    columns.flatMap(({ name }) => {
      const choice = choices.get(name);
      return choice === undefined ? [] : [createStep(choice, isFirst)];
    });
  return steps;
}

/** T-11: the `xata` profile returns JSON as text. */
function asText(value: Json): string {
  return JSON.stringify(value);
}

function createValueStep<Step, R>(
  sink: Sink<Step, R>,
  { slot, type }: LeafColumn,
  key: string,
  profile: Profile,
): Step {
  switch (TRAITS[type].stored) {
    case "number":
      return sink.number(key, slot);
    case "bool":
      return sink.bool(key, slot);
    case "instant":
      return sink.instant(key, slot);
    case "list":
      return sink.list(key, slot);
    case "value":
      return sink.json(key, slot, type === "json" && profile.jsonAsText ? asText : undefined);
    case "text":
    case "code":
      return sink.text(key, slot);
  }
}
