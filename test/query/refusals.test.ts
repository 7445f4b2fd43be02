import { beforeAll, describe, expect, it } from "vitest";
import { defineColumns } from "../columns.js";
import { openBranch, refusalOf, type UntypedTable } from "../rules/fixture.js";
import { expectMessage, readCases } from "./refused.js";

/** One case of each message; the tests of the rules hold code, rule and path of others. */
describe("errors name the member, the expected and the found value", () => {
  let users: UntypedTable;
  /** Cursors by their placeholders below. */
  const cursors = new Map<string, string>();

  beforeAll(() => {
    const branch = openBranch();
    branch.createTable("teams", defineColumns({ name: "string", boss: "-> users" }));
    users = branch.createTable("users", [
      ...defineColumns({
        name: "string",
        age: "int",
        size: "float",
        born: "datetime",
        on: "bool",
        labels: "multiple",
        data: "json",
        pic: "file",
        team: "-> teams",
        address: { zip: "int", geo: { lat: "float" } },
      }),
      { name: "vec", type: "vector", vector: { dimension: 2 } },
    ]);
    users.load([{ id: "a", name: "x" }, { id: "b", name: "x" }, { id: "c" }]);
    const keep = (name: string, query: object): void => {
      cursors.set(name, users.query({ ...query, page: { size: 1 } }).meta.page.cursor);
    };
    keep("$c", {});
    keep("$c2", { sort: ["name"] });
    keep("$c3", { filter: { name: "x" } });
    keep("$r1", { sort: ["*"] });
    keep("$r2", { sort: ["*"] });
  });

  /** Queries with a request in JSON, its placeholders replaced by cursors. */
  const queryFor = (text: string) => () =>
    users.query(JSON.parse(text, (_, value) => cursors.get(value) ?? value));

  it.each(
    readCases(`
    5
      invalid_request E-3: expected an object, found 5
    []
      invalid_request E-3: expected an object, found an array of 0
    { "filtr": {} }
      invalid_request E-3 /filtr: unknown key "filtr"; did you mean filter?
    { "nothing": 1 }
      invalid_request E-3 /nothing: unknown key "nothing"
    { "consistency": "weak" }
      invalid_request E-3 /consistency: consistency: expected strong or eventual, found "weak"
    { "page": 5 }
      invalid_page G-1 /page: expected an object, found 5
    { "page": { "size": 0 } }
      invalid_page G-1 /page/size: page size: expected a whole number from 1 up, found 0
    { "page": { "offset": -1 } }
      invalid_page G-1 /page/offset: page offset: expected a whole number from 0 up, found -1
    { "page": { "after": 5 } }
      invalid_cursor G-13 /page/after: page.after: expected a cursor, found 5
    { "page": { "start": "$c", "after": "$c" } }
      invalid_page G-8 /page/after: page.start cannot be combined with page.after
    { "page": { "end": "end" } }
      invalid_cursor G-7 /page/end: page.end: only after and before take "end"
    { "page": { "after": "end", "before": "$c" } }
      invalid_page G-7 /page/before: page.after: "end" cannot be combined with page.before
    { "filter": {}, "page": { "after": "$c" } }
      invalid_page G-7 /filter: filter: not allowed with page.after: the cursor contains its own
    { "sort": [], "page": { "before": "$c" } }
      invalid_page G-7 /sort: sort: not allowed with page.before: the cursor contains its own
    { "page": { "after": "nope" } }
      invalid_cursor G-13 /page/after: the cursor is damaged
    { "page": { "after": "$c", "before": "$c2" } }
      invalid_page G-9 /page/before: the cursors of a range must agree: their sorts differ
    { "page": { "after": "$c", "before": "$c3" } }
      invalid_page G-9 /page/before: the cursors of a range must agree: their filters differ
    { "page": { "after": "$r1", "before": "$r2" } }
      invalid_page G-9 /page/before: the cursors of a range must agree: their random orders differ
    { "page": { "after": "$c", "before": "$c" } }
      invalid_page G-9 /page/before: the cursors of a range must agree: after must come before before
    { "page": { "after": "end" }, "sort": ["*"] }
      invalid_page S-4 /page/after: a random order has no end to page from
    `),
  )("requests and pages: %s", (request, refusal) => {
    expectMessage(queryFor(request), refusal);
  });

  it.each(
    readCases(`
    { "columns": "name" }
      invalid_request P-2 /columns: columns: expected an array, found "name"
    { "columns": [5] }
      invalid_request P-2 /columns/0: columns: expected a column path, found 5
    { "columns": ["nam"] }
      unknown_column P-9 /columns/0: column [nam] does not exist; did you mean name?
    { "columns": ["zzz"] }
      unknown_column P-9 /columns/0: column [zzz] does not exist
    { "columns": ["team.nme"] }
      unknown_column P-9 /columns/0: column [team.nme] does not exist; did you mean team.name?
    { "columns": ["address.zipp"] }
      unknown_column P-9 /columns/0: column [address.zipp] does not exist; did you mean address.zip?
    { "columns": ["team.boss.agee"] }
      unknown_column P-9 /columns/0: column [team.boss.agee] does not exist; did you mean team.boss.age?
    { "columns": ["team.boss.team.boss.team.boss.team.boss.team.boss.team.boss.team.boss.team.boss.team.boss.name"] }
      invalid_request L-5 /columns/0: column [team.boss.team.boss.team.boss.team.boss.team.boss.team.boss.team.boss.team.boss.team]: a path follows at most 16 links
    { "columns": [{ "name": "x" }] }
      invalid_request P-11 /columns/0/name: columns: expected "<-table.link", found "x"
    { "columns": [{ "name": "<-teams.bos" }] }
      unknown_column P-11 /columns/0/name: column [<-teams.bos] does not exist: no such link to this table
    { "columns": [{ "name": "<-teams.boss", "nope": 1 }] }
      invalid_request P-11 /columns/0/nope: columns: unknown key "nope" in a reverse link
    { "columns": [{ "name": "<-teams.boss", "as": "" }] }
      invalid_request P-11 /columns/0/as: columns: expected a name, found ""
    { "columns": [{ "name": "<-teams.boss", "as": "name" }] }
      invalid_request P-11 /columns/0/as: columns: the name "name" is taken
    { "columns": [{ "name": "<-teams.boss", "limit": 0 }] }
      invalid_request P-11 /columns/0/limit: expected a whole number from 1 to 200, found 0
    { "columns": [{ "name": "<-teams.boss", "offset": -1 }] }
      invalid_request P-11 /columns/0/offset: expected a whole number from 0 to 800, found -1
    { "columns": [{ "name": "<-teams.boss", "columns": [{ "name": "<-users.team" }] }] }
      invalid_request P-11 /columns/0/columns/0/name: columns: a reverse link cannot contain another one
    `),
  )("columns: %s", (request, refusal) => {
    expectMessage(queryFor(request), refusal);
  });

  it.each(
    readCases(String.raw`
    5
      invalid_filter F-1 /filter: expected a filter object, found 5
    { "$al": {} }
      invalid_filter F-1 /filter/$al: "$al" is not an operator; did you mean $all?
    { "$gt": 5 }
      invalid_filter F-1 /filter/$gt: "$gt" is not an operator here; use it under a column
    { "$zzzz": 1 }
      invalid_filter F-1 /filter/$zzzz: "$zzzz" is not an operator
    { "$all": 5 }
      invalid_filter F-2 /filter/$all: expected a filter object or an array of them, found 5
    { "address.zip": { "$exists": "x" } }
      invalid_filter F-1 /filter/address.zip/$exists: "$exists" is not an operator here; write {"$exists": column}
    { "$exists": 5 }
      invalid_filter F-4 /filter/$exists: expected a column path, found 5
    { "age": { "$regex": 5 } }
      invalid_filter F-1 /filter/age/$regex: "$regex" is not an operator; did you mean $pattern?
    { "age": { "$nor": [] } }
      invalid_filter F-1 /filter/age/$nor: "$nor" is not an operator; did you mean $none?
    { "age": { "$like": "" } }
      invalid_filter F-1 /filter/age/$like: "$like" is not an operator; did you mean $pattern?
    { "age": { "$contain": "x" } }
      invalid_filter F-1 /filter/age/$contain: "$contain" is not an operator; did you mean $contains?
    { "age": "5" }
      invalid_filter F-16 /filter/age: column [age]: expected int (a whole number within ±(2^53 − 1)), found "5"
    { "size": "1" }
      invalid_filter F-16 /filter/size: column [size]: expected float (a finite number), found "1"
    { "born": "x" }
      invalid_filter F-16 /filter/born: column [born]: expected datetime (an RFC 3339 date-time with an offset), found "x"
    { "on": 1 }
      invalid_filter F-16 /filter/on: column [on]: expected bool (true or false), found 1
    { "name": 5 }
      invalid_filter F-16 /filter/name: column [name]: expected string (a string), found 5
    { "id": 5 }
      invalid_filter F-16 /filter/id: column [id]: expected id (a string), found 5
    { "labels": 5 }
      invalid_filter F-16 /filter/labels: column [labels]: expected multiple (an array of strings without lone surrogates), found 5
    { "team": 5 }
      invalid_filter F-16 /filter/team: column [team]: expected link (the id of a record, or an object with that id), found 5
    { "vec": [1, 2] }
      invalid_filter F-18 /filter/vec: column [vec]: $is cannot be used with type vector
    { "vec": { "$not": [1, 2] } }
      invalid_filter F-18 /filter/vec/$not: column [vec]: $not cannot be used with type vector
    { "vec": { "$none": [[1, 2]] } }
      invalid_filter F-18 /filter/vec/$none: column [vec]: $none cannot be used with type vector
    { "age": { "$any": [5, {}] } }
      invalid_filter F-2 /filter/age/$any/1: expected a condition, found an empty object
    { "labels": { "$includes": {} } }
      invalid_filter F-16 /filter/labels/$includes: column [labels]: expected item (a string), found an object
    { "name": { "$contains": 5 } }
      invalid_filter F-10 /filter/name/$contains: column [name]: expected a string, found 5
    { "name": { "$pattern": "a\\" } }
      invalid_filter F-11 /filter/name/$pattern: column [name]: the pattern ends with a lone backslash
    { "age": { "$contains": "a" } }
      invalid_filter F-18 /filter/age/$contains: column [age]: $contains cannot be used with type int
    { "age": { "$gt": null } }
      invalid_filter F-15 /filter/age/$gt: column [age]: only $is and $isNot take null
    { "data->a": { "$gt": "x" } }
      invalid_filter F-12 /filter/data->a/$gt: column [data->a]: expected a number, found "x"
    { "labels": { "$includes": 5 } }
      invalid_filter F-16 /filter/labels/$includes: column [labels]: expected item (a string), found 5
    { "name": { "$is": "a", "x": 5 } }
      invalid_filter F-7 /filter/name: column [name]: operators and names cannot be mixed in one object
    { "address": 5 }
      invalid_filter F-8 /filter/address: column [address]: expected object, found 5
    { "address": { "$is": { "geo": { "lng": 5 } } } }
      unknown_column F-16 /filter/address/$is/geo/lng: column [address.geo.lng] does not exist
    { "address": { "$is": { "zip": "5" } } }
      invalid_filter F-16 /filter/address/$is/zip: column [address.zip]: expected int (a whole number within ±(2^53 − 1)), found "5"
    `),
  )("filters: %s", (filter, refusal) => {
    expectMessage(queryFor(`{ "filter": ${filter} }`), refusal);
  });

  it.each(
    readCases(`
    { "sort": 5 }
      invalid_sort S-1 /sort: expected an object or an array, such as ["age"] or { "age": "desc" }, found 5
    { "sort": [5] }
      invalid_sort S-1 /sort/0: expected an object or a column name, found 5
    { "sort": { "name": "up" } }
      invalid_sort S-2 /sort/name: sort [name]: expected asc or desc, found "up"
    { "sort": { "*": "asc" } }
      invalid_sort S-4 /sort/*: the random order is {"*": "random"}, found "asc" for "*"
    { "sort": { "name": "random" } }
      invalid_sort S-4 /sort/name: the random order is {"*": "random"}, found "random" for "name"
    { "sort": [{ "*": "random" }, "name"] }
      invalid_sort S-4 /sort/1: no sort key may follow the random order
    { "sort": ["labels"] }
      invalid_sort S-2 /sort/0: sort [labels]: a column of type multiple has no order
    `),
  )("sorts: %s", (request, refusal) => {
    expectMessage(queryFor(request), refusal);
  });

  it("for limits and invalid JSON", () => {
    const many = <T>(count: number, member: T): T[] => Array.from({ length: count }, () => member);
    const deep = Array.from({ length: 33 }).reduce((inner) => ({ $not: inner }), { age: 1 });
    for (const [request, refusal] of [
      [
        { columns: many(1001, "name") },
        "invalid_request L-4 /columns: columns: at most 1000 entries, found 1001",
      ],
      [
        { filter: deep },
        `invalid_request L-3 /filter${"/$not".repeat(32)}: a filter has at most 32 levels`,
      ],
      [
        { filter: { $all: many(1001, { age: 1 }) } },
        "invalid_request L-3 /filter/$all/1000/age: a filter has at most 1000 predicates",
      ],
      [
        { filter: { age: { $any: many(100_001, 1) } } },
        "invalid_request L-3 /filter/age/$any: a list in a filter has at most 100000 members",
      ],
      [
        { filter: { data: { $is: () => 5 } } },
        "invalid_filter F-16 /filter/data/$is: column [data]: expected json (a JSON value), found a function",
      ],
    ] as const) {
      expectMessage(() => users.query(request), refusal);
    }
    expect(refusalOf(() => users.scan({ page: { size: 5 } })).message).toBe("a scan has no pages");
  });
});
