import { INDEX_NAMES, TRIGRAMS } from "../sql/index-text.js";
import { plain, type Session } from "./driver.js";
import { DEMAND } from "./layout.js";

/** Missing and unused indexes. */
export interface Advice {
  /** Missing indexes that queries could use, most requested first. */
  readonly missing: readonly {
    readonly statement: string;
    readonly asked: number;
    /** Whether it was abandoned because values are too long. */
    readonly unfit: boolean;
    /** A missing extension of the server, in words. */
    readonly lacks?: string;
  }[];
  /** Indexes without a use since statistics began; none for a cluster, which has no statistics. */
  readonly unused: readonly { readonly statement: string; readonly bytes: number }[];
}

export async function readAdvice(session: Session, isCluster: boolean): Promise<Advice> {
  const missing = await session.query(
    plain(
      `select 'create index concurrently ' || d.name || ' on ' || d.definition, d.asked, d.unfit from ${DEMAND} d left join pg_index i on i.indexrelid = to_regclass(d.schema || '.' || d.name) and i.indisvalid where i.indexrelid is null and to_regclass(d.schema || '.' || split_part(d.name, '_', 1)) is not null order by d.asked desc, d.name`,
    ),
  );
  const unused = isCluster ? [] : await readUnused(session);
  const lacks = await findLack(session);
  return {
    missing: missing.map(([statement, asked, unfit]) => ({
      statement: statement ?? "",
      asked: Number(asked),
      unfit: unfit === "t",
      ...(lacks === undefined || !statement?.includes(TRIGRAMS) ? {} : { lacks }),
    })),
    unused,
  };
}

async function readUnused(session: Session): Promise<Advice["unused"]> {
  const rows = await session.query(
    plain(
      `select 'drop index concurrently ' || schemaname || '.' || indexrelname, pg_relation_size(indexrelid) from pg_stat_user_indexes s join pg_index i using (indexrelid) where idx_scan = 0 and schemaname ~ '^tb_[0-9]+$' and indexrelname ~ '${INDEX_NAMES}' and not exists (select from pg_constraint c where c.conrelid = s.relid and c.contype = 'f' and c.conkey[1] = i.indkey[0]) order by 2 desc, 1`,
    ),
  );
  return rows.map(([statement, bytes]) => ({ statement: statement ?? "", bytes: Number(bytes) }));
}

/** Why trigram indexes are not available; undefined if they are. */
async function findLack(session: Session): Promise<string | undefined> {
  const [row] = await session.query(
    plain(
      "select exists (select from pg_extension where extname = 'pg_trgm'), exists (select from pg_available_extensions where name = 'pg_trgm'), has_database_privilege(current_database(), 'create')",
    ),
  );
  const [isThere, isAvailable, mayCreate] = (row ?? []).map((value) => value === "t");
  if (isThere) return undefined;
  if (!isAvailable) return "the server does not have the extension pg_trgm";
  return mayCreate ? undefined : "this role may not create the extension pg_trgm";
}
