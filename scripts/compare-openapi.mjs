// Lists what OpenAPI descriptions of the service have and ours lacks: operations, parameters, members, statuses.
// node scripts/compare-openapi.mjs <core-openapi.json> <workspace-openapi.json>   (of xataio/xata-go)
import { readFileSync } from "node:fs";
import { createFetch } from "../dist/http.js";
import { createEngine } from "../dist/index.js";

const METHODS = ["get", "put", "post", "patch", "delete"];
const JSON_TYPE = "application/json";
/** Filters and aggregations are recursive. */
const MAX_DEPTH = 5;
const files = process.argv.slice(2);
if (files.length === 0) {
  console.error("usage: node scripts/compare-openapi.mjs <description.json> …");
  process.exit(2);
}
const fetch = createFetch(createEngine({ profile: "xata" }));
const ours = readOperations(await (await fetch("http://localhost/openapi.json")).json());
const theirs = new Map(
  files.flatMap((file) => [...readOperations(JSON.parse(readFileSync(file, "utf8")))]),
);
let compared = 0;
let unbuilt = 0;
const lacking = [];
for (const [key, operation] of theirs) {
  const own = ours.get(key);
  if (own === undefined) {
    lacking.push(`${operation.id}: operation ${key}`);
    continue;
  }
  if (![...own.statuses].some((status) => status.startsWith("2"))) {
    unbuilt++;
    continue;
  }
  compared++;
  for (const kind of ["parameters", "request", "answer", "statuses"]) {
    const known = own[kind];
    for (const name of operation[kind]) {
      if (!known.has(name) && !isOpen(known, name))
        lacking.push(`${operation.id}: ${kind} ${name}`);
    }
  }
}
for (const line of lacking) console.log(line);
const counts = `${compared} operations compared, ${unbuilt} answer 501`;
console.log(`${counts}, ${lacking.length} differences`);

/** Operations by method and path, whose parameters have no names. */
function readOperations(description) {
  const found = new Map();
  for (const [path, item] of Object.entries(description.paths)) {
    for (const method of METHODS) {
      const operation = item[method];
      if (operation === undefined) continue;
      const key = `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, "{}")}`;
      found.set(key, readOperation(description, operation, item.parameters));
    }
  }
  return found;
}

function readOperation(description, operation, shared = []) {
  const follow = (part) => followIn(description, part);
  const parameters = [...shared, ...(operation.parameters ?? [])].map(follow);
  const answers = Object.entries(operation.responses).filter(([status]) => status !== "default");
  const request = new Set();
  const answer = new Set();
  addMembers(follow, contentOf(follow(operation.requestBody ?? {})), "", request);
  for (const [status, response] of answers) {
    if (!status.startsWith("2")) continue;
    addMembers(follow, contentOf(follow(response)), "", answer);
    for (const header of Object.keys(follow(response).headers ?? {}))
      answer.add(`header ${header.toLowerCase()}`);
  }
  return {
    id: operation.operationId,
    parameters: new Set(
      parameters.filter(({ in: where }) => where === "query").map(({ name }) => name),
    ),
    request,
    answer,
    statuses: new Set(answers.map(([status]) => status)),
  };
}

function followIn(description, part) {
  let found = part;
  while (found?.$ref !== undefined) {
    found = found.$ref
      .slice(2)
      .split("/")
      .reduce((at, name) => at[name], description);
  }
  return found;
}

function contentOf({ content = {} }) {
  return content[JSON_TYPE]?.schema ?? {};
}

/** Adds the paths of members; `*` for those of any name, `[]` for items. */
function addMembers(follow, part, at, found, seen = new Set()) {
  const place = `${part?.$ref} ${at}`;
  const isDeep = at.split(/[/[]/).length > MAX_DEPTH;
  if (isDeep || (part?.$ref !== undefined && seen.has(place))) return;
  seen.add(place);
  const { properties = {}, items, additionalProperties: more, ...schema } = follow(part) ?? {};
  const add = (inner, path) => addMembers(follow, inner, path, found, seen);
  for (const [given, member] of Object.entries(properties)) {
    const name = given === "fileMap" ? "file[]" : given; // the Go client's generator renames it
    found.add(`${at}/${name}`);
    add(member, `${at}/${name}`);
  }
  if (items !== undefined) add(items, `${at}[]`);
  const isChoice = schema.oneOf !== undefined || schema.anyOf !== undefined;
  const isEmpty = schema.type === "object" && !isChoice && Object.keys(properties).length === 0;
  if (more === true || typeof more === "object" || isEmpty) found.add(`${at}/*`);
  if (typeof more === "object") add(more, `${at}/*`);
  for (const key of ["allOf", "oneOf", "anyOf"]) for (const one of schema[key] ?? []) add(one, at);
}

/** Whether ours accepts members of any name there. */
function isOpen(known, path) {
  const names = path.split("/");
  return names.some((_, end) => end > 0 && known.has(`${names.slice(0, end).join("/")}/*`));
}
