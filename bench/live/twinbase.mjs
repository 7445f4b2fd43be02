import { liveQuery } from "../../dist/live.js";
import { createInstance } from "../engines/twinbase.mjs";

const SORT = { created: "desc" };

export function open(teams, batches, size) {
  const instance = createInstance();
  instance.load(teams, batches);
  const { users } = instance;
  const watch = (filter) => {
    const live = liveQuery(users, { filter, sort: SORT, page: { size } }, () => {});
    return { ids: () => live.records.map(({ id }) => id), close: () => live.close() };
  };
  return {
    insert: (user) => users.insert(user, { columns: [] }),
    update: (id, changes) => users.update(id, changes, { columns: [] }),
    page: () => watch(undefined),
    ofTeam: (team) => watch({ team }),
  };
}
