// The interface of a measured engine.

/** @typedef {import("../data.mjs").User} User */
/** @typedef {import("../data.mjs").Team} Team */
/** @typedef {import("../workloads.mjs").Constants} Constants */

/**
 * One engine with its rows. Every call may answer with a promise.
 *
 * @typedef {object} Instance
 * @property {(teams: Team[], batches: Iterable<User[]>) => unknown} load takes in all rows
 * @property {() => unknown} [index] builds what its documentation would advise for the workloads
 * @property {() => unknown} count users in the table
 * @property {(id: string) => unknown} get a user, or null
 * @property {Readonly<Record<string, (constants: any, visit: Visit) => unknown>>} run by workload
 * @property {(change: Constants) => unknown} [branch] makes a branch and updates one user there
 * @property {(id: string) => unknown} [remove] deletes one user
 * @property {() => void} [touch] leaves a table value that no query has seen, with equal rows
 * @property {() => unknown} close
 */

/**
 * Takes a page of a walk.
 *
 * @typedef {(page: readonly any[]) => void} Visit
 */

/**
 * A copy of the table with one change.
 *
 * @typedef {object} BranchHandle
 * @property {(id: string) => unknown} get
 * @property {() => unknown} count
 * @property {() => unknown} drop
 */

/**
 * @typedef {object} Adapter
 * @property {"heap" | "process"} memory where its rows are: on the JavaScript heap, or outside
 * @property {Readonly<Record<string, string>>} [unsupported] why it cannot do a workload
 * @property {Readonly<Record<string, string>>} [notes] what to know of a workload's figure
 * @property {() => Instance | Promise<Instance>} create an engine without rows
 */

export {};
