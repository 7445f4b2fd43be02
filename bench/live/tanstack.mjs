import { BTreeIndex, createCollection, createLiveQueryCollection, eq } from "@tanstack/db";

/** Writes go through `sync`, as those of a server: the fastest way, without optimistic state. */
export async function open(_, batches, size) {
  let write;
  const users = createCollection({
    id: "users",
    getKey: ({ id }) => id,
    autoIndex: "eager",
    defaultIndexType: BTreeIndex,
    startSync: true,
    sync: {
      sync: ({ begin, write: put, commit, markReady }) => {
        begin();
        for (const batch of batches) for (const value of batch) put({ type: "insert", value });
        commit();
        markReady();
        write = (type, value) => {
          begin();
          put({ type, value });
          commit();
        };
      },
    },
  });
  await users.preload();
  const watch = async (filtered) => {
    const live = createLiveQueryCollection({
      startSync: true,
      query: (q) => {
        const from = filtered(q.from({ user: users }));
        return from.orderBy(({ user }) => user.created, "desc").limit(size);
      },
    });
    await live.preload();
    live.subscribeChanges(() => {});
    return { ids: () => [...live.values()].map(({ id }) => id), close: () => live.cleanup() };
  };
  return {
    insert: (user) => write("insert", user),
    update: (id, changes) => write("update", { ...users.get(id), ...changes }),
    page: () => watch((query) => query),
    ofTeam: (team) => watch((query) => query.where(({ user }) => eq(user.team, team))),
  };
}
