import { desc, op, table } from "arquero";
import { PAGE } from "../workloads.mjs";

/** Aggregates only. */
export const adapter = {
  memory: "heap",
  notes: { W8: "arrays of columns" },
  create() {
    let users;
    const rowsOf = (result) => result.objects().map(Object.values);
    const measure = (some) =>
      rowsOf(some.rollup({ s: op.sum("rating"), a: op.average("rating"), m: op.max("rating") }));
    const groups = (key, size, ...order) => {
      const measures = { s: op.sum("number"), n: op.count() };
      return rowsOf(
        users
          .groupby(key)
          .rollup(measures)
          .orderby(...order)
          .slice(0, size),
      );
    };
    const counts = (key, order) => rowsOf(users.groupby(key).count().orderby(order));
    const single = (measures) => rowsOf(users.rollup(measures));
    return {
      load(_teams, batches) {
        const columns = {};
        for (const batch of batches) {
          for (const { address, rating = Number.NaN, ...rest } of batch) {
            for (const [name, value] of Object.entries({ ...rest, rating, ...address })) {
              columns[name] ??= [];
              columns[name].push(value);
            }
          }
        }
        for (const name of ["zipcode", "number"]) columns[name] = Int32Array.from(columns[name]);
        columns.rating = Float64Array.from(columns.rating);
        users = table(columns);
      },
      count: () => users.numRows(),
      get(id) {
        const { street, number, rating, ...rest } = users.object(users.array("id").indexOf(id));
        return {
          ...rest,
          rating: Number.isNaN(rating) ? null : rating,
          address: { street, number },
        };
      },
      run: {
        W12: () => measure(users),
        W12f: ({ zipFrom }) =>
          measure(users.params({ zipFrom }).filter((user, $) => user.zipcode >= $.zipFrom)),
        W13: () => groups("plan", PAGE, "plan"),
        W13t: () => groups("team", 200, "team"),
        W14: () => groups("zipcode", PAGE, desc("s"), "zipcode"),
        W15: () => counts({ month: (user) => op.substring(user.created, 0, 7) }, "month"),
        W15t: () => counts("plan", desc("count")),
        W16: () => single({ n: op.distinct("zipcode") }),
        W16p: () => single({ a: op.quantile("rating", 0.5), b: op.quantile("rating", 0.95) }),
      },
    };
  },
};
