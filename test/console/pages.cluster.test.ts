import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { addressOf, type Visit, type VisitPlace, visits } from "@butler/console/visits";
import { eventually, isSoak } from "@butler/testkit";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { startBrowser } from "./lib/browser.ts";
import { lastingBarriersOf, leaksOf, settled, showIn } from "./lib/inspect.ts";
import { invitationOf } from "./lib/invitation.ts";
import { type RichConsole, startRichConsole } from "./lib/rich-console.ts";
import type { Role } from "./lib/seed/people.ts";
import { hostile, longestName } from "./lib/seed/texts.ts";
import { type Tab, Tabs } from "./lib/tabs.ts";

// A large part of a visit is waiting for the page to settle.
vi.setConfig({ maxConcurrency: 2 });

/** Folder for screenshots of every page, if wanted: they take much of the time and are ignored by git. */
const pictures =
  process.env["BUTLER_CONSOLE_PICTURES"] ?? (isSoak() ? join(import.meta.dirname, "pictures") : undefined);
const sizes = { wide: { width: 1_440, height: 900 }, narrow: { width: 390, height: 844 } } as const;

let rich: RichConsole;
let browser: Browser;
let places: Record<"ordinary" | "hostile", VisitPlace>;

const tabs = new Tabs<Role | "anybody">((visitor) =>
  visitor === "anybody"
    ? browser.newContext({ reducedMotion: "reduce" })
    : rich.openAs(visitor, browser, { viewport: sizes.wide }),
);

beforeAll(async () => {
  if (pictures !== undefined) await mkdir(pictures, { recursive: true });
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

/** Opens a visit in a tab. */
async function open({ page }: Tab, address: string): Promise<void> {
  await page.setViewportSize(sizes.wide);
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  await page.goto(rich.url + address);
  await settled(page);
}

/** For a missing cluster, the page and the browser log both report it. */
function isOfVisit({ name }: Visit, complaint: string): boolean {
  return name === "cluster-missing" && complaint.includes("cluster not found");
}

async function photograph(page: Page, name: string): Promise<void> {
  if (pictures === undefined) return;
  await page.screenshot({ path: join(pictures, `${name}.png`) });
}

/** Resizes the viewport and waits for the layout. */
async function showAt(page: Page, size: { readonly width: number; readonly height: number }): Promise<void> {
  await page.setViewportSize(size);
  await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
}

/** Only visible rows are in the DOM: scrolls all lists, and returns false to continue polling. */
async function turnPage(page: Page): Promise<false> {
  await page.evaluate(
    'for (const list of document.querySelectorAll(".b-table")) list.scrollTop += list.clientHeight / 2',
  );
  return false;
}

const unharmed = { title: "Butler", isOwned: false, foreign: 0, scripts: [], overflow: 0 };

describe.concurrent("every page in a browser", () => {
  it.each(visits)("$name is accessible, fits the window and complies with the policy", async (visit) => {
    await tabs.use(visit.as, async (tab) => {
      const { page, complaints, hosts } = tab;
      await open(tab, addressOf(visit, places.ordinary));
      for (const theme of ["light", "dark"] as const) {
        await showIn(page, theme);
        for (const [size, viewport] of Object.entries(sizes)) {
          await showAt(page, viewport);
          await photograph(page, `${visit.name}-${theme}-${size}`);
          expect(await leaksOf(page)).toEqual(unharmed);
        }
        // High enough that no list row is clipped: the background of a clipped row is computed wrongly.
        await showAt(page, { ...sizes.wide, height: 2_400 });
        expect(await lastingBarriersOf(page)).toEqual([]);
      }
      expect(complaints.filter((each) => !isOfVisit(visit, each))).toEqual([]);
      expect([...hosts]).toEqual([new URL(rich.url).host]);
    });
  });
});

describe.concurrent("every page with hostile texts", () => {
  // These show no user texts, or only names validated by Kubernetes.
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
    await tabs.use(visitor, async (tab) => {
      const { page, complaints, hosts } = tab;
      await open(tab, addressOf(visit, places.hostile));
      if (!silent.has(visit.name)) {
        await eventually(async () => texts.test(await page.content()) || turnPage(page), {
          timeoutMs: 30_000,
          what: "texts of the seed",
        });
      }
      expect(await leaksOf(page)).toEqual(unharmed);
      await page.setViewportSize(sizes.narrow);
      await photograph(page, `hostile-${visit.name}-narrow`);
      expect(await leaksOf(page)).toEqual(unharmed);
      expect(complaints.filter((each) => !isOfVisit(visit, each))).toEqual([]);
      expect([...hosts]).toEqual([new URL(rich.url).host]);
    });
  });

  it("has hostile texts in the seed", () => expect(hostile.markup).toContain("onerror"));
});
