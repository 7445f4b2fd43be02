import type { Limits } from "../profile.js";
import { addMetadata } from "../schema/record-names.js";
import { readBySchema } from "../shape/read.js";
import type { AnyRecord } from "../types.js";
import { compareStrings } from "../value/compare.js";
import { type BoundSearch, bindTable, type SearchedTable } from "./bind/bind-table.js";
import { highlightRow, type MarkWords, markAmong, markPhrase, passagesOf } from "./highlight.js";
import { createWholeRecords } from "./query-seam.js";
import { BRANCH_SEARCH, checkNames, type ParsedSettings, TABLE_SEARCH } from "./request/request.js";
import { countFiltered, findHits, type TableHits, termsOf } from "./score/find-hits.js";
import type { Term } from "./score/terms.js";
import type { Hit } from "./score/top-hits.js";
import { wordsIn } from "./words/words.js";

export interface SearchAnswer {
  records: AnyRecord[];
  totalCount: number;
}

export interface SearchedBranch {
  readonly limits: Limits;
  readonly names: readonly string[];
  readonly open: (name: string) => SearchedTable;
}

export function runTableSearch(table: SearchedTable, request: unknown): SearchAnswer {
  const { settings, parts } = readBySchema(TABLE_SEARCH, request, "", table.run.limits);
  const bound = bindTable(table, parts)();
  const { records, totalCount } = answer([bound], settings);
  // Clients count records by an empty query (rule Q-2).
  return { records, totalCount: settings.query === "" ? countFiltered(bound) : totalCount };
}

export function runBranchSearch(branch: SearchedBranch, request: unknown): SearchAnswer {
  const names = new Set(branch.names);
  const { settings, tables } = readBySchema(BRANCH_SEARCH, request, "", branch.limits);
  checkNames(tables ?? [], (name) => names.has(name));
  const searched = tables ?? branch.names.map((name) => ({ name, parts: {} }));
  const bound = searched.map(({ name, parts }) => bindTable(branch.open(name), parts));
  return answer(
    bound.map((bindFilters) => bindFilters()),
    settings,
  );
}

interface PlacedHit extends Hit {
  readonly found: FoundTable;
}

interface FoundTable {
  readonly search: BoundSearch;
  readonly hits: TableHits;
  readonly build: (hit: Hit) => AnyRecord;
}

function answer(searches: readonly BoundSearch[], settings: ParsedSettings): SearchAnswer {
  const { size, offset } = settings;
  const words = wordsIn(settings.query);
  const terms = termsOf(words, settings);
  const found = searches.map((search) => {
    const hits = findHits(search, terms, offset + size);
    return { search, hits, build: createBuild(search, hits, settings, { words, terms }) };
  });
  const page = found
    .flatMap((table): PlacedHit[] => table.hits.hits.map((hit) => ({ found: table, ...hit })))
    .sort(compareHits)
    .slice(offset, offset + size);
  return {
    records: page.map((hit) => hit.found.build(hit)),
    totalCount: found.reduce((sum, { hits }) => sum + hits.total, 0),
  };
}

/** By descending score, then table, then id. */
function compareHits(a: PlacedHit, b: PlacedHit): number {
  if (a.score !== b.score) return b.score - a.score;
  const [one, other] = [a.found.search.table, b.found.search.table];
  return (
    compareStrings(one.name, other.name) ||
    compareStrings(one.run.table.idAt(a.row), other.run.table.idAt(b.row))
  );
}

function createBuild(
  { table, targets }: BoundSearch,
  hits: TableHits,
  { highlight, isPhrase }: ParsedSettings,
  { words, terms }: { readonly words: readonly string[]; readonly terms: readonly Term[] },
): (hit: Hit) => AnyRecord {
  const { run, name } = table;
  const project = createWholeRecords(table.run);
  let mark: MarkWords | undefined;
  return ({ row, score }) => {
    run.checkTime?.();
    const record = project([row])[0]!; // one record per row
    if (!highlight.enabled) {
      addMetadata(record, run.profile, { table: name, score });
      return record;
    }
    mark ??= isPhrase ? markPhrase(words) : markAmong(matchingWords(hits, terms));
    const markWords = mark;
    const passages = highlightRow(run.table, targets, row, (text, most) =>
      passagesOf(text, markWords(text), most, highlight.encodeHTML),
    );
    addMetadata(record, run.profile, { table: name, score, highlight: passages });
    return record;
  };
}

function matchingWords({ lexicons }: TableHits, terms: readonly Term[]): ReadonlySet<string> {
  const matching = new Set<string>();
  for (const lexicon of lexicons) {
    for (const term of terms) {
      for (const id of term.wordsIn(lexicon).ids) matching.add(lexicon.words[id]!);
    }
  }
  return matching;
}
