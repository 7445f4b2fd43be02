// Draws the pictures of docs/how-it-works.md into docs/images: node scripts/draw.mjs
import { writeFileSync } from "node:fs";

const WIDTH = 720;
const INK = "#1f2937";
const COLOURS = { plain: "#f3f4f6", shared: "#dbeafe", own: "#fee2e2", step: "#ecfdf5" };

save("storage", "A branch shares the chunks of another", 300, [
  label(20, 30, "Branch main"),
  label(20, 190, "Branch feature, after one write"),
  box(20, 45, 130, 44, "table, version 7"),
  box(20, 205, 130, 44, "table, version 8"),
  ...[0, 1, 2].flatMap((chunk) => {
    const x = 240 + chunk * 160;
    return [
      box(x, 45, 140, 60, `chunk ${chunk + 1}\n4,096 rows`, "shared"),
      arrow(150, 67, x, 75),
      chunk < 2 ? arrow(150, 227, x, 105) : arrow(150, 227, x, 227),
    ];
  }),
  box(560, 205, 140, 60, "chunk 3, copied\nits columns", "own"),
  label(
    240,
    290,
    "Blue is shared by both branches; red was copied by the write, and is the branch's own.",
  ),
]);

save("chunk", "A chunk holds a vector for each column", 250, [
  label(20, 30, "One chunk: a vector for each column, row n of each is record n"),
  ...[
    ["population", "float64", "1982097", "291072", "204846"],
    ["country", "code", "0", "0", "0"],
    ["name", "text", "Wien", "Graz", "Linz"],
    ["labels", "lists", "[0, 3]", "[]", "[1]"],
  ].flatMap(([name, kind, ...cells], column) => {
    const x = 20 + column * 175;
    return [
      box(x, 45, 155, 44, `${name}\n${kind}`, "shared"),
      ...cells.map((cell, row) => box(x, 94 + row * 32, 155, 28, cell)),
    ];
  }),
  label(
    20,
    215,
    "Texts that come again are numbers (codes) into a dictionary; a bitmap says which cells are null.",
  ),
  label(
    20,
    237,
    "A filter makes a bitmap of 4,096 bits for each chunk; conditions are combined 32 rows at a time.",
  ),
]);

save("query", "Five steps from a request to a page", 270, [
  ...[
    ["bind", "names, types,\noperators;\nall refusals"],
    ["plan", "by id, by an index,\nor a scan;\nplain data"],
    ["fetch", "bitmaps, then\norder: which rows,\nin which order"],
    ["project", "rows into objects,\nor into JSON text"],
    ["page", "what is given,\nthe cursor,\nis there more"],
  ].flatMap(([name, text], step) => {
    const x = 12 + step * 142;
    return [
      box(x, 60, 120, 36, name, "step"),
      box(x, 100, 120, 70, text),
      ...(step < 4 ? [arrow(x + 120, 78, x + 142, 78)] : []),
    ];
  }),
  label(12, 40, "A query as JSON goes in at the left, a page of records comes out at the right."),
  box(154, 205, 120, 50, "what there is:\nindexes, counts"),
  arrow(214, 205, 214, 170),
  box(296, 205, 404, 50, "one immutable version of the table: writes meanwhile make others"),
  arrow(356, 205, 356, 170),
  arrow(498, 205, 498, 170),
]);

/** Writes one picture. */
function save(name, title, height, parts) {
  const svg = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" font-family="sans-serif" font-size="13">`,
    `<title>${title}</title>`,
    `<defs><marker id="head" markerWidth="8" markerHeight="8" refX="7" refY="4" orient="auto"><path d="M0 0 8 4 0 8z" fill="${INK}"/></marker></defs>`,
    `<rect width="${WIDTH}" height="${height}" fill="white"/>`,
    ...parts,
    "</svg>\n",
  ].join("\n");
  writeFileSync(new URL(`../docs/images/${name}.svg`, import.meta.url), svg);
}

function box(x, y, width, height, text, kind = "plain") {
  const lines = text.split("\n");
  const first = y + height / 2 - (lines.length - 1) * 8 + 5;
  return [
    `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="5" fill="${COLOURS[kind]}" stroke="${INK}"/>`,
    ...lines.map((line, at) => write(x + width / 2, first + at * 16, line, "middle")),
  ].join("\n");
}

function arrow(fromX, fromY, toX, toY) {
  return `<line x1="${fromX}" y1="${fromY}" x2="${toX}" y2="${toY}" stroke="${INK}" marker-end="url(#head)"/>`;
}

function label(x, y, text) {
  return write(x, y, text, "start");
}

function write(x, y, text, anchor) {
  return `<text x="${x}" y="${y}" text-anchor="${anchor}" fill="${INK}">${text}</text>`;
}
