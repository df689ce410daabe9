import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const axePath = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

interface Finding {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string; readonly any: readonly { readonly message: string }[] }[];
}

/** What axe finds that keeps somebody from using the page. The policy of the pages lets axe in only from outside. */
export async function barriersOf(page: Page): Promise<string[]> {
  const client = await page.context().newCDPSession(page);
  try {
    await client.send("Runtime.evaluate", { expression: await readFile(axePath, "utf8") });
    const { result } = await client.send("Runtime.evaluate", {
      expression: "axe.run(document).then(({ violations }) => JSON.stringify(violations))",
      awaitPromise: true,
      returnByValue: true,
    });
    const found = JSON.parse(String(result.value)) as Finding[];
    return found
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .map(({ id, nodes }) => `${id}: ${nodes.map(wordsOf).join(" ")}`);
  } finally {
    await client.detach();
  }
}

function wordsOf({ html, any }: Finding["nodes"][number]): string {
  return `${html.slice(0, 300)} (${any.map(({ message }) => message).join(" ")})`;
}

/**
 * What axe finds in a page that has come to rest: on a busy machine colours and sizes are still on their way when it looks for
 * the first time. What was gone when it looked again is printed, not hidden.
 */
export async function lastingBarriersOf(page: Page): Promise<string[]> {
  const first = await barriersOf(page);
  let found = first;
  for (let again = 0; found.length > 0 && again < 3; again++) {
    await settled(page);
    found = await barriersOf(page);
  }
  if (found.length < first.length) console.info(`axe found for a moment on ${page.url()}: ${first.join("; ")}`);
  return found;
}

/** What of the texts of the seed has become more than text, and what sticks out of the page. */
export interface Leaks {
  readonly title: string;
  readonly isOwned: boolean;
  /** Elements that only a text could have brought. */
  readonly foreign: number;
  /** Addresses of links that would run something. */
  readonly scripts: string[];
  /** Pixels that the page is wider than the window. */
  readonly overflow: number;
}

/** Run in the page. What has an id can be read from the window; that is no script of somebody's. */
const search = `(() => {
  const root = document.documentElement;
  const main = document.querySelector("main") ?? root;
  return {
    title: document.title,
    isOwned: "owned" in window && !(window.owned instanceof Element),
    foreign: document.querySelectorAll("[onerror], [onload], #owned, img:not([alt]), main script").length,
    scripts: [...document.querySelectorAll("a[href]")].map(({ href }) => href).filter((href) => !/^https?:/.test(href)),
    overflow: Math.max(root.scrollWidth - root.clientWidth, main.scrollWidth - main.clientWidth),
  };
})()`;

/** Looks for leaks. */
export function leaksOf(page: Page): Promise<Leaks> {
  return page.evaluate<Leaks>(search);
}

/** Waits until a page has what it asked for, and nothing on it is still on its way. */
export async function settled(page: Page): Promise<void> {
  await page.waitForLoadState("networkidle");
  await page.locator(".b-skeleton").first().waitFor({ state: "detached" });
}

/** Changes the colours as somebody's device would, and waits until the page has them. */
export async function showIn(page: Page, colorScheme: "light" | "dark"): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
  await page.evaluate(
    "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 50))))",
  );
}
