import type { AnyRecord, RecordMetadata } from "../../src/types.js";
import { branch, same } from "./fixture.js";

// A cycle of four tables, so that paths are endless.
const { cities, countries, mayors, parties } = branch.createTables({
  cities: [
    { name: "name", type: "string" },
    { name: "people", type: "int" },
    { name: "country", type: "link", link: { table: "countries" } },
    { name: "twin", type: "link", link: { table: "cities" } },
  ],
  countries: [
    { name: "name", type: "string" },
    { name: "founded", type: "datetime" },
    { name: "mayor", type: "link", link: { table: "mayors" } },
  ],
  mayors: [
    { name: "name", type: "string" },
    { name: "age", type: "int" },
    {
      name: "office",
      type: "object",
      columns: [
        { name: "since", type: "datetime" },
        { name: "party", type: "link", link: { table: "parties" } },
      ],
    },
  ],
  parties: [
    { name: "name", type: "string" },
    { name: "seats", type: "int" },
    { name: "colours", type: "multiple" },
    { name: "profile", type: "json" },
    { name: "seat", type: "link", link: { table: "cities" } },
  ],
});
countries.insert({ name: "A", mayor: "rec_1" });
parties.insert({ name: "A", seat: { id: "rec_1" } });

// P-5: one to four links.
const [one] = cities.query({ columns: ["country.name"] }).records;
same<
  typeof one,
  | {
      id: string;
      country?: { id: string; name?: string; service?: RecordMetadata };
      service: RecordMetadata;
    }
  | undefined
>();
const [three] = cities.query({
  columns: ["country.mayor.office.party.seats", "country.mayor.age", "country.founded"],
}).records;
same<
  typeof three,
  | {
      id: string;
      country?: {
        id: string;
        founded?: string;
        mayor?: {
          id: string;
          age?: number;
          office?: { party?: { id: string; seats?: number; service?: RecordMetadata } };
          service?: RecordMetadata;
        };
        service?: RecordMetadata;
      };
      service: RecordMetadata;
    }
  | undefined
>();
const [four] = cities.query({ columns: ["country.mayor.office.party.seat.people"] }).records;
same<number | undefined, NonNullable<typeof four>["country"] extends infer C ? PeopleOf<C> : 0>();
type PeopleOf<C> = C extends {
  mayor?: { office?: { party?: { seat?: { people?: infer N } } } };
}
  ? N | undefined
  : 0;
const [star] = cities.query({ columns: ["twin.twin.country.*"] }).records;
same<
  NonNullable<typeof star>["twin"],
  | {
      id: string;
      twin?: {
        id: string;
        country?: {
          id: string;
          name?: string;
          founded?: string;
          mayor?: { id: string };
          service?: RecordMetadata;
        };
        service?: RecordMetadata;
      };
      service?: RecordMetadata;
    }
  | undefined
>();
// @ts-expect-error
cities.query({ columns: ["country.nope"] });
// @ts-expect-error
cities.query({ columns: ["country.mayor.office.party.seat.nope"] });
// @ts-expect-error
cities.query({ columns: ["country.mayor.party"] });
// @ts-expect-error
cities.query({ columns: ["country.mayor.office.party.seats.*"] });
// @ts-expect-error
cities.query({ columns: ["country.mayor.office.party.profile->a"] });

// F-6: dotted keys through one to four links.
cities.count({ "country.name": "A", "country.founded": { $lt: new Date() } });
cities.count({ "country.mayor.age": { $gt: 50 }, "country.mayor.name": { $contains: "A" } });
cities.count({ "country.mayor.office.party.colours": { $includes: "red" } });
cities.count({ "country.mayor.office.party.seats": [1, 2], "country.mayor.office": null });
cities.count({ "country.mayor.office.party.profile->a->b": { $gt: 5 } });
cities.count({ "country.mayor.office.party.seat.people": { $ge: 5 } });
cities.count({ "twin.twin.twin.twin.twin.name": "A", "country.mayor.id": { $startsWith: "rec" } });
cities.count({ "country.mayor.office.party.service.version": { $gt: 0 } });
// @ts-expect-error
cities.count({ "country.nope": "A" });
// @ts-expect-error
cities.count({ "country.mayor.office.party.seat.people": { $ge: "5" } });

// F-2: the same inside control operators, at any level.
cities.count({ $any: [{ "country.mayor.age": 5 }, { $not: { "country.mayor.name": "A" } }] });
// @ts-expect-error
cities.count({ $any: [{ "country.mayor.age": "5" }] });

// F-6: nested, and nested mixed with dotted.
cities.count({ country: { mayor: { office: { party: { seats: { $gt: 5 } } } } } });
cities.count({ country: { "mayor.office.party.seats": 5, mayor: { "office.since": null } } });
cities.count({ "country.mayor": { "office.party": { seats: 5, id: "rec_1" } } });
// @ts-expect-error
cities.count({ country: { mayor: { office: { party: { seats: { $gt: "5" } } } } } });
// @ts-expect-error
cities.count({ country: { mayor: { office: { party: { nope: 5 } } } } });
// @ts-expect-error
cities.count({ country: { "mayor.office.party.seats": "5" } });
// @ts-expect-error
cities.count({ "country.mayor": { "office.party": { seats: "5" } } });
// @ts-expect-error
cities.count({ country: { "country.name": "A" } });

// F-7, F-8: under a link, ids, relative filters and operators.
cities.count({ country: "rec_1", twin: ["rec_1", null, { name: "A" }] });
cities.count({ country: { $is: "rec_1" }, twin: { $isNot: { id: "rec_1" } } });
cities.count({ country: { $any: ["rec_1", { name: "A", "mayor.age": 5 }, { $isNot: null }] } });
cities.count({ country: { $not: { mayor: { $none: [{ age: 5 }] } } } });
cities.count({ country: { mayor: { $exists: "office.party.seat.country" } } });
// @ts-expect-error
cities.count({ country: 5 });
// @ts-expect-error
cities.count({ country: { $is: 5 } });
// @ts-expect-error
cities.count({ country: { $is: { name: "A" } } });
// @ts-expect-error
cities.count({ country: { $any: [{ "mayor.age": "5" }] } });
// @ts-expect-error
cities.count({ country: { $not: { mayor: { $none: [{ age: "5" }] } } } });
// @ts-expect-error
cities.count({ country: { mayor: { $exists: "office.party.nope" } } });
// @ts-expect-error
cities.count({ country: { $is: "rec_1", name: "A" } });

// F-4: `$exists` through links.
cities.count({ $exists: "country.mayor.office.party.seat", $notExists: ["twin.twin.twin"] });
// @ts-expect-error
cities.count({ $exists: "country.mayor.office.party.nope" });

// S-2: sorting through links.
cities.query({ sort: { "country.name": "asc", "country.mayor.office.party.seats": "desc" } });
cities.query({ sort: ["country.mayor.office.party.seat.people", { "twin.twin.twin.id": "asc" }] });
// @ts-expect-error
cities.query({ sort: { "country.mayor.office.party.nope": "asc" } });
// @ts-expect-error
cities.query({ sort: { "country.mayor.office.party.colours": "asc" } });

// P-11: through objects too.
const held = parties.query({
  columns: [{ name: "<-mayors.office.party", as: "mayors", columns: ["age"] }],
}).records[0]!.mayors;
same<typeof held.records, { id: string; age?: number; service: RecordMetadata }[]>();

// T-17: a table created alone knows its own columns, not those of other targets.
const people = branch.createTable("people", [
  { name: "name", type: "string" },
  { name: "boss", type: "link", link: { table: "people" } },
  { name: "city", type: "link", link: { table: "cities" } },
]);
people.count({ "boss.boss.name": { $contains: "A" }, city: { name: "A", deep: { er: 1 } } });
people.count({ "city.name": 5, "city.any.thing": { $nope: 1 }, $exists: "city.any.thing" });
const [person] = people.query({ columns: ["boss.boss.name", "city.any.thing"] }).records;
same<NonNullable<typeof person>["city"], AnyRecord | undefined>();
// @ts-expect-error
people.count({ "boss.boss.nope": "A" });
// @ts-expect-error
people.count({ city: 5 });
mayors.get("rec_1");

// Filters under links are checked at any depth, with dotted paths and arrays.
cities.count({ country: { mayor: { office: { "party.name": "A" } } } });
cities.count({ country: [{ mayor: [{ office: { "party.name": ["A"], since: null } }] }] });
cities.count({ $not: [{ $not: { country: { mayor: { "office.party.seats": 5 } } } }] });
// @ts-expect-error
cities.count({ country: { mayor: { office: { "party.nope": "A" } } } });
// @ts-expect-error
cities.count({ $not: { $not: { country: { mayor: { "office.party.seats": "5" } } } } });
