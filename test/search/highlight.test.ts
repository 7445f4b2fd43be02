import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { distanceOf, wordsOf } from "../../src/conformance/oracle/search.js";
import { defineColumns } from "../columns.js";
import { runs, seed } from "../generated.js";
import { openBranch } from "../rules/fixture.js";
import { highlightOf, search } from "./fixture.js";

const COLUMNS = defineColumns({
  name: "string",
  body: "text",
  labels: "multiple",
  place: { city: "string", constructor: { toString: "text" } },
});

function highlight(record: object, request: object): unknown {
  const table = openBranch().createTable("t", COLUMNS);
  table.insert(record);
  return highlightOf(search(table, request));
}

describe("Q-6: highlights", () => {
  it.each([
    [
      { labels: ["no", "Réd.", "red red", "red", "red"] },
      { query: "red" },
      { labels: ["<em>Réd</em>.", "<em>red</em> <em>red</em>", "<em>red</em>"] },
    ],
    [
      { name: "red", place: { city: "red hat", constructor: { toString: "a red" } } },
      { query: "red", target: ["place"] },
      { place: { city: ["<em>red</em> hat"], constructor: { toString: ["a <em>red</em>"] } } },
    ],
    [{ name: "東京へ" }, { query: "京" }, { name: ["東<em>京</em>へ"] }],
  ])("of %j for %j are %j", (record, request, expected) => {
    expect(highlight(record, request)).toEqual(expected);
  });

  it("cut long texts between words, with context before and after the match", () => {
    const body = `${"before ".repeat(50)}needle, ${"after ".repeat(50)}`;
    const { body: passages } = highlight({ body }, { query: "needle" }) as { body: string[] };
    expect(passages).toHaveLength(1);
    expect(passages[0]).toMatch(/^(before ){8}<em>needle<\/em>, (after ){21,22}after$/);
  });

  it("include a word longer than a passage as a whole", () => {
    const long = "x".repeat(300);
    const { body } = highlight({ body: `a ${long} b` }, { query: long }) as { body: string[] };
    expect(body).toEqual([`<em>${long}</em>`]);
  });

  const piece = fc.oneof(
    fc.constantFrom("red", "Réd", "rad", "green", "reddish", "x".repeat(250), "京", "\u{1f600}"),
    fc.string({ unit: fc.constantFrom(..." ,<&\"'.\u{1f600}"), minLength: 1, maxLength: 250 }),
  );
  const texts = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(" "));

  it("contain every match, in slices of limited length", () => {
    fc.assert(
      fc.property(
        texts,
        fc.boolean(),
        fc.integer({ min: 0, max: 2 }),
        (body, encodeHTML, fuzziness) => {
          const request = { query: "red", fuzziness, highlight: { encodeHTML } };
          const given = highlight({ body }, request) as { body: string[] } | undefined;
          const isMatch = (word: string): boolean => distanceOf("RED", word) <= fuzziness;
          const matches = wordsOf(body).filter(isMatch);
          expect(given === undefined).toBe(matches.length === 0);
          if (given === undefined) return;
          const passages = given.body;
          expect(passages.length).toBeGreaterThan(0);
          expect(passages.length).toBeLessThanOrEqual(3);
          let from = 0;
          let shown = 0;
          for (const passage of passages) {
            const plain = decode(passage.replaceAll(/<\/?em>/g, ""), encodeHTML);
            const at = body.indexOf(plain, from);
            expect(at).toBeGreaterThanOrEqual(0);
            // Cuts are between words.
            expect([
              ...wordsOf(body.slice(0, at)),
              ...wordsOf(plain),
              ...wordsOf(body.slice(at + plain.length)),
            ]).toEqual(wordsOf(body));
            from = at + plain.length;
            expect([...plain].length <= 200 || wordsOf(plain).length === 1).toBe(true);
            const tagged = [...passage.matchAll(/<em>(.*?)<\/em>/g)].flatMap(([, word = ""]) =>
              wordsOf(word),
            );
            expect(tagged).toEqual(wordsOf(plain).filter(isMatch));
            expect(tagged.length).toBeGreaterThan(0);
            shown += tagged.length;
          }
          if (passages.length < 3) expect(shown).toBe(matches.length);
        },
      ),
      { seed, numRuns: Math.ceil(200 * runs) },
    );
  });
});

function decode(text: string, isEncoded: boolean): string {
  if (!isEncoded) return text;
  expect(text).not.toMatch(/[<>"']|&(?!amp;|lt;|gt;|quot;|#39;)/);
  return text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");
}
