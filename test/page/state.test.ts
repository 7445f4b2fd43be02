import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { formatPlace, type Place, parsePlace } from "../../page/state/place.js";
import { parseJson, placeInText } from "../../page/state/pointer.js";
import { asCurl, asTypeScript } from "../../page/state/samples.js";
import { formatSort, parseSort, turnSort } from "../../page/state/sort.js";
import { showLines, showText } from "../../page/state/text.js";
import { labelOf, operatorsOf } from "../../page/state/values.js";

describe("a place in the URL", () => {
  const places: readonly Place[] = [
    { address: [], view: "databases", params: {} },
    { address: ["w", "d", "main"], view: "schema", params: {} },
    { address: ["w", "d", "main", "a/b ?#%"], view: "records", params: { filter: '{"a":"&=#"}' } },
    { address: ["w", "d", "main"], view: "journal", params: { entry: "3" } },
    { address: ["__proto__"], view: "databases", params: { constructor: "x" } },
  ];
  it.each(places)("is formatted and parsed: $address", (place) => {
    expect(parsePlace(formatPlace(place))).toEqual(place);
  });

  it("is parsed from invalid text too", () => {
    expect(parsePlace("#/%E0%A4%A/x?filter=%").address).toEqual(["%E0%A4%A", "x"]);
    expect(parsePlace("").view).toBe("databases");
  });
});

describe("an order in the URL", () => {
  it("is formatted and parsed", () => {
    const text = "name,population:desc,*:random";
    expect(formatSort(parseSort(text))).toBe(text);
  });

  it("cycles through ascending, descending and unsorted", () => {
    let sort = turnSort([], "a", false);
    expect(formatSort(sort)).toBe("a");
    sort = turnSort(turnSort(sort, "b", true), "a", true);
    expect(formatSort(sort)).toBe("a:desc,b");
    expect(formatSort(turnSort(sort, "a", true))).toBe("b");
    expect(formatSort(turnSort(sort, "c", false))).toBe("c");
  });
});

it("showText and showLines show invisible characters", () => {
  expect(showText("a\u0000\u202eb\u007f\u200b")).toBe("a␀[U+202E]b␡[U+200B]");
  expect(showLines("a\n\tb")).toBe("a\n␉b");
  expect(showText("שלום – ok")).toBe("שלום – ok");
});

it("a JSON error has line and column", () => {
  expect(parseJson('{\n  "a": oops\n}')).toMatchObject({ line: 2, column: 8 });
  expect(parseJson('{"a": [1]}')).toEqual({ value: { a: [1] } });
  expect(placeInText('{\n "a": {"b/c": [1, 2]}}', "/a/b~1c/1")).toEqual({ line: 2, column: 19 });
  expect(placeInText('{"a": 0, "b":\n {"a": 1}}', "/b/a", true)).toEqual({ line: 2, column: 3 });
  expect(placeInText('[{"a": 0}, 1]', "/1", true)).toEqual({ line: 1, column: 12 });
  expect(placeInText("{", "/a")).toBeUndefined();
});

it("each type has its operators and labels", () => {
  expect(operatorsOf("int").map(labelOf)).toEqual([
    ...["is", "is not", "is one of", "is none of", ">", "≥", "<", "≤"],
    ...["is not null", "is null"],
  ]);
  expect(operatorsOf("vector").map(labelOf)).toEqual(["is not null", "is null"]);
  expect(operatorsOf("string")).toEqual(expect.arrayContaining(["$iContains", "$pattern"]));
  expect(operatorsOf("multiple")).toEqual(expect.arrayContaining(["$includes", "$includesAll"]));
  expect(operatorsOf("json")).toEqual(["$is", "$isNot", "$exists", "$notExists"]);
  expect(labelOf("$unknown")).toBe("$unknown");
});

describe("a call in code", () => {
  const call = {
    method: "POST",
    path: "/db/d:main/tables/t/query",
    search: "",
    operation: "queryTable",
    workspace: "w",
    database: "d",
    branch: "main",
    table: "t",
    request: { filter: { name: "it's $HOME `x` \\ \n" } },
  };

  it("is quoted for a shell", () => {
    const curl = asCurl(call, "http://localhost:4000", false);
    const program = `curl() { printf '%s\\0' "$@"; }; ${curl}`;
    const { stdout } = spawnSync("sh", ["-c", program], { encoding: "utf8" });
    const given = stdout.split("\0");
    expect(given).toContain("http://localhost:4000/db/d:main/tables/t/query");
    expect(JSON.parse(given[given.indexOf("-d") + 1]!)).toEqual(call.request);
    expect(asCurl({ ...call, method: "DELETE", request: undefined }, "http://x", true)).toBe(
      `curl -s \\\n  -X DELETE \\\n  'http://x/db/d:main/tables/t/query' \\\n  -H "authorization: Bearer $KEY"`,
    );
  });

  it("uses the engine's handles, or fetch for other routes", () => {
    expect(asTypeScript(call, "http://x")).toBe(
      'const result = engine\n  .workspace("w")\n  .database("d")\n  .branch("main")\n  .table("t")\n' +
        '  .query({\n    "filter": {\n      "name": "it\'s $HOME `x` \\\\ \\n"\n    }\n  });',
    );
    const other = {
      ...call,
      operation: undefined,
      method: "GET",
      request: undefined,
      search: "a=1",
    };
    expect(asTypeScript(other, "http://x")).toBe(
      'const response = await fetch("http://x/db/d:main/tables/t/query?a=1");\n' +
        "const result = await response.json();",
    );
  });
});
