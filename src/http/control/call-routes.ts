import { describe, refuse } from "../../errors.js";
import * as s from "../../shape/schema.js";
import { sizeOf } from "../../value/size.js";
import type { FaultRule } from "../faults.js";
import type { JournalPattern } from "../journal.js";
import { defineRoute, type Routes } from "../route.js";
import { type ControlState, clearFaults, dropFaults } from "./controlled.js";
import { hasText, journalLine } from "./journal-line.js";

const FAULTS = "/_twinbase/faults";
const JOURNAL = "/_twinbase/journal";

const FAULT_ADDED = s.objectOf({ id: s.TEXT, strikes: s.INTEGER, rule: s.ANY_OBJECT });
/** The least that a fault is charged: each call is compared with all of them. */
const FAULT_BYTES = 16 * 1024;

const GONE = s.objectOf({ faults: s.INTEGER, strikes: s.INTEGER });
const ENTRIES = s.objectOf({ entries: s.arrayOf(s.ANY_OBJECT) });
export function createCallRoutes(state: ControlState): Routes {
  const { faults, journal, added, gone, memory } = state;
  let made = 0;
  return {
    getFaults: defineRoute({
      at: `GET ${FAULTS}`,
      summary:
        "Faults with their rules and strikes; only the last 100 spent faults, and the number of older ones.",
      answers: { 200: s.objectOf({ faults: s.arrayOf(FAULT_ADDED) }, { gone: GONE }) },
      act: () => {
        const list = Array.from(added, ([id, { fault, rule }]) => {
          return { id, strikes: fault.strikes, rule };
        });
        return { faults: list, ...(gone.faults > 0 && { gone }) };
      },
    }),
    addFault: defineRoute({
      at: `POST ${FAULTS}`,
      summary: 'Adds a fault, a rule as for createFaults; "times": "always" means without limit.',
      body: s.ANY_OBJECT,
      answers: { 201: s.objectOf({ id: s.TEXT }) },
      act: (_, { body }) => {
        const times = body.times === "always" ? { times: Number.POSITIVE_INFINITY } : {};
        const fault = faults.add({ ...body, ...times } as FaultRule); // validated by `add`
        const charge = memory.charge("faults");
        try {
          charge.set(FAULT_BYTES + sizeOf(body));
        } catch (error) {
          fault.remove();
          throw error;
        }
        const id = String(++made);
        added.set(id, { fault, rule: body, charge });
        dropFaults(state);
        return { id };
      },
    }),
    clearFaults: defineRoute({
      at: `DELETE ${FAULTS}`,
      summary: "Removes all faults.",
      answers: { 204: null },
      act: () => clearFaults(state),
    }),
    removeFault: defineRoute({
      at: `DELETE ${FAULTS}/{fault_id}`,
      summary: "Removes a fault.",
      answers: { 204: null },
      act: (_, { names: { fault_id: id } }) => {
        const entry = added.get(id);
        if (entry === undefined)
          refuse("route_not_found", `fault [${id}] not found`, { rule: "E-3" });
        entry.fault.remove();
        entry.charge.set(0);
        added.delete(id);
      },
    }),
    getJournal: defineRoute({
      at: `GET ${JOURNAL}`,
      summary: "Journal entries, oldest first.",
      parameters: s.objectOf(
        {},
        {
          from: s.wholeOf(0, undefined, "The index of the first entry to return."),
          bodies: {
            ...s.FLAG,
            description:
              "`false` replaces bodies by `brief` (the filter, the id, or the path of an error) and `reason` (of an error).",
          },
          text: {
            ...s.TEXT,
            description: "Only calls whose path or bodies contain this text, ignoring case.",
          },
        },
      ),
      answers: { 200: ENTRIES },
      act: (_, { parameters: { from = 0, bodies = true, text = "" } }) => {
        const entries = journal
          .entries()
          .filter((entry) => entry.index >= from && (text === "" || hasText(entry, text)));
        return { entries: bodies ? entries : entries.map(journalLine) };
      },
    }),
    getJournalEntry: defineRoute({
      at: `GET ${JOURNAL}/{index}`,
      summary: "A journal entry.",
      answers: { 200: s.ANY_OBJECT },
      act: (_, { names: { index: requestedIndex } }) =>
        journal.entries().find(({ index }) => String(index) === requestedIndex) ??
        refuse("route_not_found", `entry ${describe(requestedIndex)} not found`, { rule: "E-3" }),
    }),
    findInJournal: defineRoute({
      at: `POST ${JOURNAL}/find`,
      summary: "Journal entries that match all given members.",
      reads: true,
      body: s.anyObject<JournalPattern>(),
      answers: { 200: ENTRIES },
      act: (_, { body }) => ({ entries: journal.entries(body) }),
    }),
    clearJournal: defineRoute({
      at: `DELETE ${JOURNAL}`,
      summary: "Empties the journal.",
      answers: { 204: null },
      act: () => journal.clear(),
    }),
  };
}
