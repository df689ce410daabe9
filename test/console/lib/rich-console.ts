import { bindPlatform, host, startWholeServer, type WholeServer } from "@butler/server/testing";
import { eventually } from "@butler/testkit";
import type { Browser, BrowserContext, BrowserContextOptions } from "playwright-core";
import { builtConsole } from "./built-console.ts";
import { seedClusterParts } from "./seed/cluster-parts.ts";
import { seedClusters } from "./seed/clusters.ts";
import { seedHistory } from "./seed/history.ts";
import { type Role, roles, seedPeople } from "./seed/people.ts";
import { seedPlatform } from "./seed/platform.ts";
import { seedTeams } from "./seed/teams.ts";

/** A whole server with the built console and a seeded platform. */
export interface RichConsole {
  readonly url: string;
  readonly whole: WholeServer;
  /** A browser context of a user signed in through the identity provider. */
  openAs(role: Role, browser: Browser, options?: BrowserContextOptions): Promise<BrowserContext>;
  stop(): Promise<void>;
}

/** Starts everything that a browser needs, with teams, clusters in every phase, users, networks and a history. */
export async function startRichConsole(name: string): Promise<RichConsole> {
  const consoleFolder = await builtConsole();
  // Longer than any visit, so that no session expires in between.
  const whole = await startWholeServer(name, { server: { consoleFolder }, signIn: { times: { accessMs: 3_600_000 } } });
  try {
    await seed(whole);
    const openAs: RichConsole["openAs"] = async (role, browser, options = {}) => {
      const context = await browser.newContext({ reducedMotion: "reduce", ...options });
      await context.addCookies(await sessionOf(whole, role));
      return context;
    };
    return { url: whole.url, whole, openAs, stop: () => whole.stop() };
  } catch (error) {
    await whole.stop();
    throw error;
  }
}

async function seed(whole: WholeServer): Promise<void> {
  const { cluster, state } = whole;
  await bindPlatform(cluster);
  const people = await seedPeople(whole);
  await seedTeams(whole);
  await seedPlatform(whole);
  const clusters = await seedClusters(whole);
  await seedClusterParts(whole);
  await seedHistory(whole);
  await eventually(() => state.clusters.size === clusters && state.users.size === people && state.teams.size === 3);
}

/** Signs a user in and returns the session cookies. */
async function sessionOf(whole: WholeServer, role: Role): Promise<{ name: string; value: string; url: string }[]> {
  const { email, name } = roles[role];
  const own = await whole.signInAs({ email, name });
  return ["butler_session", "butler_csrf"].flatMap((cookie) => {
    const value = own.cookie(host, cookie);
    return value === undefined ? [] : [{ name: cookie, value, url: whole.url }];
  });
}
