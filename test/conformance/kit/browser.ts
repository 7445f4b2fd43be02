import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium } from "playwright-core";

const NAMES: readonly string[] = ["chromium", "chromium-browser", "google-chrome", "chrome"];

/** The browser of this machine, if it has one; `CHROMIUM` names another, or as an empty text none. */
export function findBrowser(): string | undefined {
  const given = process.env.CHROMIUM;
  if (given !== undefined) return given === "" ? undefined : given;
  const places = (process.env.PATH ?? "").split(delimiter);
  return NAMES.flatMap((name) => places.map((place) => join(place, name))).find(existsSync);
}

/** A page that is open in a browser without a window. */
export interface BrowserPage {
  /** The value of an expression in the page. */
  evaluate<T>(expression: string): Promise<T>;
  /** Moves to the left end of an element and clicks it. */
  click(selector: string): Promise<void>;
  /** Errors and messages of the page so far. */
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
