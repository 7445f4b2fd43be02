// Charts of the results, as SVG.

import { parse, View } from "vega";
import { compile } from "vega-lite";
import { WORKLOADS } from "./workloads.mjs";

const CONFIG = {
  background: "white",
  font: "sans-serif",
  view: { stroke: null },
  axis: { labelFontSize: 11, titleFontSize: 11, gridColor: "#e6e6e6", domainColor: "#999999" },
  legend: { labelFontSize: 11, titleFontSize: 11 },
  title: { fontSize: 13, anchor: "start", subtitleFontSize: 11, subtitleColor: "#555555" },
};

/** The engine has the strongest colour; its peers keep their colours from chart to chart. */
const COLOURS = {
  twinbase: "#d62728",
  plain: "#000000",
  lokijs: "#bcbd22",
  sqlite: "#1f77b4",
  duckdb: "#ff7f0e",
  pglite: "#2ca02c",
};

/** One line a workload, one mark an engine, on a logarithmic scale. */
export function drawWorkloads({ rows, figures }) {
  const values = figures
    .filter(({ ms }) => ms !== undefined)
    .map(({ workload, engine, ms }) => ({ work: nameWork(workload), engine, ms }));
  return draw({
    title: {
      text: `Milliseconds for one call at ${rows.toLocaleString("en")} rows`,
      subtitle: "Further left is faster; the scale is logarithmic.",
    },
    width: 560,
    height: { step: 26 },
    data: { values },
    encoding: {
      y: { field: "work", type: "nominal", sort: null, title: null, axis: { labelLimit: 300 } },
      x: {
        field: "ms",
        type: "quantitative",
        scale: { type: "log" },
        title: "milliseconds",
        axis: { format: "~g" },
      },
    },
    layer: [
      {
        transform: [{ filter: "datum.engine !== 'twinbase'" }],
        mark: { type: "point", filled: true, size: 55, opacity: 0.75 },
        encoding: { color: colourOf(values) },
      },
      {
        transform: [{ filter: "datum.engine === 'twinbase'" }],
        mark: { type: "point", filled: true, shape: "diamond", size: 130 },
        encoding: { color: colourOf(values) },
      },
    ],
  });
}

/** A small chart for each workload: time against rows, both logarithmic. */
export function drawCurves(results) {
  const values = results.flatMap(({ rows, figures }) =>
    figures
      .filter(({ ms }) => ms !== undefined)
      .map(({ workload, engine, ms }) => ({ work: nameWork(workload), engine, ms, rows })),
  );
  return draw({
    title: "How the time of one call grows with the table",
    data: { values },
    facet: {
      field: "work",
      type: "nominal",
      sort: [...new Set(values.map(({ work }) => work))],
      title: null,
      header: { labelLimit: 250 },
    },
    columns: 3,
    spec: {
      width: 220,
      height: 150,
      mark: { type: "line", point: true },
      encoding: {
        x: { field: "rows", type: "quantitative", scale: { type: "log" }, axis: { format: "~s" } },
        y: {
          field: "ms",
          type: "quantitative",
          scale: { type: "log" },
          title: "ms",
          axis: { format: "~g" },
        },
        color: { ...colourOf(values), legend: { orient: "top", title: null } },
        strokeWidth: {
          condition: { test: "datum.engine === 'twinbase'", value: 3 },
          value: 1.2,
        },
      },
    },
    resolve: { scale: { y: "independent" } },
  });
}

function colourOf(values) {
  const engines = Object.keys(COLOURS).filter((name) =>
    values.some(({ engine }) => engine === name),
  );
  return {
    field: "engine",
    type: "nominal",
    title: "engine",
    scale: {
      domain: engines,
      range: engines.map((name) => COLOURS[name]),
    },
  };
}

function nameWork(workload) {
  return `${workload} ${WORKLOADS.find(({ id }) => id === workload)?.title ?? ""}`;
}

async function draw(specification) {
  const { spec } = compile({ ...specification, config: CONFIG });
  const view = new View(parse(spec), { renderer: "none" });
  const svg = await view.toSVG();
  view.finalize();
  return `${svg}\n`;
}
