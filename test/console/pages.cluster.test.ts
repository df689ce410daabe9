import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { addressOf, type Visit, type VisitPlace, visits } from "@butler/console/visits";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { eventually } from "@butler/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { complaintsOf, hostsOf, startBrowser } from "./lib/browser.ts";
import { lastingBarriersOf, leaksOf, settled, showIn } from "./lib/inspect.ts";
import { invitationOf } from "./lib/invitation.ts";
import { type RichConsole, startRichConsole } from "./lib/rich-console.ts";
import type { Role } from "./lib/seed/people.ts";
import { hostile, longestName } from "./lib/seed/texts.ts";

/** Where pictures of every page go; git does not see them. */
const pictures = process.env["BUTLER_CONSOLE_PICTURES"] ?? join(import.meta.dirname, "pictures");
const sizes = { wide: { width: 1_440, height: 900 }, narrow: { width: 390, height: 844 } } as const;

let rich: RichConsole;
let browser: Browser;
let places: Record<"ordinary" | "hostile", VisitPlace>;
const contexts = new Map<string, BrowserContext>();

beforeAll(async () => {
  await mkdir(pictures, { recursive: true });
  rich = await startRichConsole("pages");
  browser = await startBrowser();
  places = {
    ordinary: { team: "payments", cluster: "shop", token: await invitationOf(rich.whole, "linus") },
    hostile: {
      team: "oddities",
      cluster: longestName,
      token: await invitationOf(rich.whole, "a-person-with-a-long-name"),
    },
  };
});

afterAll(async () => {
  await browser?.close();
  await rich?.stop();
});

/** Everybody has one window, in which all their visits are. */
async function contextFor(visitor: Role | "anybody"): Promise<BrowserContext> {
  const known = contexts.get(visitor);
  if (known !== undefined) return known;
  const made =
    visitor === "anybody"
      ? await browser.newContext({ reducedMotion: "reduce" })
      : await rich.openAs(visitor, browser, { viewport: sizes.wide });
  contexts.set(visitor, made);
  return made;
}

interface Opened {
  readonly page: Page;
  readonly complaints: readonly string[];
  readonly hosts: ReadonlySet<string>;
}

async function open(visit: Visit, place: VisitPlace, visitor: Role | "anybody"): Promise<Opened> {
  const page = await (await contextFor(visitor)).newPage();
  const [complaints, hosts] = [complaintsOf(page), hostsOf(page)];
  page.on("dialog", (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.setViewportSize(sizes.wide);
  await page.goto(rich.url + addressOf(visit, place));
  await settled(page);
  return { page, complaints, hosts };
}

/** Where nothing is, the page says so, and so does the browser's own log. */
function isOfVisit({ name }: Visit, complaint: string): boolean {
  return name === "cluster-missing" && complaint.includes("there is no such cluster");
}

async function photograph(page: Page, name: string): Promise<void> {
  for (const theme of ["light", "dark"] as const) {
    await showIn(page, theme);
    for (const [size, viewport] of Object.entries(sizes)) {
      await page.setViewportSize(viewport);
      await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
      await page.screenshot({ path: join(pictures, `${name}-${theme}-${size}.png`) });
    }
  }
}

/** Only rows in sight are in a page: goes on in its lists, and says that nothing is found yet. */
async function turnPage(page: Page): Promise<false> {
  await page.evaluate(
    'for (const list of document.querySelectorAll(".b-table")) list.scrollTop += list.clientHeight / 2',
  );
  return false;
}

const unharmed = { title: "Butler", isOwned: false, foreign: 0, scripts: [], overflow: 0 };

describe("every page in a browser", () => {
  it.each(visits)("$name can be used by everybody, fits the window and keeps to the policy", async (visit) => {
    const { page, complaints, hosts } = await open(visit, places.ordinary, visit.as);
    try {
      await photograph(page, visit.name);
      for (const colorScheme of ["light", "dark"] as const) {
        // So high that no row of a list is cut in two: what is behind the half of one is not its background.
        await page.setViewportSize({ ...sizes.wide, height: 2_400 });
        await showIn(page, colorScheme);
        expect(await lastingBarriersOf(page)).toEqual([]);
      }
      for (const viewport of Object.values(sizes)) {
        await page.setViewportSize(viewport);
        expect(await leaksOf(page)).toEqual(unharmed);
      }
      expect(complaints.filter((each) => !isOfVisit(visit, each))).toEqual([]);
      expect([...hosts]).toEqual([new URL(rich.url).host]);
    } finally {
      await page.close();
    }
  });
});

describe("every page with texts of bad intent", () => {
  // Nobody's own texts are on these, or only names that Kubernetes has checked.
  const silent = new Set([
    "setup",
    "reset",
    "invitation-over",
    "home",
    "admin-providers",
    "admin-networks",
    "admin-settings",
  ]);
  const texts = /&lt;img src=x|<img src=x onerror=\\?&quot;|unbreakable-x/;

  it.each(visits)("$name shows them as text", async (visit) => {
    const visitor = visit.as === "team-admin" ? "stranger" : visit.as;
    const { page, complaints, hosts } = await open(visit, places.hostile, visitor);
    try {
      if (!silent.has(visit.name)) {
        await eventually(async () => texts.test(await page.content()) || turnPage(page), {
          timeoutMs: 30_000,
          what: "texts of the seed",
        });
      }
      expect(await leaksOf(page)).toEqual(unharmed);
      await page.setViewportSize(sizes.narrow);
      await page.screenshot({ path: join(pictures, `hostile-${visit.name}-narrow.png`) });
      expect(await leaksOf(page)).toEqual(unharmed);
      expect(complaints.filter((each) => !isOfVisit(visit, each))).toEqual([]);
      expect([...hosts]).toEqual([new URL(rich.url).host]);
    } finally {
      await page.close();
    }
  });

  it("has such texts to show", () => expect(hostile.markup).toContain("onerror"));
});
