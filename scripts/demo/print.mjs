const WIDTH = 92;
const IN_COLOUR = process.stdout.isTTY === true && !process.env.NO_COLOR;

export function printHeading(text) {
  console.log(`\n${paint("1", text)}`);
}

export function printNote(text) {
  console.log(`  ${text}`);
}

export function printAnswer(text) {
  console.log(paint("2", `  → ${text}`));
}

export function printJson(value) {
  console.log(paint("36", indent(formatJson(value, WIDTH - 2))));
}

/** Prints the values at dotted paths of each record, numbers to the right. */
export function printTable(records, paths) {
  const rows = records.map((record) => paths.map((path) => valueAt(record, path)));
  const cells = rows.map((row) => row.map(formatCell));
  const widths = paths.map((path, at) =>
    Math.max(path.length, ...cells.map((row) => row[at].length)),
  );
  const isNumber = paths.map((_, at) => rows.some((row) => typeof row[at] === "number"));
  const line = (row) =>
    row
      .map((cell, at) => (isNumber[at] ? cell.padStart(widths[at]) : cell.padEnd(widths[at])))
      .join("  ")
      .trimEnd();
  console.log(paint("2", `    ${line(paths)}`));
  for (const row of cells) console.log(`    ${line(row)}`);
}

/** Passes records through and counts them on standard error while that is a terminal. */
export function* trackProgress(what, records) {
  const visible = process.stderr.isTTY === true;
  const begun = performance.now();
  let count = 0;
  for (const record of records) {
    yield record;
    count++;
    if (!visible || count % 5000 !== 0) continue;
    const rate = Math.round((count / (performance.now() - begun)) * 1000);
    process.stderr.write(`\r\x1b[K  ${what}: ${count} records, ${rate} a second`);
  }
  if (visible) process.stderr.write("\r\x1b[K");
}

/** JSON on one line where it fits into `width`, else with a line for each member. */
function formatJson(value, width) {
  const flat = formatFlat(value);
  if (flat.length <= width || typeof value !== "object" || value === null) return flat;
  const isArray = Array.isArray(value);
  const members = isArray
    ? value.map((member) => formatJson(member, width - 3))
    : Object.entries(value)
        .filter(([, member]) => member !== undefined)
        .map(([key, member]) => {
          const head = `${JSON.stringify(key)}: `;
          return head + formatJson(member, width - 3 - head.length);
        });
  const [open, close] = isArray ? "[]" : "{}";
  return `${open}\n${indent(members.join(",\n"))}\n${close}`;
}

function formatFlat(value) {
  if (Array.isArray(value)) return `[${value.map(formatFlat).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([key, member]) => `${JSON.stringify(key)}: ${formatFlat(member)}`);
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}

/** Text as it is, numbers with their thousands apart, nothing for null. */
export function formatCell(value) {
  if (value === undefined) return "";
  return typeof value === "number" ? value.toLocaleString("en") : String(value);
}

function valueAt(record, path) {
  return path.split(".").reduce((value, key) => value?.[key], record);
}

function indent(text) {
  return text.replaceAll(/^/gm, "  ");
}

function paint(style, text) {
  return IN_COLOUR ? `\x1b[${style}m${text}\x1b[0m` : text;
}
