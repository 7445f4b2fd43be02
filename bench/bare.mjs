// The rows in arrays and a Map, and the loops that nobody who gives the same answers can go without:
// what the engine's calls are held against in `limits.mjs`. It checks what it takes, as any store of
// these columns has to, and gives fresh records; there is no request, no plan, no history.

/** @typedef {import("./data.mjs").User} User */

const CHUNK = 4096;
const ID = /^[A-Za-z0-9_\-~:]{1,255}$/;
const EMAIL = /^[^\s@]+@[^\s@]+$/;

/** A chunk of 4,096 rows, each column an array. */
function makeChunk() {
  const texts = () => /** @type {string[]} */ ([]);
  const numbers = () => new Float64Array(CHUNK);
  return {
    ids: texts(),
    names: texts(),
    emails: texts(),
    plans: texts(),
    created: texts(),
    teams: texts(),
    streets: texts(),
    labels: /** @type {string[][]} */ ([]),
    zipcodes: numbers(),
    ratings: numbers(),
    instants: numbers(),
    houses: numbers(),
    versions: new Int32Array(CHUNK),
    made: numbers(),
    changed: numbers(),
  };
}

export class BareUsers {
  /** @type {ReturnType<typeof makeChunk>[]} */
  chunks = [];
  /** @type {Map<string, number>} */
  rows = new Map();

  /** @param {Iterable<User>} users */
  load(users) {
    for (const user of users) this.insert(user);
  }

  /** @param {User} user */
  insert(user) {
    const row = this.rows.size;
    const at = row % CHUNK;
    if (at === 0) this.chunks.push(makeChunk());
    const chunk = /** @type {ReturnType<typeof makeChunk>} */ (this.chunks[(row / CHUNK) | 0]);
    const { id, full_name, email, plan, zipcode, rating, created, labels, team, address } = user;
    check(typeof id === "string" && ID.test(id) && !this.rows.has(id));
    check(isText(full_name) && isText(email) && EMAIL.test(email) && isText(plan));
    check(Number.isSafeInteger(zipcode) && (rating === undefined || Number.isFinite(rating)));
    check(isText(created) && isText(team) && Array.isArray(labels) && labels.every(isText));
    check(isText(address.street) && Number.isSafeInteger(address.number));
    const instant = Date.parse(created);
    check(!Number.isNaN(instant));
    this.rows.set(id, row);
    chunk.ids.push(id);
    chunk.names.push(full_name);
    chunk.emails.push(email);
    chunk.plans.push(plan);
    chunk.created.push(created);
    chunk.teams.push(team);
    chunk.streets.push(address.street);
    chunk.labels.push(labels.slice());
    chunk.zipcodes[at] = zipcode;
    chunk.ratings[at] = rating ?? Number.NaN;
    chunk.instants[at] = instant;
    chunk.houses[at] = address.number;
    chunk.made[at] = chunk.changed[at] = 0;
  }

  /** @param {string} id @param {{ zipcode: number, rating: number }} changes */
  update(id, { zipcode, rating }) {
    const row = this.rows.get(id);
    check(row !== undefined && Number.isSafeInteger(zipcode) && Number.isFinite(rating));
    const chunk = /** @type {ReturnType<typeof makeChunk>} */ (
      this.chunks[(Number(row) / CHUNK) | 0]
    );
    const at = Number(row) % CHUNK;
    chunk.zipcodes[at] = zipcode;
    chunk.ratings[at] = rating;
    chunk.versions[at]++;
    chunk.changed[at] = 0;
  }

  /** @param {string} id */
  get(id) {
    const row = this.rows.get(id);
    return row === undefined ? null : this.record(row);
  }

  /** @param {number} row */
  record(row) {
    const chunk = /** @type {ReturnType<typeof makeChunk>} */ (this.chunks[(row / CHUNK) | 0]);
    const at = row % CHUNK;
    /** @type {Record<string, unknown>} */
    const record = {
      id: chunk.ids[at],
      full_name: chunk.names[at],
      email: chunk.emails[at],
      plan: chunk.plans[at],
      zipcode: chunk.zipcodes[at],
      created: chunk.created[at],
      labels: /** @type {string[]} */ (chunk.labels[at]).slice(),
      team: { id: chunk.teams[at] },
      address: { street: chunk.streets[at], number: chunk.houses[at] },
      service: {
        version: chunk.versions[at],
        createdAt: formatTime(Number(chunk.made[at])),
        updatedAt: formatTime(Number(chunk.changed[at])),
      },
    };
    const rating = chunk.ratings[at];
    if (!Number.isNaN(rating)) record.rating = rating;
    return record;
  }

  /** The rows by `created`, then id, as an index of that order would hold them. */
  orderByCreated() {
    const { chunks } = this;
    const instantOf = (/** @type {number} */ row) =>
      Number(chunks[(row / CHUNK) | 0]?.instants[row % CHUNK]);
    // Rows were loaded in the order of their ids.
    return Int32Array.from({ length: this.rows.size }, (_, row) => row).sort(
      (a, b) => instantOf(a) - instantOf(b) || a - b,
    );
  }

  /** Pages of records of an order. @param {Int32Array} order @param {(page: object[]) => void} visit */
  walk(order, visit, size = 200) {
    for (let from = 0; from < order.length; from += size) {
      const page = [];
      for (let i = from; i < from + size && i < order.length; i++) {
        page.push(this.record(/** @type {number} */ (order[i])));
      }
      visit(page);
    }
  }

  /** The names of each chunk as one text, for `indexOf`. */
  joinNames() {
    return this.chunks.map(({ names }) => names.join("\0"));
  }
}

/** @param {readonly string[]} joined @param {string} text */
export function countPlaces(joined, text) {
  let count = 0;
  for (const names of joined) {
    for (let at = names.indexOf(text); at >= 0; at = names.indexOf(text, at + 1)) count++;
  }
  return count;
}

/** Nearly all rows share their time with the row before. */
let lastTime = Number.NaN;
let lastText = "";

/** @param {number} ms */
function formatTime(ms) {
  if (ms !== lastTime) {
    lastTime = ms;
    lastText = new Date(ms).toISOString().replace(".000Z", "Z");
  }
  return lastText;
}

/** @param {unknown} value */
function isText(value) {
  return typeof value === "string" && value.length <= 204_800 && value.isWellFormed();
}

/** @param {boolean} isGood */
function check(isGood) {
  if (!isGood) throw new Error("refused");
}
