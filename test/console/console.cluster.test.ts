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

/** Folder for screenshots, if set. */
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
  served = await startServedConsole();
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
  it("opens the setup of a new installation and creates the first administrator", async () => {
    const scriptBytes = scriptBytesOf(page);
    await page.goto(served.url);
    await page.getByRole("heading", { name: "Set up Butler" }).waitFor();
    expect(await barriersOf(page)).toEqual([]);
    await picture("setup");
    await page.getByLabel("Setup token").fill(await served.setupToken());
    await page.getByLabel("Your email address").fill(email);
    await page.getByLabel("New password").fill("short");
    await page.getByText("The password must be at least 12 characters long.").waitFor();
    await page.getByLabel("New password").fill(password);
    await page.getByLabel("Confirm password").fill(password);
    await page.getByRole("button", { name: "Create administrator" }).click();
    await page.getByRole("heading", { name: "All clusters" }).waitFor();
    await page.getByText("Platform admin").first().waitFor();
    await page.getByText("No clusters yet").waitFor();
    expect(await barriersOf(page)).toEqual([]);
    await picture("clusters-empty");
    // All scripts so far, including the first load.
    const bytes = await scriptBytes();
    expect(bytes).toBeGreaterThan(50_000);
    expect(bytes).toBeLessThan(250_000);
  });

  it("shows a cluster created with kubectl within a second, with hostile values as text", async () => {
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

  it("opens a cluster by keyboard and follows its progress", async () => {
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
    await page.getByText(/^\W*In progress$/).waitFor();
    await page.getByText("Provisioning").first().waitFor();
    expect(await barriersOf(page)).toEqual([]);
    await picture("cluster");
    await page.getByRole("link", { name: "Events" }).click();
    await page.getByText("No recent events").waitFor();
    await picture("cluster-events");
  });

  it("navigates with palette and keys, and keeps the environment in the URL", async () => {
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Command palette" }).fill("payments");
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
    await page.getByText("No matching clusters").waitFor();
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
    await page.keyboard.press("Escape");
  });

  it("lists 5,000 clusters, filters and sorts them, and reflects it in the URL", async () => {
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

  it("shows when it is offline, and catches up automatically", async () => {
    await page.getByText("Live", { exact: true }).waitFor();
    served.line.cut();
    await page.getByText("Offline, reconnecting").waitFor();
    await page.getByText(/Data may be out of date/).waitFor();
    await page.getByText("109 of 5000").waitFor();
    const { client } = served.cluster;
    await client.create(TenantCluster, cluster("load-49-while-away"));
    served.line.mend();
    await page.getByText("110 of 5001").waitFor();
    await page.getByText("Live", { exact: true }).waitFor();
  });

  it("signs out and in again, and returns to the requested page", async () => {
    await page.getByRole("button", { name: /^Account:/ }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await picture("sign-in");
    await page.goto(`${served.url}/t/payments/clusters?q=shop`);
    await page.getByLabel("Email address").fill(email);
    await page.getByLabel("Password").fill("wrong");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("UNAUTHENTICATED").waitFor();
    await page.getByLabel("Password").fill(password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.waitForURL("**/t/payments/clusters?q=shop");
    await page.getByText("1 of 5001").waitFor();
  });

  it("violates no policy, has no errors and contacts no other host", () => {
    expect(complaints).toEqual([]);
    expect([...hosts]).toEqual([new URL(served.url).host]);
  });
});
