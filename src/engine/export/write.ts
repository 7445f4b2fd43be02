import type { BranchState, CatalogState, DatabaseState } from "../../catalog/state.js";
import type { StoredValue } from "../../schema/columns.js";
import { describeSchema } from "../../schema/declare.js";
import { TRAITS } from "../../schema/traits.js";
import { metadataOf } from "../../storage/metadata.js";
import { ordinalsOf, type TableVersion } from "../../storage/table.js";
import type { Json } from "../../types.js";
import { compareStrings } from "../../value/compare.js";
import { formatInstant, type Instant } from "../../value/datetime.js";
import { FORMAT, type Header, type Line, type RecordLine, VERSION } from "./layout.js";
import { LineChecksum } from "./seal.js";

/** Lines are given out together, in chunks of about so many characters. */
const CHUNK_LENGTH = 65_536;

/** The text of an export, chunk by chunk; nothing of it is kept. */
export function* writeExport(header: Header, state: CatalogState): Generator<string> {
  const checksum = new LineChecksum();
  let lines = 0;
  let chunk = "";
  for (const line of linesOf(header, state)) {
    lines++;
    chunk += sealLine(line, checksum);
    if (chunk.length < CHUNK_LENGTH) continue;
    yield chunk;
    chunk = "";
  }
  yield chunk + sealLine(["end", lines], checksum);
}

function sealLine(line: Line, checksum: LineChecksum): string {
  const text = JSON.stringify(line);
  const open = text.length - 1;
  return `${text.slice(0, open)},"${checksum.add(text, open)}"]\n`;
}

function* linesOf(header: Header, state: CatalogState): Generator<Line> {
  yield [FORMAT, VERSION, header];
  const keysById = new Map<string, string[]>(Array.from(state.users.keys(), (id) => [id, []]));
  for (const [key, id] of state.userIdsByKey) keysById.get(id)?.push(key);
  for (const [id, { email, fullname, image }] of state.users) {
    yield ["user", id, { email, fullname, image }, keysById.get(id) ?? []];
  }
  const numbers = new Map<TableVersion, number>();
  for (const [id, { name, members, settings, databases }] of state.workspaces) {
    yield ["workspace", id, { name, members: [...members], settings }];
    for (const [name, database] of databases) yield* databaseLines(name, database, numbers);
  }
  for (const [table, number] of numbers) yield* tableLines(table, number);
}

function* databaseLines(
  name: string,
  database: DatabaseState,
  numbers: Map<TableVersion, number>,
): Generator<Line> {
  const { region, createdAt, color, settings, branches, branchesByGitBranch } = database;
  const gitBranches = [...branchesByGitBranch];
  yield [
    "database",
    name,
    { region, createdAt: format(createdAt), color: color ?? null, gitBranches, settings },
  ];
  for (const [branch, content] of branches) yield branchLine(branch, content, numbers);
}

function branchLine(
  name: string,
  { createdAt, metadata, tables }: BranchState,
  numbers: Map<TableVersion, number>,
): Line {
  const numbered = Array.from(tables, ([table, { value }]) => {
    const number = numbers.get(value) ?? numbers.size;
    numbers.set(value, number);
    return [table, number] as const;
  });
  return ["branch", name, { createdAt: format(createdAt), metadata, tables: numbered }];
}

function* tableLines(table: TableVersion, number: number): Generator<Line> {
  const { identity, schema, size } = table;
  const { leaves, slotCount } = schema;
  const slots = leaves.map(({ slot }) => slot);
  const columns = describeSchema(schema);
  yield ["table", number, { identity, columns, slots, slotCount, size }];
  const isInstant = leaves.map(({ type }) => TRAITS[type].stored === "instant");
  for (const ordinal of ordinalsById(table)) {
    const { version, createdAt, updatedAt } = metadataOf(table, ordinal);
    const isUntouched = updatedAt.ms === createdAt.ms && updatedAt.micros === createdAt.micros;
    const line: RecordLine = [
      "r",
      table.idAt(ordinal),
      version,
      format(createdAt),
      isUntouched ? null : format(updatedAt),
    ];
    const values: Json[] = line as unknown as Json[]; // what follows is values only
    for (let i = 0; i < slots.length; i++) {
      const value = table.get(ordinal, slots[i]!);
      values.push(isInstant[i] ? formatStored(value) : (value as Json)); // any other is JSON
    }
    yield line;
  }
}

/** The ordinals of all records in the order of their ids. */
function ordinalsById(table: TableVersion): Iterable<number> {
  const ordinals = ordinalsOf(table.chunks);
  if (table.idsAscend) return ordinals;
  const ids = Array.from(ordinals, (ordinal) => [table.idAt(ordinal), ordinal] as const);
  return ids.sort(([a], [b]) => compareStrings(a, b)).map(([, ordinal]) => ordinal);
}

function formatStored(value: StoredValue): string | null {
  return value === null ? null : format(value as Instant); // of a column of instants
}

function format({ ms, micros }: Instant): string {
  return formatInstant(ms, micros);
}
