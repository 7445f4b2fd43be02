/** A level for each of some factors. */
export type Row = { readonly [factor: string]: string };

/** Sets of factors whose combinations of levels are covered, besides all pairs. */
type Triples = readonly (readonly string[])[];

/** Renders the pairs and triples of levels of a row, such as `operator $gt × type int`. */
export function interactionsOf(row: Row, triples: Triples): string[] {
  const whole = triples.filter((triple) => triple.every((factor) => row[factor] !== undefined));
  return [...whole, ...pairsOf(Object.keys(row))].map((factors) => render(row, factors));
}

const BESIDE = " × ";

function render(row: Row, factors: readonly string[]): string {
  return factors.map((factor) => `${factor} ${row[factor]}`).join(BESIDE);
}

/**
 * Combines one row of each group, so that all pairs of levels and the triples within a group are
 * covered: a covering array, chosen greedily. The rows of a group have the same factors.
 */
export function coverRows(groups: readonly (readonly Row[])[], triples: Triples): Row[] {
  const left = new Map<string, Row>();
  const want = (rows: readonly Row[], factors: readonly string[]): void => {
    for (const row of rows) {
      const interaction = render(row, factors);
      if (left.has(interaction)) continue;
      left.set(interaction, Object.fromEntries(factors.map((each) => [each, row[each] ?? ""])));
    }
  };
  // Those with the fewest candidates first.
  for (const triple of triples) want(groups[0] ?? [], triple);
  for (const [i, group] of groups.entries()) {
    for (const pair of pairsOf(Object.keys(group[0] ?? {}))) want(group, pair);
    for (const one of levelsOf(group)) {
      for (const other of levelsOf(groups.slice(i + 1).flat())) {
        const both = { ...one, ...other };
        want([both], Object.keys(both));
      }
    }
  }
  const postings = groups.map(indexRows);
  const own = new Map<Row, string[]>();
  // The combinations that a candidate adds to those of the row.
  const gainOf = (row: Row, candidate: Row): number => {
    const inner = own.get(candidate) ?? interactionsOf(candidate, triples);
    own.set(candidate, inner);
    const crossed = Object.keys(row).flatMap((one) =>
      Object.keys(candidate).map(
        (other) => `${one} ${row[one]}${BESIDE}${other} ${candidate[other]}`,
      ),
    );
    return [...inner, ...crossed].filter((each) => left.has(each)).length;
  };
  const chosen: Row[] = [];
  for (const [interaction, part] of left) {
    if (!left.has(interaction)) continue;
    const row = groups.reduce<Row>(
      (held, group, i) => extend(held, findRows(postings[i], part) ?? group, gainOf),
      {},
    );
    for (const each of interactionsOf(row, triples)) left.delete(each);
    chosen.push(row);
  }
  return chosen;
}

function pairsOf(factors: readonly string[]): string[][] {
  return factors.flatMap((one, i) => factors.slice(i + 1).map((other) => [one, other]));
}

/** Lists each level of rows once. */
function levelsOf(rows: readonly Row[]): Row[] {
  const levels = rows.flatMap((row) => Object.entries(row));
  const distinct = new Map(
    levels.map(([factor, level]) => [`${factor} ${level}`, { [factor]: level }]),
  );
  return [...distinct.values()];
}

type Postings = ReadonlyMap<string, readonly Row[]>;

/** The rows of each level. */
function indexRows(rows: readonly Row[]): Postings {
  const postings = new Map<string, Row[]>();
  for (const row of rows) {
    for (const level of levelNames(row)) {
      const known = postings.get(level);
      if (known === undefined) postings.set(level, [row]);
      else known.push(row);
    }
  }
  return postings;
}

function levelNames(row: Row): string[] {
  return Object.keys(row).map((factor) => render(row, [factor]));
}

/** Finds the rows that agree with a part; undefined if they have none of its factors. */
function findRows(postings: Postings | undefined, part: Row): readonly Row[] | undefined {
  const known = levelNames(part).flatMap((level) => {
    const rows = postings?.get(level);
    return rows === undefined ? [] : [rows];
  });
  const [fewest] = known.toSorted((a, b) => a.length - b.length);
  const factors = Object.keys(part);
  return fewest?.filter((row) =>
    factors.every((factor) => row[factor] === undefined || row[factor] === part[factor]),
  );
}

const MOST_CANDIDATES = 60;

/** Adds the row that covers most. */
function extend(
  row: Row,
  candidates: readonly Row[],
  gainOf: (row: Row, candidate: Row) => number,
): Row {
  const stride = Math.ceil(candidates.length / MOST_CANDIDATES);
  let [best, most] = [row, -1];
  for (let i = 0; i < candidates.length; i += stride) {
    const candidate = candidates[i] ?? {};
    const gain = gainOf(row, candidate);
    if (gain > most) [best, most] = [{ ...row, ...candidate }, gain];
  }
  return best;
}
