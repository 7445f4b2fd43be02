import fc from "fast-check";
import type { ProfileOption } from "../../profile.js";
import { resolveProfile } from "../../shape/profile.js";
import type { QueryRequest } from "../../types.js";
import type { JsonObject } from "../oracle/model.js";
import type { Fixture } from "../target/target.js";
import { derive } from "./choice.js";
import { makeRecord, RECORD_IDS } from "./domains.js";
import type { QueriedSchema } from "./paths.js";
import { type QueryPlan, queryPlanArbitrary, renderQuery } from "./query.js";
import { repairLinks } from "./repair-links.js";
import { type GeneratedTable, tablesArbitrary } from "./schema.js";
import { seedArbitrary } from "./shrinking.js";

/** A case of a law: the contents of its database, and more. */
export interface LawCase {
  readonly fixture: Fixture;
}

/** Generated cases, and those to try first. */
export interface Cases<C> {
  readonly arbitrary: fc.Arbitrary<C>;
  readonly examples: readonly C[];
}

/** Generated tables and records under a profile. */
export interface GeneratedBranch extends LawCase {
  readonly profile: ProfileOption;
}

/** Queries of one generated table. */
export interface QueryCase extends GeneratedBranch {
  readonly table: string;
  readonly queries: readonly QueryRequest[];
}

/** Options of generated cases. */
export interface CaseOptions {
  /** Profiles to choose from; default both, each in both null modes. */
  readonly profiles?: readonly ProfileOption[];
  /** Maximum number of records per table; default 14. */
  readonly records?: number;
  /** Maximum number of queries per case; default 8. */
  readonly length?: number;
}

/** Both profiles in both null modes (F-30). */
export const ALL_PROFILES: readonly ProfileOption[] = [
  "documented",
  "xata",
  { base: "documented", nullComparison: "sql" },
  { base: "xata", nullComparison: "complement" },
];

/** Generates tables, records and queries. */
export function queryCaseArbitrary(options: CaseOptions = {}): fc.Arbitrary<QueryCase> {
  const queries = fc.array(queryPlanArbitrary(), { minLength: 1, maxLength: options.length ?? 8 });
  const plans = fc.record({ plan: branchPlanArbitrary(options), queries });
  return fc.noBias(plans).map(({ plan, queries }) => {
    const { generated, branch, table } = renderBranch(plan);
    return {
      ...generated,
      table: table.name,
      queries: queries.map((query: QueryPlan) => renderQuery(branch, table, query)),
    };
  });
}

/** Generates tables and records. */
export function branchArbitrary(options: CaseOptions): fc.Arbitrary<GeneratedBranch> {
  return branchPlanArbitrary(options).map((plan) => renderBranch(plan).generated);
}

interface BranchPlan {
  readonly profile: ProfileOption;
  readonly tables: readonly GeneratedTable[];
  readonly records: readonly (readonly number[])[];
  readonly target: number;
}

function branchPlanArbitrary(options: CaseOptions): fc.Arbitrary<BranchPlan> {
  const { profiles = ALL_PROFILES, records: most = 14 } = options;
  const records = fc.array(seedArbitrary(), { maxLength: most, size: "max" });
  return fc.record({
    profile: fc.constantFrom(...profiles),
    tables: tablesArbitrary(),
    records: fc.tuple(records, records, records),
    target: seedArbitrary(),
  });
}

function renderBranch(plan: BranchPlan): {
  generated: GeneratedBranch;
  branch: QueriedSchema;
  table: GeneratedTable;
} {
  const { profile, tables } = plan;
  const { base, metadataColumn, links } = resolveProfile(profile);
  const branch: QueriedSchema = { tables, base, metadataColumn };
  const filled = tables.map((table, i) => {
    const all = (plan.records[i] ?? []).map((seed) => makeRecord(branch, table.columns, seed));
    return { ...table, records: distinctIds(all) };
  });
  const fixture = { tables: links === "checked" ? repairLinks(filled) : filled };
  const table = tables[plan.target % tables.length];
  if (table === undefined) throw new Error("a branch has at least one table");
  return { generated: { profile, fixture }, branch, table };
}

function distinctIds(records: readonly JsonObject[]): JsonObject[] {
  const byId = new Map<unknown, JsonObject>();
  for (const record of records) if (!byId.has(record.id)) byId.set(record.id, record);
  return [...byId.values()];
}

/** Creates `count` records in shuffled order; the first have the ids that links refer to. */
export function makeManyRecords(
  profile: ProfileOption,
  table: GeneratedTable,
  count: number,
  seed: number,
): JsonObject[] {
  const { base, metadataColumn } = resolveProfile(profile);
  const records = Array.from({ length: count }, (_, i) => {
    const own = derive(seed, String(i));
    const record = makeRecord({ base, metadataColumn }, table.columns, own);
    return { ...record, id: RECORD_IDS[i] ?? `r${own.toString(36)}` };
  });
  return distinctIds(records);
}
