// Not measured: holds the rows and answers by the plain loops of workloads.mjs.
import { WORKLOADS } from "../workloads.mjs";

/** @type {import("./contract.mjs").Adapter} */
export const adapter = {
  title: "reference",
  memory: "heap",
  create() {
    /** @type {import("../workloads.mjs").Rows} */
    const rows = { users: [], teams: [], usersById: new Map() };
    return {
      load(teams, batches) {
        rows.teams = teams;
        for (const batch of batches) {
          for (const user of batch) {
            rows.users.push(user);
            rows.usersById.set(user.id, user);
          }
        }
      },
      count: () => rows.users.length,
      get: (id) => rows.usersById.get(id) ?? null,
      run: Object.fromEntries(
        WORKLOADS.map(({ id, answer }) => [id, (constants) => answer(rows, constants)]),
      ),
      close() {},
    };
  },
};
