import { refuse } from "../../errors.js";
import { findNothing } from "../address.js";
import { unchecked } from "../fields.js";
import { ANY_OBJECT, arrayOf, objectOf, TEXT, WHOLE } from "../openapi/schema.js";
import { defineRoute, type Route } from "../route.js";
import type { ControlState } from "./controlled.js";

const FAULT = "/_twinbase/faults/{fault_id}";
const ENTRIES = objectOf({ entries: arrayOf(ANY_OBJECT) });
const COMMON = { plane: "control", touches: "catalog", find: findNothing } as const;

/** What goes wrong on purpose, and what was asked. */
export function createCallRoutes({ faults, journal, added }: ControlState): readonly Route[] {
  let made = 0;
  return [
    defineRoute({
      ...COMMON,
      method: "GET",
      path: "/_twinbase/faults",
      operation: "getFaults",
      summary: "The faults that were added here, and how often each has struck.",
      answers: { 200: objectOf({ faults: arrayOf(objectOf({ id: TEXT, strikes: WHOLE })) }) },
      handle: () => {
        const all = Array.from(added, ([id, { strikes }]) => ({ id, strikes }));
        return { status: 200, body: { faults: all } };
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
        added.set(id, fault);
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
        faults.clear();
        added.clear();
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
        const fault = added.get(id);
        if (fault === undefined)
          refuse("route_not_found", `fault [${id}] not found`, { rule: "E-3" });
        fault.remove();
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
      answers: { 200: ENTRIES },
      handle: () => ({ status: 200, body: { entries: journal.entries() } }),
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
