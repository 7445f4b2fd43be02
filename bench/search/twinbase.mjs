import { createEngine } from "../../dist/index.js";
import { searchTable } from "../../dist/search.js";
import { PAGE } from "./contract.mjs";

export const adapter = {
  isFuzzy: true,
  load(texts) {
    const table = makeTable(texts);
    const settings = { highlight: { enabled: false } };
    searchTable(table, { query: "any", ...settings }); // reads all words
    const ask = (query, fuzziness, more = {}) =>
      searchTable(table, {
        query,
        fuzziness: fuzziness,
        ...settings,
        ...more,
      });
    /** The ids of all matches among the texts of these numbers: a page has at most 200. */
    const idsIn = (query, fuzziness, [from, to]) => {
      const page = { size: 200 };
      const filter = { number: { $ge: from, $lt: to } };
      const { totalCount, records } = ask(query, fuzziness, { page, filter });
      if (totalCount <= records.length) return records.map(({ id }) => id);
      const middle = (from + to) >> 1;

      const ids = [];
      ids.push(...idsIn(query, fuzziness, [from, middle]));
      ids.push(...idsIn(query, fuzziness, [middle, to]));
      return ids;
    };
    return {
      search(query, distance) {
        const { totalCount, records } = ask(query, distance, { page: { size: PAGE } });
        return { count: totalCount, records };
      },
      all: (query, distance) => idsIn(query, distance, [0, texts.length]),
      write: ({ id, text }) => table.update(id, { text }),
      highlight: (query) => searchTable(table, { query, fuzziness: 0, page: { size: PAGE } }),
    };
  },
};

function makeTable(texts) {
  const engine = createEngine({ now: 0, seed: 1 });
  const table = engine
    .createWorkspace("bench")
    .createDatabase("bench")
    .branch("main")
    .createTable("texts", [
      { name: "text", type: "text" },
      { name: "number", type: "int" },
    ]);
  table.insert(texts.map(({ id, text }, number) => ({ id, text, number })));
  return table;
}
