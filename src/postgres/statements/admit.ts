import { assert, refuse } from "../../errors.js";
import { plain, type Transaction } from "../driver.js";
import { FORBIDDEN_NAME } from "./failure.js";

/** The function of a statement, temporary and dropped afterwards. */
export const STATEMENT = 'pg_temp."twinbase statement"';

/** The function that calls it and truncates its errors. */
export const GUARDED = 'pg_temp."twinbase guarded"';

/*
 * PostgreSQL's parse tree of a statement refers to each table and function by OID. A statement is
 * rejected before it runs if it contains others than the following: those that read other tables,
 * the server or other sessions, change settings, lock, wait, or run SQL from text.
 */

/** Immutable functions are allowed, except these, which depend on more. */
const NOT_OF_VALUES =
  "^(pg_(?!size_bytes$|size_pretty$|lsn)|lo_|acl|makeaclitem$|satisfies_hash_partition$)";

/** Allowed functions that depend on settings or on the time. */
const OF_SETTINGS =
  "^(age|anytextcat|textanycat|array_to_(json|string)|concat(_ws)?|convert(_from|_to)?|date.*|enum_(first|last|range)|extract|format|generate_series|in_range|interval_pl_timestamptz|jsonb?_.*|length|make_timestamptz|money|now|numeric|overlaps|phraseto_tsquery|plainto_tsquery|quote_(literal|nullable)|row_to_json|statement_timestamp|time.*|to_(char|date|jsonb?|number|timestamp|tsquery|tsvector)|transaction_timestamp|ts_headline|ts_match_t[qt]|websearch_to_tsquery)$";

/** Allowed volatile functions without side effects. */
const OF_CHANCE =
  "^(array_sample|array_shuffle|clock_timestamp|gen_random_uuid|random|random_normal|timeofday|uuidv4|uuidv7)$";

/** Objects of extensions and users have OIDs from here on. */
const FIRST_MADE = 16_384;

const IS_ADMITTED = `pronamespace = 'pg_catalog'::regnamespace and p.oid < ${FIRST_MADE} and case provolatile
  when 'i' then proname !~ '${NOT_OF_VALUES}'
  when 's' then proname ~ '${OF_SETTINGS}'
  else proname ~ '${OF_CHANCE}' end`;

/** Types of text search configurations and dictionaries; only constants of PostgreSQL's own. */
const OF_SEARCH = "typname in ('regconfig', 'regdictionary')";

/** A constant of these types with an OID of {@link FIRST_MADE} or more, in bytes, lowest first. */
const MADE_FOR_SEARCH =
  ":consttype (3734|3769) [^}]*:constvalue 4 \\[ -?\\d+ (?!([0-9]|[1-5][0-9]|6[0-3]) 0 0 )";

/**
 * Types of others, types whose values contain names of database objects or roles, and rows of the
 * system catalogs.
 */
const TELLS_NAMES = `(t.oid >= ${FIRST_MADE} and t.typnamespace <> pg_my_temp_schema()
  or t.typname ~ '^_?(reg|aclitem$)' and not (${OF_SEARCH} and kind = 'consttype')
  or exists (
    select from pg_type r
    where r.oid in (t.oid, t.typelem) and r.typtype = 'c' and r.typnamespace <> pg_my_temp_schema()
  ))`;

/** `session_user` and `current_catalog` in a parse tree. */
const TELLS_SESSION = ":op (12|13) :type 19 ";

const ADMITTED = "admitted";

/**
 * Reads the references of a statement. `:relid`, `:funcid`, `:vartype` … are the keys of its parse
 * tree, in which names and values are escaped; columns of a function have a list of types: `(o 25
 * 2205)`.
 */
const LOOK = plain(`with found as materialized (
    select distinct m[1] as kind, unnest(string_to_array(m[2], ' '))::oid as id
    from pg_proc, regexp_matches(
      prosqlbody::text,
      ':(relid|funcid|opfuncid|aggfnoid|winfnoid|\\w*op|opnos?|\\w*[cC]oll\\w*|\\w*type|\\w*types|\\w*typeid|typid) (?:\\(o )?(\\d+(?: \\d+)*)',
      'g'
    ) m
    where oid = '${STATEMENT}'::regproc
  ), looked(message) as (
  select case when id < ${FIRST_MADE} then 'permission denied for table ' || relname else '${FORBIDDEN_NAME}' end
    from found join pg_class c on c.oid = id
    where kind = 'relid' and (relkind <> 'v' or relnamespace <> pg_my_temp_schema())
  union all
  select case when id < ${FIRST_MADE} then 'permission denied for function ' || proname else '${FORBIDDEN_NAME}' end
    from found join pg_proc p on p.oid = id
    where kind in ('funcid', 'opfuncid', 'aggfnoid', 'winfnoid') and not (${IS_ADMITTED})
  union all
  select '${FORBIDDEN_NAME}' from found where kind ~ 'op(nos?)?$|[cC]oll' and id >= ${FIRST_MADE}
  union all
  select '${FORBIDDEN_NAME}' from found join pg_type t on t.oid = id
    where kind ~ 'typ' and ${TELLS_NAMES}
  union all
  select '${FORBIDDEN_NAME}' from pg_proc
    where oid = '${STATEMENT}'::regproc and prosqlbody::text ~ '${MADE_FOR_SEARCH}'
  union all
  select 'XML is not supported' from found where kind ~ 'typ' and id in (142, 143)
  union all
  select 'permission denied for ' || case m[1] when '12' then 'session_user' else 'current_catalog' end
    from pg_proc, regexp_matches(prosqlbody::text, '\\{SQLVALUEFUNCTION ${TELLS_SESSION}') m
    where oid = '${STATEMENT}'::regproc
  union all
  select 'on conflict is not supported' from pg_proc
    where oid = '${STATEMENT}'::regproc and prosqlbody::text ~ ':onConflict \\{'
  union all
  select case when prosqlbody::text ~ 'QUERY' then '${ADMITTED}' else 'the statement is empty' end
    from pg_proc where oid = '${STATEMENT}'::regproc
  )
  select message, length(prosqlbody::text)
  from looked, pg_proc where oid = '${STATEMENT}'::regproc`);

/**
 * Rejects a statement with forbidden references; see {@link STATEMENT}. Returns the length of its
 * parse tree as text.
 */
export async function requireAdmitted(session: Transaction, path: string): Promise<number> {
  // Not prepared: the OID of the function would be that of an earlier statement.
  const found = await session.queryOnce(LOOK);
  assert(found.length > 0, "the function of the statement is there");
  const refusal = found.find(([message]) => message !== ADMITTED);
  if (refusal !== undefined) refuse("invalid_request", refusal[0] ?? "", { path, rule: "E-3" });
  return Number(found[0]![1]);
}
