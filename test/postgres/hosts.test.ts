import { expect, it } from "vitest";
import { withSettings } from "../../src/postgres/hosts.js";

const SETTINGS = encodeURIComponent("-c TimeZone=UTC -c DateStyle=ISO -c extra_float_digits=1");

it.each([
  ["postgres://a@b/c", `postgres://a@b/c?options=${SETTINGS}`],
  ["postgres://a@b/c?x=1", `postgres://a@b/c?x=1&options=${SETTINGS}`],
  ["postgres://a@b/c?options=", `postgres://a@b/c?options=%20${SETTINGS}`],
  ["postgres://s:s@b/c?options=s&x=1", `postgres://s:s@b/c?options=s%20${SETTINGS}&x=1`],
  ["postgres://b/c?x=1&options=$&$'", `postgres://b/c?x=1&options=$%20${SETTINGS}&$'`],
])("withSettings adds session settings to %s", (address, expected) => {
  expect(withSettings(address)).toBe(expected);
});
