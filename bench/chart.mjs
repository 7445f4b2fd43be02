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

const LOGARITHMIC = { type: "quantitative", scale: { type: "log" } };
const OWN = "datum.engine === 'twinbase'";

/** Each engine has the same colour in every chart. */
const COLOURS = {
  twinbase: "#d62728",
  plain: "#000000",
  lokijs: "#bcbd22",
  sqlite: "#1f77b4",
  duckdb: "#ff7f0e",
  duckdb1: "#ffbb78",
  arquero: "#2ca02c",
};

/** A line for each workload, a mark for each engine, on a logarithmic scale. */
export function drawWorkloads({ rows, figures }) {
  const values = figures.map(({ workload, engine, ms }) => ({
    work: nameWork(workload),
    engine,
    ms,
  }));
  const ofOwn = (own, others) => ({ condition: { test: OWN, value: own }, value: others });
  return draw({
    title: {
      text: `Milliseconds for one call at ${rows.toLocaleString("en")} rows`,
      subtitle: "Further left is faster; the scale is logarithmic.",
    },
    width: 560,
    height: { step: 26 },
    data: { values },
    mark: { type: "point", filled: true, opacity: 0.8 },
    encoding: {
      y: { field: "work", type: "nominal", sort: null, title: null, axis: { labelLimit: 300 } },
      x: { ...LOGARITHMIC, field: "ms", title: "milliseconds", axis: { format: "~g" } },
      color: colourOf(values),
      shape: ofOwn("diamond", "circle"),
      size: ofOwn(130, 55),
    },
  });
}

/** Their peers are others: the page has them in a table. */
const AGGREGATES = /^W1[2-6]/;

/** A small chart for each workload but aggregates: time by number of rows, both logarithmic. */
export function drawCurves(results) {
  const values = results.flatMap(({ rows, figures }) =>
    figures
      .filter(({ workload }) => !AGGREGATES.test(workload))
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
        x: { ...LOGARITHMIC, field: "rows", axis: { format: "~s" } },
        y: { ...LOGARITHMIC, field: "ms", title: "ms", axis: { format: "~g" } },
        color: { ...colourOf(values), legend: { orient: "top", title: null } },
        strokeWidth: { condition: { test: OWN, value: 3 }, value: 1.2 },
      },
    },
    resolve: { scale: { y: "independent" } },
  });
}

function colourOf(values) {
  const engines = Object.keys(COLOURS).filter((name) =>
    values.some(({ engine }) => engine === name),
  );
  const scale = { domain: engines, range: engines.map((name) => COLOURS[name]) };
  return { field: "engine", type: "nominal", title: "engine", scale };
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
