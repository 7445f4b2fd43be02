import { EngineContext } from "../engine/context.js";
import { requireAlike } from "../engine/snapshot.js";
import { Streams } from "../engine/streams.js";
import { readFields, refuseValue } from "../value/fields.js";
import { LineReader } from "./lines.js";
import { Replay, type Replayed, type ReplayOptions } from "./replay.js";
import { type ReadRecords, settingsOf, streamExport, writeExport } from "./write.js";

/** The text of an export, or its UTF-8, whole or in chunks. */
export type ExportSource = string | Uint8Array | Iterable<string | Uint8Array>;

/** How an engine is made of an export. */
export interface ImportOptions {
  /** The time, as `createEngine` takes it; default that of the export, which may be fixed or run. */
  readonly now?: number | (() => number) | undefined;
}

/** What an engine holds now, as text in chunks. */
export function exportContext(context: EngineContext): IterableIterator<string> {
  return writeExport(settingsOf(context), context.share());
}

/** What an engine without records holds, as text in chunks, with records from elsewhere. */
export function exportWith(context: EngineContext, read: ReadRecords): AsyncGenerator<string> {
  return streamExport(settingsOf(context), context.share(), read);
}

/** What an export holds but for its records; throws `invalid_request` with the line that is damaged. */
export function outlineExport(source: AsyncIterable<string | Uint8Array>): Promise<Replayed> {
  return replayFrom(source, { skipsRecords: true });
}

/** An engine of what an export holds; throws `invalid_request` with the line that is damaged. */
export function importContext(source: ExportSource, options?: ImportOptions): EngineContext {
  return openReplayed(replay(source, readOptions(options)));
}

export async function importContextFrom(
  source: AsyncIterable<string | Uint8Array>,
  options?: ImportOptions,
): Promise<EngineContext> {
  const own = readOptions(options);
  const kinds = [Symbol.asyncIterator, Symbol.iterator];
  if (!kinds.some((kind) => isIterable(source, kind))) refuseSource(source);
  return openReplayed(await replayFrom(source, own));
}

/** Puts what an export holds in place of what an engine does. */
export function replaceContents(context: EngineContext, source: ExportSource): void {
  context.write(() => {
    const { setup, clock, contents } = replay(source, {});
    requireAlike("import", setup.profile, context.profile);
    context.restore(contents);
    context.streams = new Streams(setup.seed, setup.secret);
    context.files ??= setup.files;
    if (clock !== undefined) context.clock.turnTo(clock);
  });
}

/** An engine of what was replayed, which comes back to that when it is reset. */
export function openReplayed({ setup, clock, contents }: Replayed): EngineContext {
  const context = new EngineContext(setup, contents);
  if (clock === undefined) return context;
  context.clock.turnTo(clock);
  context.setBaseline();
  return context;
}

function replay(source: ExportSource, options: ReplayOptions): Replayed {
  const isWhole = typeof source === "string" || source instanceof Uint8Array;
  if (!isWhole && !isIterable(source, Symbol.iterator)) refuseSource(source);
  const replay = new Replay(options);
  const reader = new LineReader(replay.take);
  for (const chunk of isWhole ? [source] : source) reader.write(chunk);
  return reader.end(() => replay.end());
}

async function replayFrom(
  source: AsyncIterable<string | Uint8Array>,
  options: ReplayOptions,
): Promise<Replayed> {
  const replay = new Replay(options);
  const reader = new LineReader(replay.take);
  for await (const chunk of source) reader.write(chunk);
  return reader.end(() => replay.end());
}

function isIterable(source: unknown, kind: symbol): boolean {
  return typeof source === "object" && source !== null && kind in source;
}

function refuseSource(source: unknown): never {
  refuseValue(source, "an export: text, UTF-8, or chunks of it", { what: "import", rule: "H-5" });
}

function readOptions(options: unknown): ImportOptions {
  return readFields(options, ["now"], { what: "import", rule: "E-3" }) as ImportOptions; // checked as the clock is made
}
