import { describe, refuse } from "../../errors.js";
import { findNothing } from "../address.js";
import { unchecked } from "../fields.js";
import { ANY_OBJECT, arrayOf, objectOf, TEXT, WHOLE } from "../openapi/schema.js";
import { type Parameter, readWhole, refuseParameter } from "../parameters.js";
import { defineRoute, type Route } from "../route.js";
import { type ControlState, clearFaults, dropFaults } from "./controlled.js";
import { hasText, journalLine } from "./journal-line.js";

const FAULT = "/_twinbase/faults/{fault_id}";
const FAULT_ADDED = objectOf({ id: TEXT, strikes: WHOLE, rule: ANY_OBJECT });
const GONE = objectOf({ faults: WHOLE, strikes: WHOLE });
const ENTRIES = objectOf({ entries: arrayOf(ANY_OBJECT) });
const FROM: Parameter<number> = {
  description: "The index of the first entry wanted: for those that came since the last look.",
  schema: { type: "integer", minimum: 0 },
  required: false,
  read: readWhole,
};
const BODIES: Parameter<boolean> = {
  description:
    "`false` gives, in place of the bodies, `brief` (the filter, the id) and `reason` (of an error).",
  schema: { type: "boolean" },
  required: false,
  read: (values, name) => {
    const [value] = values;
    if (values.length === 1 && (value === "true" || value === "false")) return value === "true";
    return refuseParameter(name, "true or false", value);
  },
};
const CONTAINS: Parameter<string> = {
  description: "Only calls whose path or bodies contain this text, in any case.",
  schema: { type: "string" },
  required: false,
  read: ([value = ""]) => value,
};
const COMMON = { plane: "control", touches: "catalog", find: findNothing } as const;

/** What goes wrong on purpose, and what was asked. */
export function createCallRoutes(state: ControlState): readonly Route[] {
  const { faults, journal, added, gone } = state;
  let made = 0;
  return [
    defineRoute({
      ...COMMON,
      method: "GET",
      path: "/_twinbase/faults",
      operation: "getFaults",
      summary:
        "The faults that were added here, with their rules, and how often each has struck. Of those that can strike no more the last 100 are listed, the others counted.",
      answers: { 200: objectOf({ faults: arrayOf(FAULT_ADDED), gone: GONE }, ["faults"]) },
      handle: () => {
        const all = Array.from(added, ([id, { fault, rule }]) => {
          return { id, strikes: fault.strikes, rule };
        });
        return { status: 200, body: { faults: all, ...(gone.faults > 0 && { gone }) } };
      },
    }),
    defineRoute({
      ...COMMON,
      method: "POST",
      path: "/_twinbase/faults",
      operation: "addFault",
      summary: 'Adds a fault: a rule as createFaults has it, with "times": "always" for no end.',
      body: ANY_OBJECT,
      answers: { 201: objectOf({ id: TEXT }) },
      handle: (_, { body }) => {
        const times = body.times === "always" ? { times: Number.POSITIVE_INFINITY } : {};
        const fault = faults.add(unchecked({ ...body, ...times }));
        const id = String(++made);
        added.set(id, { fault, rule: body });
        dropFaults(state);
        return { status: 201, body: { id } };
      },
    }),
    defineRoute({
      ...COMMON,
      method: "DELETE",
      path: "/_twinbase/faults",
      operation: "clearFaults",
      summary: "Ends all faults.",
      answers: { 204: null },
      handle: () => {
        clearFaults(state);
        return { status: 204 };
      },
    }),
    defineRoute({
      ...COMMON,
      method: "DELETE",
      path: FAULT,
      operation: "removeFault",
      summary: "Ends one fault.",
      answers: { 204: null },
      handle: (_, { names }) => {
        const id = names.fault_id!;
        const known = added.get(id);
        if (known === undefined)
          refuse("route_not_found", `fault [${id}] not found`, { rule: "E-3" });
        known.fault.remove();
        added.delete(id);
        return { status: 204 };
      },
    }),
    defineRoute({
      ...COMMON,
      method: "GET",
      path: "/_twinbase/journal",
      operation: "getJournal",
      summary: "The calls that were answered, oldest first; those to this control are no part.",
      parameters: { from: FROM, bodies: BODIES, text: CONTAINS },
      answers: { 200: ENTRIES },
      handle: (_, { parameters: { from = 0, bodies = true, text = "" } }) => {
        const entries = journal
          .entries()
          .filter((entry) => entry.index >= from && (text === "" || hasText(entry, text)));
        return { status: 200, body: { entries: bodies ? entries : entries.map(journalLine) } };
      },
    }),
    defineRoute({
      ...COMMON,
      method: "GET",
      path: "/_twinbase/journal/{index}",
      operation: "getJournalEntry",
      summary: "One call that was answered.",
      answers: { 200: ANY_OBJECT },
      handle: (_, { names }) => {
        const wanted = names.index!;
        const entry = journal.entries().find(({ index }) => String(index) === wanted);
        return entry === undefined
          ? refuse("route_not_found", `entry ${describe(wanted)} not found`, { rule: "E-3" })
          : { status: 200, body: entry };
      },
    }),
    defineRoute({
      ...COMMON,
      method: "POST",
      path: "/_twinbase/journal/find",
      operation: "findInJournal",
      summary: "The calls that have all of what is given, as a journal's entries are asked for.",
      body: ANY_OBJECT,
      answers: { 200: ENTRIES },
      handle: (_, { body }) => ({ status: 200, body: { entries: journal.entries(body) } }),
    }),
    defineRoute({
      ...COMMON,
      method: "DELETE",
      path: "/_twinbase/journal",
      operation: "clearJournal",
      summary: "Forgets all calls.",
      answers: { 204: null },
      handle: () => {
        journal.clear();
        return { status: 204 };
      },
    }),
  ];
}
