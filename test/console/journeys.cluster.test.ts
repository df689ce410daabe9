import { TenantCluster } from "@butler/api";
import { builtinKinds } from "@butler/resource";
import { eventually } from "@butler/testkit";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { complaintsOf, startBrowser } from "./lib/browser.ts";
import { type RichConsole, startRichConsole } from "./lib/rich-console.ts";
import type { Role } from "./lib/seed/people.ts";

let rich: RichConsole;
let browser: Browser;
let context: BrowserContext | undefined;

beforeAll(async () => {
  rich = await startRichConsole("journeys");
  browser = await startBrowser();
});

afterEach(async () => {
  await context?.close();
  context = undefined;
});

afterAll(async () => {
  await browser?.close();
  await rich?.stop();
});

async function openAs(role: Role, path: string): Promise<{ page: Page; complaints: readonly string[] }> {
  context = await rich.openAs(role, browser, { viewport: { width: 1_440, height: 900 } });
  const page = await context.newPage();
  const complaints = complaintsOf(page);
  await page.goto(rich.url + path);
  return { page, complaints };
}

/** Presses Tab until an element is focused, at most 80 times. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let at = 0; at < 80; at++) {
    const reached = await page.evaluate<string>(
      `((element) => element?.getAttribute("aria-label") ?? element?.labels?.[0]?.textContent ?? element?.textContent ?? "")(document.activeElement)`,
    );
    if (reached.trim() === name) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`${name} cannot be reached by keyboard`);
}

describe("by keyboard", () => {
  it("creates a cluster, from the list to its page", async () => {
    const { page, complaints } = await openAs("operator", "/t/payments/clusters");
    await page.getByRole("grid", { name: "Clusters" }).waitFor();
    await page.keyboard.press("c");
    await page.waitForURL("**/t/payments/clusters/new**");
    await page.getByRole("heading", { name: "Provider and environment" }).waitFor();
    // The step focuses its first field.
    await page.keyboard.type("by-keyboard");
    await tabTo(page, "Environment");
    await page.keyboard.type("prod");
    for (const step of ["Provider and environment", "Version and OS", "Node pools", "Networking", "Add-ons"]) {
      await page.getByRole("heading", { name: step, exact: true }).waitFor();
      await tabTo(page, "Next");
      await page.keyboard.press("Enter");
    }
    await page.getByRole("heading", { name: "Review", exact: true }).waitFor();
    await tabTo(page, "Create cluster");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/t/payments/clusters/payments/by-keyboard**");
    await page.getByRole("heading", { name: "by-keyboard" }).waitFor();
    const made = await rich.whole.cluster.client.find(TenantCluster, { name: "by-keyboard", namespace: "payments" });
    expect(made?.metadata.labels?.["butler.butlerlabs.dev/environment"]).toBe("prod");
    expect(complaints).toEqual([]);
  });

  it("opens platform places with their own keys inside a team", async () => {
    const { page } = await openAs("platform-admin", "/t/payments");
    for (const [keys, path] of [
      ["gC", "/admin/clusters"],
      ["gU", "/admin/users"],
      ["gS", "/admin/settings"],
      ["gA", "/admin/audit"],
    ] as const) {
      await page.waitForLoadState("networkidle");
      for (const key of keys) await page.keyboard.press(key === key.toUpperCase() ? `Shift+${key}` : key);
      await page.waitForURL(`**${path}`);
    }
  });
});

describe("without permission", () => {
  it("offers viewers no actions", async () => {
    const { page } = await openAs("viewer", "/t/payments/clusters");
    await page.getByText("Viewer").first().waitFor();
    await page.getByRole("grid", { name: "Clusters" }).waitFor();
    expect(await page.getByRole("link", { name: "Create cluster" }).count()).toBe(0);
    await page.goto(`${rich.url}/t/payments/clusters/payments/shop/settings`);
    await page.getByText("Permission denied").waitFor();
    expect(await page.getByRole("button", { name: "Kubeconfig" }).count()).toBe(0);
  });

  it.each([
    ["team-admin", 1],
    ["operator", 0],
  ] as const)("offers a %s the kubeconfig %i times", async (role, count) => {
    const { page } = await openAs(role, "/t/payments/clusters/payments/shop");
    await page.getByRole("link", { name: "Terminal" }).waitFor();
    await page
      .getByText(role === "operator" ? "Operator" : "Team admin")
      .first()
      .waitFor();
    expect(await page.getByRole("button", { name: "Kubeconfig" }).count()).toBe(count);
  });

  it("shows platform viewers that access is read-only", async () => {
    const { page } = await openAs("platform-viewer", "/admin/users");
    await page.getByText("Platform viewer · read-only").waitFor();
    await page.getByRole("grid", { name: "Users" }).waitFor();
    expect(
      await page
        .getByRole("button", { name: "Invite user" })
        .isDisabled()
        .catch(() => true),
    ).toBe(true);
  });
});

describe("the terminal", () => {
  it("works under the content security policy: input is echoed", async () => {
    const { page, complaints } = await openAs("operator", "/t/payments/clusters/payments/shop/terminal");
    await page.getByText("Starting pod").waitFor();
    const { client } = rich.whole.cluster;
    // There is no kubelet: the test sets the pod to Running. A stand-in echoes what it receives.
    const pod = await eventually(async () => {
      const { items } = await client.list(builtinKinds.Pod, { namespace: "butler-terminals" });
      return items[0];
    });
    const { name, namespace } = pod.metadata;
    const patch = { status: { phase: "Running" } };
    await client.patch(builtinKinds.Pod, { name, namespace }, { type: "merge", subresource: "status", patch });
    await eventually(async () => {
      await page.locator(".xterm-helper-textarea").pressSequentially("kubectl ");
      return (await page.locator(".xterm-rows").innerText()).includes("kubectl");
    });
    expect(complaints).toEqual([]);
  });

  it("shows why it is unavailable", async () => {
    const { page, complaints } = await openAs("operator", "/t/payments/clusters/payments/tax/terminal");
    let shown = "";
    const isSaid = async (): Promise<boolean> => {
      shown = await page.locator("main").innerText();
      return /no kubeconfig yet|cannot be reached|did not start/i.test(shown);
    };
    await eventually(isSaid, { timeoutMs: 30_000, what: () => `a reason in: ${shown}` });
    expect(complaints).toEqual([]);
  });
});

describe("the setup token of a link", () => {
  it("is read from the URL fragment, which is then cleared", async () => {
    context = await browser.newContext();
    const page = await context.newPage();
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    await page.goto(`${rich.url}/setup#token=a-secret-token`);
    await page.getByLabel("Setup token").waitFor();
    expect(await page.getByLabel("Setup token").inputValue()).toBe("a-secret-token");
    await eventually(() => !page.url().includes("a-secret-token"));
    expect(asked.filter((url) => new URL(url).search.includes("a-secret-token"))).toEqual([]);
  });
});
