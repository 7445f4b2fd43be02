import type { SortOf } from "../../src/typed/sort.js";
import { type Users, users } from "./fixture.js";

// S-1: an object, an array of objects, bare names.
users.query({ sort: { email: "asc", age: "desc" } });
users.query({ sort: [{ email: "asc" }, "age", { rating: "desc" }] });
users.query({ sort: [] });
users.query({ sort: undefined });
users.scan({ sort: { age: "asc" } });
users.explain({ sort: ["age"] });
// @ts-expect-error
users.query({ sort: "age" });
// @ts-expect-error
users.query({ sort: { age: "up" } });
// @ts-expect-error
users.query({ sort: [{ age: 1 }] });

// S-2: sortable columns.
users.query({ sort: ["id", "active", "age", "rating", "email", "name", "bio", "born", "team"] });
users.query({ sort: { "service.version": "asc", "service.createdAt": "desc", country: "asc" } });
users.query({ sort: ["service.updatedAt", "address.zip", "address.place.latitude"] });
users.query({ sort: ["team.name", "team.id", "team.service.version", "team.office.city"] });
// @ts-expect-error
users.query({ sort: { labels: "asc" } });
// @ts-expect-error
users.query({ sort: { "settings->a": "asc" } });
// @ts-expect-error
users.query({ sort: { photo: "asc" } });
// @ts-expect-error
users.query({ sort: ["papers"] });
// @ts-expect-error
users.query({ sort: { address: "asc" } });
// @ts-expect-error
users.query({ sort: { "team.labels": "asc" } });

// P-9: unknown columns, bare, in objects, through objects and links.
// @ts-expect-error
users.query({ sort: { nope: "asc" } });
// @ts-expect-error
users.query({ sort: ["age", "address.nope"] });
// @ts-expect-error
users.query({ sort: { "address.id": "asc" } });
// @ts-expect-error
users.query({ sort: { "team.nope": "asc" } });
// @ts-expect-error
users.query({ sort: ["team.nope"] });
// @ts-expect-error
users.query({ sort: ["name.x"] });
// @ts-expect-error
users.scan({ sort: ["nope"] });
// @ts-expect-error
users.explain({ sort: { nope: "asc" } });

// S-4: random order goes with `*`, and `*` with nothing else.
users.query({ sort: { "*": "random" } });
users.query({ sort: [{ age: "asc" }, { "*": "random" }] });
// @ts-expect-error
users.query({ sort: { "*": "asc" } });
// @ts-expect-error
users.query({ sort: { age: "random" } });
// @ts-expect-error
users.query({ sort: ["*"] });

// T-17: columns behind a link to a table that is not known are not checked.
users.query({ sort: { "country.name": "asc" } });
users.query({ sort: ["country.anything.at.all"] });

// A sort can be declared apart from its call.
const near: SortOf<Users> = [{ "team.name": "asc" }, "team.size"];
const far: SortOf<Users, 2> = { "team.owner.name": "desc" };
users.query({ sort: near });
users.query({ sort: far });
// @ts-expect-error
export const wrong: SortOf<Users> = { "team.nope": "asc" };
