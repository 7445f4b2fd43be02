import fc from "fast-check";
import { choose, derive, happens, several } from "../arbitraries/choice.js";
import { distanceOf, wordsOf } from "../oracle/search.js";
import type { JsonObject } from "./cases.js";
import { defineLaw, type Law, type LawCase } from "./law.js";
import { branchPath, type Scene } from "./scene.js";

interface TextsCase extends LawCase {
  readonly seed: number;
}

/** A query, and what it finds in a text that is cut into words. */
interface Search {
  readonly request: JsonObject;
  readonly finds: (words: readonly string[]) => boolean;
}

const COUNT = 900;
/**
 * Some are two code units long. U+FE73 comes before those by code points, and after them by code
 * units.
 */
const LETTERS = [..."aabbcdeé", "\u{10330}", "\u{10331}", "\ufe73"];

/** Laws of searches among thousands of different words. */
export const MANY_SEARCH_LAWS: readonly Law[] = [
  defineLaw({
    id: "many-words-are-those-of-a-loop",
    title: "searches among thousands of words find what a loop finds, also after writes",
    rules: ["Q-2", "Q-3", "Q-4", "Q-6", "Q-8"],
    tier: "strict",
    needs: ["search", "records", "transaction"],
    share: 0.04,
    requests: 400,
    cases: () =>
      fc.noShrink(fc.nat()).map((seed): TextsCase => {
        const records = Array.from({ length: COUNT }, (_, i) => ({
          id: `r${i}`,
          text: makeText(seed, i),
        }));
        const columns = [{ name: "text", type: "text" as const }];
        return { seed, fixture: { tables: [{ name: "notes", columns, records }] } };
      }),
    async check(scene, { seed, fixture }) {
      const held = new Map(
        (fixture.tables[0]?.records ?? []).map(({ id, text }) => [String(id), String(text)]),
      );
      const searches = several(seed, "searches", 16, 16, (each) => makeSearch(each, seed));
      for (const search of searches) await count(scene, held, search);
      await change(scene, held, seed);
      for (const search of searches) await count(scene, held, search);
    },
  }),
];

function makeText(seed: number, i: number): string {
  return several(derive(seed, `text ${i}`), "word", 1, 5, makeWord).join(" ");
}

function makeWord(seed: number): string {
  return several(seed, "letters", 2, 7, (each) => choose(each, "letter", LETTERS)).join("");
}

function makeSearch(seed: number, texts: number): Search {
  const own = wordsOf(makeText(texts, derive(seed, "text") % COUNT));
  if (happens(seed, "phrase", 0.25)) {
    const from = derive(seed, "from") % own.length;
    const phrase = own.slice(from, from + 2);
    const cut = [...(phrase.at(-1) ?? "")].slice(0, 1 + (derive(seed, "cut") % 4)).join("");
    const asked = [...phrase.slice(0, -1), cut];
    const request = { query: asked.join(" "), prefix: "phrase" };
    return { request, finds: (words) => words.some((_, at) => isPhrase(words, at, asked)) };
  }
  const fuzziness = derive(seed, "fuzziness") % 3;
  const asked = spoil(seed, choose(seed, "own", own), derive(seed, "edits") % 3);
  const most = [...asked].length < 3 ? 0 : fuzziness;
  const finds = (words: readonly string[]): boolean =>
    words.some(
      (word) => Math.abs(word.length - asked.length) <= 2 * most && distanceOf(asked, word) <= most,
    );
  return { request: { query: asked, fuzziness }, finds };
}

/** Puts letters in, takes them out, or swaps them. */
function spoil(seed: number, word: string, edits: number): string {
  const letters = [...word];
  for (let i = 0; i < edits; i++) {
    const at = derive(seed, `at ${i}`) % letters.length;
    const form = derive(seed, `form ${i}`) % 4;
    const letter = choose(seed, `letter ${i}`, LETTERS);
    if (form === 0) letters.splice(at, 0, letter);
    else if (form === 1) letters[at] = letter;
    else if (form === 2 && letters.length > 3) letters.splice(at, 1);
    else letters.splice(at, 2, ...letters.slice(at, at + 2).reverse());
  }
  return wordsOf(letters.join("")).join("");
}

function isPhrase(words: readonly string[], at: number, asked: readonly string[]): boolean {
  return asked.every((word, i) => {
    const found = words[at + i] ?? "";
    return i === asked.length - 1 ? found.startsWith(word) : found === word;
  });
}

async function count(
  scene: Scene,
  held: ReadonlyMap<string, string>,
  { request, finds }: Search,
): Promise<void> {
  const totalCount = [...held.values()].filter((text) => finds(wordsOf(text))).length;
  const path = branchPath("/tables/notes/search");
  const body = { ...request, page: { size: 1 } };
  await scene.send(
    { method: "POST", path, body },
    { status: 200, at: { "/totalCount": totalCount } },
  );
}

/** Deletes, changes and inserts some hundreds of records at once. */
async function change(scene: Scene, held: Map<string, string>, seed: number): Promise<void> {
  const table = "notes";
  const operations: JsonObject[] = [];
  for (let i = 0; i < 300; i++) {
    const id = `r${derive(seed, `changed ${i}`) % COUNT}`;
    const text = makeText(seed + 1, i);
    if (i % 3 === 0 && held.delete(id)) operations.push({ delete: { table, id } });
    else if (i % 3 === 1 && held.has(id)) {
      held.set(id, text);
      operations.push({ update: { table, id, fields: { text } } });
    } else {
      held.set(`s${i}`, text);
      operations.push({ insert: { table, record: { id: `s${i}`, text } } });
    }
  }
  const request = { method: "POST", path: branchPath("/transaction"), body: { operations } };
  await scene.send(request, { status: 200 });
}
