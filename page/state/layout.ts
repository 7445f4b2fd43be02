import type { TableSchema } from "./catalog.js";
import { type Leaf, leavesOf } from "./columns.js";

export interface TableBox {
  readonly table: TableSchema;
  readonly leaves: readonly Leaf[];
  readonly x: number;
  readonly y: number;
  readonly height: number;
}

export interface LinkLine {
  readonly key: string;
  readonly from: string;
  readonly to: string;
  readonly path: string;
  /** An SVG path from the column to the table that it leads to. */
  readonly line: string;
}

export interface SchemaPicture {
  readonly boxes: readonly TableBox[];
  readonly lines: readonly LinkLine[];
  readonly width: number;
  readonly height: number;
}

export const BOX_WIDTH = 250;
const HEAD_HEIGHT = 36;
const LEAF_HEIGHT = 24;
const GAP_X = 110;
const GAP_Y = 32;
/** Tables without links are put in as many columns as this. */
const LOOSE_COLUMNS = 3;

/** Places tables so that links lead from left to right, as far as they go in no circle. */
export function layoutSchema(tables: readonly TableSchema[]): SchemaPicture {
  const leavesByTable = new Map(tables.map((table) => [table.name, leavesOf(table)]));
  const targets = (name: string): string[] =>
    (leavesByTable.get(name) ?? []).flatMap(({ link }) =>
      link !== undefined && link !== name && leavesByTable.has(link) ? [link] : [],
    );
  const linked = new Set(tables.flatMap(({ name }) => targets(name).flatMap((to) => [name, to])));
  const depths = depthsOf(
    tables.map(({ name }) => name),
    targets,
  );
  const most = Math.max(0, ...[...linked].map((name) => depths.get(name) ?? 0));
  const bottoms: number[] = [];
  const boxes: TableBox[] = [];
  const put = (table: TableSchema, column: number, top: number): void => {
    const leaves = leavesByTable.get(table.name) ?? [];
    const height = HEAD_HEIGHT + leaves.length * LEAF_HEIGHT + 8;
    const y = Math.max(bottoms[column] ?? 0, top);
    boxes.push({ table, leaves, x: column * (BOX_WIDTH + GAP_X), y, height });
    bottoms[column] = y + height + GAP_Y;
  };
  for (const table of tables) {
    if (linked.has(table.name)) put(table, most - (depths.get(table.name) ?? 0), 0);
  }
  const loose = tables.filter(({ name }) => !linked.has(name));
  const top = Math.max(0, ...bottoms.filter((bottom) => bottom !== undefined));
  const columns = Math.max(most + 1, LOOSE_COLUMNS);
  for (const [index, table] of loose.entries()) put(table, index % columns, top);
  return {
    boxes,
    lines: boxes.flatMap((box) => linesOf(box, boxes)),
    width: Math.max(BOX_WIDTH, ...boxes.map(({ x }) => x + BOX_WIDTH)) + 40,
    height: Math.max(0, ...boxes.map(({ y, height }) => y + height)) + 8,
  };
}

/** How many links lead on from a table, one after the other, at most; circles count once. */
function depthsOf(
  names: readonly string[],
  targets: (name: string) => readonly string[],
): ReadonlyMap<string, number> {
  const depths = new Map<string, number>();
  const visit = (name: string, way: ReadonlySet<string>): number => {
    const known = depths.get(name);
    if (known !== undefined) return known;
    const next = targets(name).filter((to) => !way.has(to));
    const depth = next.reduce((most, to) => Math.max(most, 1 + visit(to, new Set(way).add(to))), 0);
    depths.set(name, depth);
    return depth;
  };
  for (const name of names) visit(name, new Set([name]));
  return depths;
}

function linesOf(box: TableBox, boxes: readonly TableBox[]): LinkLine[] {
  return box.leaves.flatMap(({ path, link }, index) => {
    const target = boxes.find(({ table }) => table.name === link);
    if (target === undefined) return [];
    const y1 = box.y + HEAD_HEIGHT + (index + 0.5) * LEAF_HEIGHT;
    const y2 = target.y + HEAD_HEIGHT / 2;
    const isRight = target.x > box.x;
    const x1 = box.x + BOX_WIDTH;
    const x2 = isRight ? target.x : target.x + BOX_WIDTH;
    const bend = isRight ? Math.max(40, (x2 - x1) / 2) : 36;
    const end = isRight ? x2 - bend : x2 + bend;
    const line = `M${x1},${y1} C${x1 + bend},${y1} ${end},${y2} ${x2},${y2}`;
    return [
      { key: `${box.table.name} ${path}`, from: box.table.name, to: target.table.name, path, line },
    ];
  });
}
