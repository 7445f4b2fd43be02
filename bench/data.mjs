// The rows of every engine, generated in batches: the same for the same size.
import { createWords } from "../scripts/random.mjs";

export const SEED = 20_240_229;
export const TEAM_COUNT = 1000;

/** The plans, with the percentage of users. */
export const PLANS = [
  { name: "free", share: 55 },
  { name: "pro", share: 25 },
  { name: "team", share: 12 },
  { name: "business", share: 6 },
  { name: "enterprise", share: 2 },
];

export const LABELS = Array.from({ length: 50 }, (_, i) => `label-${String(i).padStart(2, "0")}`);

export const ZIPCODES = { from: 10_000, to: 99_999 };

/** The range of `created` in seconds since the epoch: 2019-01-01 to 2024-01-01. */
export const CREATED = { from: 1_546_300_800, to: 1_704_067_200 };

const FIRST_NAMES = (
  "Ada Amir Ana André Anna Aoife Bea Björn Bo Camille Carla Chen Chloé Clara Dana David Diego Dora " +
  "Elena Eli Emma Erik Eva Farah Felix Finn Gina Greta Hana Hugo Ida Ines Ivan Iza Jana Jonas José " +
  "Juan Julia Kai Karin Kofi Lara Lars Lea Leon Lina Luca Lucía Maja Marco Maria Marta Mei Mia Milo " +
  "Nadia Nils Nina Noa Noah Nora Olga Omar Oskar Pablo Paula Petra Quinn Rafael Rita Rosa Sami Sara " +
  "Selma Simon Sofia Sven Tara Theo Tom Uma Ute Vera Victor Wanda Wei Xenia Yara Yusuf Zoë Zora"
).split(" ");

/** Last names are three or four of these, so nearly all full names are unique. */
export const SYLLABLES = (
  "ba bel bor can cor dal den dor fal fen gar gol har hel jan kar kel kov lan lin lor mar men mol " +
  "nar nel nor pan per pol ral ren ros sal sen sol tal ten tor val ven vor wal wen win yor zal zel"
).split(" ");

const STREETS = "Oak Main Park Hill Lake Mill River Station Church School Garden Bridge".split(" ");

/** Returns a generator of numbers in [0, 1). */
export function createRandom(seed) {
  const words = createWords(seed);
  return () => words() / 2 ** 32;
}

export function pick(random, members) {
  return members[Math.floor(random() * members.length)];
}

export function makeTeams() {
  return Array.from({ length: TEAM_COUNT }, (_, i) => ({
    id: userId(-TEAM_COUNT + i),
    name: teamName(i),
  }));
}

export function teamName(index) {
  return `Team ${String(index).padStart(4, "0")}`;
}

/** Yields users in the order of their ids. Copied through JSON, so strings share no memory. */
export function* makeUserBatches(rows, batchSize = 10_000) {
  const teams = makeTeams();
  const random = createRandom(SEED);
  for (let from = 0; from < rows; from += batchSize) {
    const to = Math.min(rows, from + batchSize);
    const batch = [];
    for (let i = from; i < to; i++) batch.push(makeUser(i, random, teams));
    yield JSON.parse(JSON.stringify(batch));
  }
}

/** Generates a user; ids ascend with the index. A tenth of the users has no rating. */
export function makeUser(index, random, teams) {
  const first = pick(random, FIRST_NAMES);
  const last = makeLastName(random);
  const rated = random() >= 0.1;
  const rating = Math.round(random() * 50) / 10;
  return {
    id: userId(index),
    full_name: `${first} ${last}`,
    email: `${last.toLowerCase()}.${index.toString(36)}@example.com`,
    plan: makePlan(random() * 100),
    zipcode: ZIPCODES.from + Math.floor(random() * (ZIPCODES.to - ZIPCODES.from + 1)),
    ...(rated ? { rating } : {}),
    created: formatSeconds(CREATED.from + Math.floor(random() * (CREATED.to - CREATED.from))),
    labels: makeLabels(random),
    team: pick(random, teams).id,
    address: {
      street: `${pick(random, STREETS)} Street`,
      number: 1 + Math.floor(random() * 300),
    },
  };
}

/** `rec_` and 20 characters of `0-9a-v`: twelve that ascend with the index, eight random. */
export function userId(index) {
  const place = (index + 33_554_432).toString(32).padStart(12, "0");
  const tail = Math.floor(createRandom(SEED ^ Math.imul(index, 2_654_435_761))() * 32 ** 8);
  return `rec_${place}${tail.toString(32).padStart(8, "0")}`;
}

export function formatSeconds(seconds) {
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`;
}

/** The share of users whose full name begins with this letter. */
export function initialShare(letter) {
  return FIRST_NAMES.filter((name) => name.startsWith(letter)).length / FIRST_NAMES.length;
}

export const INITIALS = [...new Set(FIRST_NAMES.map((name) => name.charAt(0)))];

function makeLastName(random) {
  const count = random() < 0.5 ? 3 : 4;
  let last = "";
  for (let i = 0; i < count; i++) last += pick(random, SYLLABLES);
  return last.charAt(0).toUpperCase() + last.slice(1);
}

function makePlan(percent) {
  let left = percent;
  for (const { name, share } of PLANS) {
    left -= share;
    if (left < 0) return name;
  }
  return "free";
}

function makeLabels(random) {
  const count = Math.floor(random() * 5);

  const labels = [];
  while (labels.length < count) {
    const label = pick(random, LABELS);
    if (!labels.includes(label)) labels.push(label);
  }
  return labels;
}
