import { Graph, layout } from "@dagrejs/dagre";
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
  /** An SVG path from the column to the table that it links to. */
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
const GAP_X = 90;
const GAP_Y = 28;
const MARGIN = 12;

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Lays out tables with links from left to right; unlinked tables come below. */
export function layoutSchema(tables: readonly TableSchema[]): SchemaPicture {
  const leavesByTable = new Map(tables.map((table) => [table.name, leavesOf(table)]));
  const heightOf = (name: string): number =>
    HEAD_HEIGHT + (leavesByTable.get(name)?.length ?? 0) * LEAF_HEIGHT + 8;
  const links = tables.flatMap(({ name }) =>
    (leavesByTable.get(name) ?? []).flatMap(({ path, link }, index) =>
      link !== undefined && leavesByTable.has(link) ? [{ from: name, to: link, path, index }] : [],
    ),
  );
  const linked = new Set(links.flatMap(({ from, to }) => [from, to]));
  const graph = new Graph({ multigraph: true });
  graph.setGraph({
    rankdir: "LR",
    nodesep: GAP_Y,
    ranksep: GAP_X,
    marginx: MARGIN,
    marginy: MARGIN,
  });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const name of linked) graph.setNode(name, { width: BOX_WIDTH, height: heightOf(name) });
  for (const { from, to, path } of links) if (from !== to) graph.setEdge(from, to, {}, path);
  if (linked.size > 0) layout(graph);
  const placed = tables
    .filter(({ name }) => linked.has(name))
    .map((table): TableBox => {
      const { x = 0, y = 0 } = graph.node(table.name) as Partial<Point>;
      const height = heightOf(table.name);
      const leaves = leavesByTable.get(table.name) ?? [];
      return { table, leaves, height, x: x - BOX_WIDTH / 2, y: y - height / 2 };
    });
  const boxes = [...placed, ...placeLoose(tables, linked, placed, leavesByTable)];
  const byName = new Map(boxes.map((box) => [box.table.name, box]));
  return {
    boxes,
    lines: links.map(({ from, to, path, index }) => {
      const edge = from === to ? undefined : (graph.edge(from, to, path) as { points?: Point[] });
      const line = lineOf(byName.get(from)!, index, byName.get(to)!, edge?.points ?? []);
      return { key: `${from} ${path}`, from, to, line };
    }),
    width: Math.max(BOX_WIDTH, ...boxes.map(({ x }) => x + BOX_WIDTH)) + MARGIN,
    height: Math.max(0, ...boxes.map(({ y, height }) => y + height)) + MARGIN,
  };
}

/** Rows of unlinked tables, as wide as the diagram above. */
function placeLoose(
  tables: readonly TableSchema[],
  linked: ReadonlySet<string>,
  above: readonly TableBox[],
  leavesByTable: ReadonlyMap<string, readonly Leaf[]>,
): TableBox[] {
  const width = Math.max(...above.map(({ x }) => x + BOX_WIDTH), 3 * (BOX_WIDTH + GAP_Y));
  const columns = Math.max(1, Math.floor(width / (BOX_WIDTH + GAP_Y)));
  const top = Math.max(MARGIN, ...above.map(({ y, height }) => y + height + GAP_Y));
  const bottoms = Array.from({ length: columns }, () => top);
  return tables
    .filter(({ name }) => !linked.has(name))
    .map((table): TableBox => {
      const leaves = leavesByTable.get(table.name) ?? [];
      const height = HEAD_HEIGHT + leaves.length * LEAF_HEIGHT + 8;
      const column = bottoms.indexOf(Math.min(...bottoms));
      const y = bottoms[column]!;
      bottoms[column] = y + height + GAP_Y;
      return { table, leaves, height, x: MARGIN + column * (BOX_WIDTH + GAP_Y), y };
    });
}

/** A curve from a column to a table's header, through waypoints that avoid boxes. */
function lineOf(from: TableBox, index: number, to: TableBox, way: readonly Point[]): string {
  const y = from.y + HEAD_HEIGHT + (index + 0.5) * LEAF_HEIGHT;
  const end = to.y + HEAD_HEIGHT / 2;
  const right = from.x + BOX_WIDTH;
  if (to.x <= from.x) {
    // Backward and self links go around the right side.
    const out = Math.max(right, to.x + BOX_WIDTH) + 32;
    return `M${right},${y} C${out},${y} ${out},${end} ${to.x + BOX_WIDTH},${end}`;
  }
  // Neighbours need no waypoints.
  const between = way.length > 3 ? way.slice(1, -1) : [];
  const points = [{ x: right, y }, ...between, { x: to.x, y: end }];
  const curves = points.slice(1).map((point, i) => {
    const before = points[i]!;
    const bend = (point.x - before.x) / 2;
    return `C${before.x + bend},${before.y} ${point.x - bend},${point.y} ${point.x},${point.y}`;
  });
  return `M${right},${y} ${curves.join(" ")}`;
}
