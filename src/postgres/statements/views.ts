import { refuse } from "../../errors.js";
import type { Profile } from "../../profile.js";
import { type CompiledSchema, type LeafColumn, leavesOf } from "../../schema/columns.js";
import { metadataPath } from "../../schema/record-names.js";
import { columnName, type Statement, statementOf } from "../../sql/statement.js";
import { castType, encodeValue } from "../../sql/values.js";
import { formatInstant, type Instant } from "../../value/datetime.js";
import type { OpenBranch } from "../backend.js";
import { plain } from "../driver.js";
import { tableIn } from "../placement.js";
import { castOf, selectStored, storedColumns } from "../rows.js";

/** The role of statements, with privileges only while one runs. */
export const SQL_ROLE = "twinbase_sql";

/** Significant characters of a PostgreSQL name. */
const NAME_LENGTH = 63;

/** A column of a view: `id`, a value or metadata. */
export interface ShownColumn {
  readonly label: string;
  readonly leaf: LeafColumn | undefined;
  readonly expression: string;
}

export interface ShownTable {
  readonly name: string;
  readonly label: string;
  readonly schema: CompiledSchema;
  readonly columns: readonly ShownColumn[];
  /** Creates the view; dropped after the statement. */
  readonly create: readonly Statement[];
}

/** The tables of a branch whose names occur in a statement. */
export function shownTables(
  { address, context, placement, rowForm }: OpenBranch,
  text: string,
  profile: Profile,
): ShownTable[] {
  const lower = text.toLowerCase();
  const shown: ShownTable[] = [];
  for (const [name, key] of context.readBranch(address).tables) {
    const label = name.slice(0, NAME_LENGTH);
    if (!lower.includes(label.toLowerCase())) continue;
    const { identity, schema } = context.tableAt(key);
    const columns = columnsOf(schema, profile);
    requireApart(`table [${name}]: two columns`, columns);
    const selected = columns.map(({ label, expression }) => `${expression} as ${quote(label)}`);
    const relation = tableIn(placement, address, identity);
    const source =
      rowForm === "lists" ? { from: relation, create: [] } : ownRows(label, relation, schema);
    const view = `create view ${viewOf(label)} as select ${selected.join(", ")} from ${source.from}`;
    const create = [...source.create, plain(view)];
    shown.push({ name, label, schema, columns, create });
  }
  requireApart("two tables of the branch", shown);
  return shown;
}

/** Reads a table of a cluster by a function of its owner: workers only allow that role. */
function ownRows(
  label: string,
  relation: string,
  schema: CompiledSchema,
): { readonly from: string; readonly create: readonly Statement[] } {
  const name = `pg_temp.${quote(`twinbase rows ${label}`)}`;
  const columns = storedColumns(schema).map((column) => `${column.name} ${castOf(column)}`);
  return {
    from: `${name}()`,
    create: [
      plain(
        `create function ${name}() returns table (${columns.join(", ")}) language sql stable security definer as ${literal(selectStored(schema, relation))}`,
      ),
    ],
  };
}

function columnsOf({ leaves }: CompiledSchema, profile: Profile): ShownColumn[] {
  const system = (label: string, expression: string): ShownColumn => {
    return { label: label.slice(0, NAME_LENGTH), leaf: undefined, expression };
  };
  return [
    system(profile.idColumn, "id"),
    system(metadataPath(profile, "version"), "version::int4"),
    system(metadataPath(profile, "createdAt"), "created_at"),
    system(metadataPath(profile, "updatedAt"), "updated_at"),
    ...leaves.map((leaf) => {
      return { label: leaf.path.slice(0, NAME_LENGTH), leaf, expression: expressionOf(leaf) };
    }),
  ];
}

/** A column as SQL expression: comparable JSON, files without contents. */
function expressionOf({ type, slot }: LeafColumn): string {
  const column = columnName(slot);
  if (type === "json") return `${column}::jsonb`;
  if (type === "file") return `${column}::jsonb - 'content'`;
  if (type === "file[]") {
    return `(select jsonb_agg(f - 'content' order by n) from jsonb_array_elements(${column}::jsonb) with ordinality a(f, n))`;
  }
  return column;
}

function requireApart(what: string, all: readonly { readonly label: string }[]): void {
  const labels = new Set(all.map(({ label }) => label));
  if (labels.size === all.length) return;
  refuse("invalid_request", `${what} begin with the same ${NAME_LENGTH} characters`, {
    rule: "E-3",
  });
}

/** Holds the changed rows of views for the engine. */
export const CHANGES = 'pg_temp."twinbase changes"';

/** Maximum of the written records, and of the bytes of their JSON, before and after together. */
const MAX_CHANGES = 100_000;
const MAX_CHANGED_BYTES = 64 * 1024 * 1024;
/** SQLSTATE for more, made up. */
export const TOO_MANY_CHANGES = "TB001";

/** Values that triggers assign to records. */
export interface Givens {
  readonly nextId: number;
  readonly tail: string;
  readonly now: Instant;
}

/** Creates triggers that record writes and assign ids; the engine then applies the writes. */
export function captureWrites(
  tables: readonly ShownTable[],
  profile: Profile,
  { nextId, tail, now }: Givens,
): Statement[] {
  const [version, createdAt, updatedAt] = ["version", "createdAt", "updatedAt"].map((key) =>
    quote(metadataPath(profile, key).slice(0, NAME_LENGTH)),
  );
  const id = quote(profile.idColumn);
  const time = literal(formatInstant(now.ms, now.micros));
  return [
    plain(`create table ${CHANGES} (name text, verb text, before json, after json)`),
    plain('create sequence pg_temp."twinbase ids" minvalue 0'),
    plain('create sequence pg_temp."twinbase count"'),
    plain('create sequence pg_temp."twinbase bytes" minvalue 0'),
    statementOf(
      (bind) => `select setval('pg_temp."twinbase ids"', ${bind(String(nextId), "bigint")}, false)`,
    ),
    plain(`create function pg_temp."twinbase capture"() returns trigger
      language plpgsql security definer set search_path = pg_catalog, pg_temp as $capture$
      declare
        counter bigint;
        bytes bigint;
        digits text := '';
        was json := case when tg_op <> 'INSERT' then row_to_json(old) end;
        made json;
      begin
        if tg_op = 'INSERT' then
          if new.${version} is not null or new.${createdAt} is not null or new.${updatedAt} is not null then
            raise exception 'the metadata of a record cannot be written';
          end if;
          if new.${id} is null then
            counter := nextval('pg_temp."twinbase ids"');
            counter := ((counter >> 21) << 28) | ((counter & 2097151) << 4);
            for i in 1..12 loop
              digits := substr('0123456789abcdefghijklmnopqrstuv', (counter & 31)::int + 1, 1) || digits;
              counter := counter >> 5;
            end loop;
            new.${id} := 'rec_' || left(digits, 7) || ${literal(tail)} || right(digits, 5);
          end if;
          made := row_to_json(new);
          new.${version} := 0;
          new.${createdAt} := ${time};
          new.${updatedAt} := ${time};
        elsif tg_op = 'UPDATE' then
          if new.${id} is distinct from old.${id} then
            raise exception 'the id of a record cannot be changed';
          end if;
          if (new.${version}, new.${createdAt}, new.${updatedAt}) is distinct from (old.${version}, old.${createdAt}, old.${updatedAt}) then
            raise exception 'the metadata of a record cannot be written';
          end if;
          made := row_to_json(new);
          new.${version} := old.${version} + 1;
          new.${updatedAt} := ${time};
        end if;
        select last_value + coalesce(octet_length(was::text), 0) + coalesce(octet_length(made::text), 0)
          into bytes from pg_temp."twinbase bytes";
        if nextval('pg_temp."twinbase count"') > ${MAX_CHANGES} or bytes > ${MAX_CHANGED_BYTES} then
          raise exception using errcode = '${TOO_MANY_CHANGES}',
            message = 'the statement writes more than ${MAX_CHANGES} records, or ${MAX_CHANGED_BYTES} bytes';
        end if;
        perform setval('pg_temp."twinbase bytes"', bytes);
        insert into ${CHANGES} values (tg_table_name, tg_op, was, made);
        return case when tg_op = 'DELETE' then old else new end;
      end $capture$`),
    ...tables.flatMap((table) => [...defaultsOf(table, time), captureTable(table)]),
  ];
}

function captureTable({ label }: ShownTable): Statement {
  return plain(
    `create trigger capture instead of insert or update or delete on ${viewOf(label)} for each row execute function pg_temp."twinbase capture"()`,
  );
}

/** Defaults of missing columns on insert (T-16); the engine fills those in objects. */
function defaultsOf({ label, schema: { constraints } }: ShownTable, time: string): Statement[] {
  const inObjects = new Set(constraints.objectDefaults.flatMap(leavesOf));
  const changes = constraints.defaults.flatMap((leaf) => {
    const { defaultValue, path, type } = leaf;
    if (defaultValue === undefined || inObjects.has(leaf)) return [];
    const text =
      defaultValue.kind === "now" ? time : literal(encodeValue(type, defaultValue.value) ?? "");
    const cast = type === "json" ? "jsonb" : castType(type);
    return [`alter column ${quote(path.slice(0, NAME_LENGTH))} set default ${text}::${cast}`];
  });
  return changes.length === 0 ? [] : [plain(`alter table ${viewOf(label)} ${changes.join(", ")}`)];
}

/** Qualified, as a system view may have the same name. */
export function viewOf(label: string): string {
  return `pg_temp.${quote(label)}`;
}

/** Quotes a name; the service's names contain no quotes (N-1, N-3). */
function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Quotes a text, independent of `standard_conforming_strings`. */
export function literal(text: string): string {
  return `E'${text.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`;
}
