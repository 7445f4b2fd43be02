import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium } from "playwright-core";

const NAMES: readonly string[] = ["chromium", "chromium-browser", "google-chrome", "chrome"];

/** The installed browser, if any; `CHROMIUM` names another one, or none if empty. */
export function findBrowser(): string | undefined {
  const given = process.env.CHROMIUM;
  if (given !== undefined) return given === "" ? undefined : given;
  const places = (process.env.PATH ?? "").split(delimiter);
  return NAMES.flatMap((name) => places.map((place) => join(place, name))).find(existsSync);
}

/** A page in a headless browser. */
export interface BrowserPage {
  /** The value of an expression in the page. */
  evaluate<T>(expression: string): Promise<T>;
  /** Clicks the left end of an element. */
  click(selector: string): Promise<void>;
  /** Errors and console messages of the page. */
  readonly complaints: readonly string[];
  close(): Promise<void>;
}

/** Opens a page. */
export async function openPage(executablePath: string, url: string): Promise<BrowserPage> {
  const args = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"];
  const browser = await chromium.launch({ executablePath, args });
  const page = await browser.newPage({ viewport: { width: 1200, height: 900 } });
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(String(error.stack)));
  page.on("console", (message) => complaints.push(message.text()));
  await page.goto(url);
  return {
    complaints,
    evaluate: (expression) => page.evaluate(expression),
    async click(selector) {
      const element = page.locator(selector).first();
      const box = await element.boundingBox();
      await element.click({ position: { x: 10, y: (box?.height ?? 0) / 2 } });
    },
    close: () => browser.close(),
  };
}
