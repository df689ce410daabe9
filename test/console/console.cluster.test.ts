import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { Team, TenantCluster } from "@butler/api";
import { apiVersionOf, type KubeObject, type Resource } from "@butler/resource";
import { eventually } from "@butler/testkit";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { complaintsOf, hostsOf, scriptBytesOf, startBrowser } from "./lib/browser.ts";
import { barriersOf, showIn } from "./lib/inspect.ts";
import { type ServedConsole, startServedConsole } from "./lib/served-console.ts";

/** Where pictures of the pages go, when somebody wants to look at them. */
const pictures = process.env["BUTLER_CONSOLE_PICTURES"];
const [email, password] = ["ada@example.com", "blue harbour lantern"];
const hostile = `<img src=x onerror="document.title='owned'">`;
const longName = "a-cluster-with-a-name-as-long-as-it-may-be-for-a-test";

let served: ServedConsole;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let complaints: string[];
let hosts: ReadonlySet<string>;

beforeAll(async () => {
  served = await startServedConsole("console");
  browser = await startBrowser();
  context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: "reduce" });
  page = await context.newPage();
  complaints = complaintsOf(page);
  hosts = hostsOf(page);
});

afterAll(async () => {
  await browser?.close();
  await served?.stop();
});

function objectOf(resource: Resource, metadata: KubeObject["metadata"], spec: object): KubeObject {
  return { apiVersion: apiVersionOf(resource), kind: resource.kind, metadata, spec } as KubeObject;
}

function cluster(name: string, { version = "v1.34.1" } = {}): KubeObject {
  const labels = { "butler.butlerlabs.dev/environment": "dev" };
  const annotations = { "butler.butlerlabs.dev/owner": hostile };
  const spec = { kubernetesVersion: version, teamRef: { name: "payments" }, workers: { replicas: 3 } };
  return objectOf(TenantCluster, { name, namespace: "payments", labels, annotations }, spec);
}

async function setStatus(name: string, status: object): Promise<void> {
  const { client } = served.cluster;
  const key = { name, namespace: "payments" };
  await client.patch(TenantCluster, key, { type: "merge", patch: { status }, subresource: "status" });
}

async function picture(name: string): Promise<void> {
  if (pictures === undefined) return;
  await mkdir(pictures, { recursive: true });
  for (const theme of ["light", "dark"] as const) {
    await showIn(page, theme);
    for (const [width, height] of [
      [1440, 900],
      [390, 844],
    ] as const) {
      await page.setViewportSize({ width, height });
      await page.waitForTimeout(200);
      await page.screenshot({ path: join(pictures, `${name}-${theme}-${width}.png`) });
    }
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  await showIn(page, "light");
}

describe("the console in a browser", () => {
  it("leads to the set-up of a new installation and makes the first administrator", async () => {
    const scriptBytes = scriptBytesOf(page);
    await page.goto(served.url);
    await page.getByRole("heading", { name: "Set up Butler" }).waitFor();
    expect(await barriersOf(page)).toEqual([]);
    await picture("setup");
    await page.getByLabel("Set-up token").fill(await served.setupToken());
    await page.getByLabel("Your e-mail address").fill(email);
    await page.getByLabel("New password").fill("short");
    await page.getByText("A password needs at least 12 characters.").waitFor();
    await page.getByLabel("New password").fill(password);
    await page.getByLabel("The same again").fill(password);
    await page.getByRole("button", { name: "Make the first administrator" }).click();
    await page.getByRole("heading", { name: "All clusters" }).waitFor();
    await page.getByText("Platform admin").first().waitFor();
    await page.getByText("No clusters yet").waitFor();
    expect(await barriersOf(page)).toEqual([]);
    await picture("clusters-empty");
    // All of the way here, of which a first load is a part.
    const bytes = await scriptBytes();
    expect(bytes).toBeGreaterThan(50_000);
    expect(bytes).toBeLessThan(250_000);
  });

  it("shows a cluster that somebody makes with kubectl within a second, as text whatever it says", async () => {
    const { client } = served.cluster;
    await served.cluster.createNamespace("payments");
    const environments = [{ name: "dev" }, { name: "prod" }];
    const team = { displayName: "Payments", access: { users: [{ name: email, role: "operator" }] }, environments };
    await client.create(Team, objectOf(Team, { name: "payments" }, team));
    const beganMs = Date.now();
    await client.create(TenantCluster, cluster("shop"));
    await page.getByRole("link", { name: "shop" }).waitFor();
    expect(Date.now() - beganMs).toBeLessThan(1_000);
    await page.getByText(hostile).waitFor();
    expect(await page.title()).toBe("Butler");
  });

  it("opens a cluster by keyboard and follows what becomes of it", async () => {
    await page.getByRole("grid", { name: "All clusters" }).focus();
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/t/payments/clusters/payments/shop**");
    await page.getByRole("heading", { name: "shop" }).waitFor();
    const now = new Date().toISOString();
    await setStatus("shop", {
      phase: "Provisioning",
      workerNodesReady: 1,
      workerNodesDesired: 3,
      conditions: [
        { type: "ControlPlaneReady", status: "True", reason: "Ready", message: "", lastTransitionTime: now },
        {
          type: "WorkersReady",
          status: "False",
          reason: "WaitingForMachines",
          message: "1 of 3 machines has joined",
          lastTransitionTime: now,
        },
      ],
      steps: [
        { name: "Accepted", startedAt: now, finishedAt: now },
        { name: "ControlPlane", startedAt: now, finishedAt: now },
        { name: "Workers", startedAt: now },
      ],
    });
    await page.getByText("1 of 3 machines has joined").first().waitFor();
    await page.getByText("Goes on by itself").waitFor();
    await page.getByText("Provisioning").first().waitFor();
    expect(await barriersOf(page)).toEqual([]);
    await picture("cluster");
    await page.getByRole("link", { name: "Events" }).click();
    await page.getByText("Nothing has happened lately").waitFor();
    await picture("cluster-events");
  });

  it("goes to places with the palette and by keys, and keeps the environment in the address", async () => {
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Go to, or do" }).fill("payments");
    await picture("palette");
    await page
      .getByRole("option", { name: /Payments/ })
      .first()
      .click();
    await page.getByRole("heading", { name: "Payments" }).waitFor();
    await picture("team");
    expect(await barriersOf(page)).toEqual([]);
    await page.getByRole("button", { name: "Environment: All environments" }).click();
    await page.getByRole("menuitem", { name: /prod/ }).click();
    await page.waitForURL("**/t/payments?env=prod");
    await page.keyboard.press("g");
    await page.keyboard.press("c");
    await page.waitForURL("**/t/payments/clusters?env=prod");
    await page.getByText("No cluster is like that").waitFor();
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keys" }).waitFor();
    await page.keyboard.press("Escape");
  });

  it("lists 5,000 clusters, narrows and sorts them, and says so in the address", async () => {
    const { client } = served.cluster;
    const names = Array.from({ length: 4_998 }, (_none, index) => `load-${index}`);
    const work = [longName, ...names].map((name) => () => client.create(TenantCluster, cluster(name)));
    const worker = async (): Promise<void> => {
      for (let next = work.pop(); next !== undefined; next = work.pop()) await next();
    };
    await Promise.all(Array.from({ length: 16 }, worker));
    await eventually(() => served.state.clusters.size === 5_000);
    await page.goto(`${served.url}/t/payments/clusters`);
    await page.getByText("5000 of 5000").waitFor();
    await picture("clusters");
    expect(await page.getByRole("row").count()).toBeLessThan(80);
    const filter = page.getByRole("searchbox", { name: "Filter clusters" });
    await filter.fill("load-49");
    await page.getByText("109 of 5000").waitFor();
    await page.getByRole("button", { name: "Name" }).click();
    await page.waitForURL(/sort=-name/);
    await page.reload();
    await page.getByText("109 of 5000").waitFor();
    expect(await page.getByRole("row").nth(1).innerText()).toContain("load-4997");
    expect(await barriersOf(page)).toEqual([]);
  }, 400_000);

  it("says when it is no longer live, and catches up by itself", async () => {
    await page.getByText("Live", { exact: true }).waitFor();
    served.line.cut();
    await page.getByText("Offline, trying again").waitFor();
    await page.getByText(/What you see may be out of date/).waitFor();
    await page.getByText("109 of 5000").waitFor();
    const { client } = served.cluster;
    await client.create(TenantCluster, cluster("load-49-while-away"));
    served.line.mend();
    await page.getByText("110 of 5001").waitFor();
    await page.getByText("Live", { exact: true }).waitFor();
  });

  it("signs out and in again, and comes back to where one wanted to go", async () => {
    await page.getByRole("button", { name: /^You:/ }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await picture("sign-in");
    await page.goto(`${served.url}/t/payments/clusters?q=shop`);
    await page.getByLabel("E-mail address").fill(email);
    await page.getByLabel("Password").fill("wrong");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("UNAUTHENTICATED").waitFor();
    await page.getByLabel("Password").fill(password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.waitForURL("**/t/payments/clusters?q=shop");
    await page.getByText("1 of 5001").waitFor();
  });

  it("has broken no policy, met no error and asked nobody else for anything", () => {
    expect(complaints).toEqual([]);
    expect([...hosts]).toEqual([new URL(served.url).host]);
  });
});
