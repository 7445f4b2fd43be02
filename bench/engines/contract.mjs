// The interface of a measured engine.

/**
 * An engine with its rows. Every call may return a promise.
 *
 * @typedef {object} Instance
 * @property {(teams: Team[], batches: Iterable<User[]>) => void} load
 * @property {() => void} [index] builds the indexes that its documentation advises for the workloads
 * @property {() => number} count users in the table
 * @property {(id: string) => User | null} get
 * @property {Record<string, (constants: object, visit: (page: User[]) => void) => unknown>} run by workload
 * @property {(change: object) => Branch} branch creates a branch and updates one user there
 * @property {() => void} [touch] creates a new version of the table, with equal rows
 *
 * @typedef {object} Branch a copy of the table with one change
 * @property {(id: string) => User | null} get
 * @property {() => number} count
 * @property {() => void} drop
 *
 * @typedef {object} Adapter
 * @property {"heap" | "process"} memory where its rows are: on the JavaScript heap, or outside
 * @property {Record<string, string>} [notes] remarks on figures, by workload
 * @property {() => Instance} create an engine without rows
 */

export {};
