/** @module-tag slow */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { formatHtml } from "../../../src/conformance/report/html.js";
import type { ConformanceReport } from "../../../src/conformance/report/report.js";
import { runConformance } from "../../../src/conformance/runner/run.js";
import { type BrowserPage, findBrowser, openPage } from "./browser.js";
import { PLANTED_BUGS } from "./planted-bugs.js";
import { vectorCase } from "./vector-case.js";
import { createTarget } from "./wrap.js";

const browser = findBrowser();
const title =
  browser === undefined ? "in a browser (skipped: none found, install chromium)" : "in a browser";

describe.skipIf(browser === undefined)(`the report as a page, ${title}`, () => {
  const home = mkdtempSync(join(tmpdir(), "conformance-report-"));
  let report: ConformanceReport;
  let page: BrowserPage;

  beforeAll(async () => {
    const bug = PLANTED_BUGS.find(({ name }) => name === "null is least");
    report = await runConformance(createTarget(bug?.wrap), {
      only: ["S", "F-11"],
      skip: ["law:features-equal-the-oracle"],
      runs: 15,
    });
    const file = join(home, "report.html");
    writeFileSync(file, formatHtml(report));
    page = await openPage(browser ?? "", pathToFileURL(file).href);
  }, 60_000);
  afterAll(async () => {
    await page?.close();
    rmSync(home, { recursive: true, force: true });
  }, 30_000);

  it("shows a headline and a matrix of all rules", async () => {
    expect(await page.evaluate("document.querySelector('h1').innerText")).toBe(
      "The service diverges",
    );
    const seen = await page.evaluate<string[]>(`
      [...document.querySelectorAll("#matrix .matrix > *")]
        .filter((cell) => cell.checkVisibility() && cell.getBoundingClientRect().width > 20)
        .map((cell) => cell.innerText + " " + cell.className)
    `);
    expect(seen).toEqual(report.rules.map(({ id, verdict }) => `${id} ${verdict}`));
    expect(seen).toContain("S-3 diverges");
    expect(seen).toContain("F-11 conforms");
    expect(seen).toContain("N-1 uncovered");
  });

  it("colours divergent and uncovered rules", async () => {
    const colour = (verdict: string): Promise<string> =>
      page.evaluate(
        `getComputedStyle(document.querySelector("#matrix .${verdict}")).backgroundColor`,
      );
    const colours = await Promise.all(["diverges", "conforms", "uncovered"].map(colour));
    expect(new Set(colours).size).toBe(3);
    expect(colours).not.toContain("rgba(0, 0, 0, 0)");
  });

  it("links a rule to its counterexample, and expands it", async () => {
    const link = await page.evaluate<string>(
      `[...document.querySelectorAll("#matrix a")].find((cell) => cell.innerText === "S-3").hash`,
    );
    const isSeen = (part: string): Promise<boolean> =>
      page.evaluate(`document.querySelector("${link} ${part}").checkVisibility()`);
    expect(await isSeen("table")).toBe(false);
    await page.click("#cell-S-3");
    expect(await isSeen("table")).toBe(true);
    const outline = `getComputedStyle(document.querySelector("${link}").parentElement).outlineStyle`;
    expect(await page.evaluate(outline)).toBe("solid");
    expect(await isSeen("pre")).toBe(false);
    await page.click(`${link} > details > summary`);
    expect(await isSeen("pre")).toBe(true);
    const text = await page.evaluate<string>(`document.querySelector("${link} pre").innerText`);
    const shownFirst = report.divergences.find(({ rules }) => rules.includes("S-3"));
    const { fixture, vector } = vectorCase(shownFirst);
    expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify({ fixture, vector })));
  });

  it("lists the checks of a rule, and links back to the matrix", async () => {
    const row = "#rule-F-11";
    const listed = await page.evaluate<string[]>(
      `[...document.querySelectorAll("${row} li code")].map((code) => code.textContent)`,
    );
    const own = report.checks.filter(({ rules }) => rules.includes("F-11"));
    expect(listed).toEqual(own.map(({ id }) => id));
    expect(listed.length).toBeGreaterThan(0);
    await page.click(`${row} th a`);
    expect(await page.evaluate("document.querySelector(':target').innerText")).toBe("F-11");
  });

  it("logs no errors", () => {
    expect(page.complaints).toEqual([]);
  });
});
