import { Team, TenantCluster, User } from "@butler/api";
import { bindPlatform, host, newObject, startWholeServer, type WholeServer } from "@butler/server/testing";
import { eventually } from "@butler/testkit";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { startBrowser } from "../../console/lib/browser.ts";
import { builtConsole } from "../../console/lib/built-console.ts";
import { inParallel } from "./bare.ts";
import { clusterName, makeCluster, teamName } from "./server-fleet.ts";

const teams = 10;
const email = "root@bench.example";

/** A complete server with the built console and many clusters, and a browser. */
export interface ConsoleHarness {
  readonly url: string;
  readonly whole: WholeServer;
  /** A new window with an empty cache, signed in as a platform administrator. */
  readonly open: () => Promise<BrowserContext>;
  /** Changes the status of a cluster, as a controller would. */
  readonly change: (turn: number) => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** Starts everything, with the given number of clusters in ten teams. */
export async function startConsoleHarness(clusters: number): Promise<ConsoleHarness> {
  const consoleFolder = await builtConsole();
  const signIn = { times: { accessMs: 6 * 3_600_000 } };
  const whole = await startWholeServer("bench-console", { server: { consoleFolder }, signIn });
  let browser: Browser | undefined;
  const stop = async (): Promise<void> => {
    await browser?.close();
    await whole.stop();
  };
  try {
    await fill(whole, clusters);
    browser = await startBrowser();
    const own = await whole.signInAs({ email });
    const cookies = ["butler_session", "butler_csrf"].map((name) => ({
      name,
      value: own.cookie(host, name) ?? "",
      url: whole.url,
    }));
    const windows = browser;
    const open = async (): Promise<BrowserContext> => {
      const context = await windows.newContext({ viewport: { width: 1_440, height: 900 } });
      await context.addCookies(cookies);
      return context;
    };
    return { url: whole.url, whole, open, change: (turn) => change(whole, { turn, clusters }), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function fill({ cluster, state }: WholeServer, clusters: number): Promise<void> {
  const { client } = cluster;
  await bindPlatform(cluster);
  const spec = { email, authType: "sso", platformRole: "admin" };
  await client.create(User, newObject(User, { name: "root" }, { spec }));
  for (let at = 0; at < teams; at++) {
    await cluster.createNamespace(teamName(at));
    await client.create(Team, newObject(Team, { name: teamName(at) }, { spec: { environments: [{ name: "dev" }] } }));
  }
  const all = Array.from({ length: clusters }, (_none, at) => at);
  await inParallel(all, 24, (at) => makeCluster(client, { team: at % teams, at: Math.floor(at / teams) }));
  await eventually(() => state.clusters.size === clusters && state.users.size === 1, { timeoutMs: 60_000 });
}

async function change(
  { cluster: { client } }: WholeServer,
  { turn, clusters }: { readonly turn: number; readonly clusters: number },
): Promise<void> {
  const at = (turn * 7) % clusters;
  const key = { name: clusterName(Math.floor(at / teams)), namespace: teamName(at % teams) };
  const status = { phase: turn % 2 === 0 ? "Updating" : "Ready", workerNodesReady: turn % 4 };
  await client.patch(TenantCluster, key, { type: "merge", subresource: "status", patch: { status } });
}

/** Waits for the first frame in which a page has a text. Run in the page. */
const frameWith = `async (words) => {
  while (!document.body?.textContent.includes(words)) await new Promise((done) => requestAnimationFrame(done));
}`;

/**
 * Goes to a page and waits until all clusters are listed; returns the milliseconds. Checked in every frame, because
 * playwright's own waiting soon polls only every half second.
 */
export async function timeToList(page: Page, address: string, clusters: number): Promise<number> {
  const words = `${clusters} of ${clusters}`;
  const began = performance.now();
  await page.goto(address, { waitUntil: "commit" });
  await page.evaluate(`(${frameWith})(${JSON.stringify(words)})`);
  return performance.now() - began;
}
