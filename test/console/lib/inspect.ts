import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const axePath = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

interface Finding {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string; readonly any: readonly { readonly message: string }[] }[];
}

/**
 * Serious accessibility violations found by axe. The policy of the pages allows injecting axe only via the DevTools
 * protocol.
 */
export async function barriersOf(page: Page): Promise<string[]> {
  const client = await page.context().newCDPSession(page);
  try {
    const known = await client.send("Runtime.evaluate", { expression: "'axe' in window", returnByValue: true });
    if (known.result.value !== true) {
      await client.send("Runtime.evaluate", { expression: await readFile(axePath, "utf8") });
    }
    const { result } = await client.send("Runtime.evaluate", {
      // Details are needed for violations only.
      expression: `axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) => JSON.stringify(violations))`,
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
 * Violations in a settled page: on a busy machine, colors and sizes may still change during the first run. Violations
 * that disappear on a later run are printed.
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

/** Seed texts that were interpreted as markup, and horizontal overflow. */
export interface Leaks {
  readonly title: string;
  readonly isOwned: boolean;
  /** Elements that only an injected text can have created. */
  readonly foreign: number;
  /** Link URLs that would run scripts. */
  readonly scripts: string[];
  /** Horizontal overflow in pixels. */
  readonly overflow: number;
}

/** Runs in the page. Elements with an ID are properties of window; that is not an injected script. */
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

/** Waits until a page has loaded its data and shows no skeleton. */
export async function settled(page: Page): Promise<void> {
  await page.waitForLoadState("networkidle");
  await page.locator(".b-skeleton").first().waitFor({ state: "detached" });
}

/**
 * Emulates a color scheme, and waits until the page applies it. Chromium keeps the old colors on some elements when the
 * scheme changes, so all styles are computed again.
 */
export async function showIn(page: Page, colorScheme: "light" | "dark"): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
  await page.evaluate(`(() => {
    const { style, offsetHeight: _before } = document.documentElement;
    style.display = "none";
    const { offsetHeight: _hidden } = document.documentElement;
    style.display = "";
  })()`);
  await page.evaluate(
    "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 50))))",
  );
}
