import type { Profile } from "../../profile.js";
import type { LeafColumn } from "../../schema/columns.js";
import { TRAITS } from "../../schema/traits.js";
import { type Chunk, chunkAt, rowAt } from "../../storage/chunk.js";
import type { Json } from "../../types.js";
import type { ColumnChoice, ReverseChoice, Selection } from "../bound/selection.js";
import { linkedSource, type Source } from "../source.js";
import type { MakeRecord, Sink } from "./sink.js";

/** Rows by their ordinals. */
export type Rows = ArrayLike<number>;

/** Gives the records of a reverse link for the record with an id (rule P-11). */
export type ReverseRecords<R> = (choice: ReverseChoice) => (id: string) => R[];

/** Compiles a selection to what makes of rows their records, whatever a record is made as. */
export type CompileSelection<R> = (
  source: Source,
  selection: Selection,
  profile: Profile,
  reverse: ReverseRecords<R>,
) => (rows: Rows) => R[];

/**
 * The walk over a selection, for records as a sink makes them: which columns are given, in the order
 * `id`, the columns as in the schema, the metadata (rule P-10), and what is given of links. It asks
 * the sink for a step for each column once; rows then go through the sink's own steps only, since a
 * step that served both sinks would be several times slower.
 */
export function createProjection<Step, R>(sink: Sink<Step, R>): CompileSelection<R> {
  // What selects a table whole refers to no other table, and is asked for most.
  const whole = new WeakMap<Selection, Compiled<R>>();

  const compile: Compile<R> = (source, selection, profile, reverse) => {
    const known = whole.get(selection);
    if (known?.profile === profile) return known;
    const columns = compileColumns(sink, source, profile, (linked) => {
      const target = linkedSource(source, { target: linked.table });
      const { make } = compile(target, linked.selection, profile, reverse);
      return (id) => {
        const ordinal = target.table.find(id);
        return ordinal < 0 ? undefined : makeAt(target.table.chunks, ordinal, make);
      };
    });
    const compiled: Compiled<R> = {
      profile,
      make: sink.record({
        steps: columns(source.table.schema.columns, selection.columns, false),
        metadataColumn: profile.metadataColumn,
        reverse: selection.reverse.map((choice) => [choice.name, reverse(choice)]),
      }),
    };
    if (selection.isWhole) whole.set(selection, compiled);
    return compiled;
  };

  return (source, selection, profile, reverse) => {
    const { table } = source;
    const { make } = compile(source, selection, profile, reverse);
    return (rows) => {
      const records: R[] = [];
      for (let from = 0; from < rows.length; from = records.length) {
        if (from > 0) source.checkTime?.();
        const end = Math.min(from + RECORD_RUN, rows.length);
        for (let i = from; i < end; i++) records.push(makeAt(table.chunks, rows[i]!, make));
      }
      return records;
    };
  };
}

/** Records between two looks at the time. */
const RECORD_RUN = 32;

function makeAt<R>(chunks: readonly Chunk[], ordinal: number, make: MakeRecord<R>): R {
  return make(chunkAt(chunks, ordinal), rowAt(ordinal));
}

/** What makes records of rows, whichever version of the table they are in. */
interface Compiled<R> {
  readonly profile: Profile;
  readonly make: MakeRecord<R>;
}

type Compile<R> = (...selected: Parameters<CompileSelection<R>>) => Compiled<R>;

type Linked = NonNullable<Extract<ColumnChoice, { kind: "link" }>["linked"]>;

/** Gives the steps of the chosen columns, in the order of the schema. */
type CompileColumns<Step> = (
  columns: readonly { readonly name: string }[],
  choices: ReadonlyMap<string, ColumnChoice>,
  isFirst: boolean,
) => readonly Step[];

/**
 * @param openLink gives what finds a linked record by its id; it finds none of a dangling link, of
 *   which only the id is known (rule P-7)
 */
function compileColumns<Step, R>(
  sink: Sink<Step, R>,
  { table: { identity: table }, showFiles }: Source,
  profile: Profile,
  openLink: (linked: Linked) => (id: string) => R | undefined,
): CompileColumns<Step> {
  const createStep = (choice: ColumnChoice, isFirst: boolean): Step => {
    const { column } = choice;
    const key = sink.keyOf(column.name, isFirst);
    switch (choice.kind) {
      case "files": {
        const shape = showFiles?.(choice.column, choice.members, table);
        return sink.json(key, choice.column.slot, shape);
      }
      case "value":
        return createValueStep(sink, choice.column, key, profile);
      case "object":
        return sink.object(key, (first) => steps(choice.column.columns, choice.columns, first));
      case "link":
        return sink.link(key, choice.column.slot, choice.linked && openLink(choice.linked));
    }
  };
  const steps: CompileColumns<Step> = (columns, choices, isFirst) =>
    columns.flatMap(({ name }) => {
      const choice = choices.get(name);
      return choice === undefined ? [] : [createStep(choice, isFirst)];
    });
  return steps;
}

/** T-11: the `xata` profile gives JSON as text. */
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
      return sink.json(key, slot, type === "json" && profile.base === "xata" ? asText : undefined);
    case "text":
    case "code":
      return sink.text(key, slot);
  }
}
