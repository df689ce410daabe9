import { mkdir, rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { engineImageNames } from "@butler/engine";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBrowser } from "../console/lib/browser.ts";
import { AddonShelf } from "./lib/addon-shelf.ts";
import { changeDelays } from "./lib/change-delays.ts";
import { CompanySignIn } from "./lib/company-sign-in.ts";
import { canHostEngine, EngineWithButler } from "./lib/engine-with-butler.ts";
import { PersonInBrowser } from "./lib/person-in-browser.ts";

const minutes = 60_000;
const team = "demo-team";
const password = "blue harbour lantern";
const [rootEmail, graceEmail, veraEmail] = ["root@example.com", "grace@example.com", "vera@example.com"];
/** Screenshots; not kept in the repository. */
const pictures = fileURLToPath(new URL("../../.cache/console-journey", import.meta.url));

let platform: EngineWithButler;
let shelf: AddonShelf;
let company: CompanySignIn;
let browser: Browser;
let server: string;
/** The first administrator, a user of the company's identity provider, and an invited viewer. */
let root: PersonInBrowser;
let grace: PersonInBrowser;
let vera: PersonInBrowser;

/** Matches the text of a badge, after its sign. */
const badge = (word: string): RegExp => new RegExp(`^\\W*${word}$`);

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? Number.NaN;

describe.runIf(canHostEngine)("the console of a platform", { timeout: 4 * minutes }, () => {
  beforeAll(async () => {
    await rm(pictures, { recursive: true, force: true });
    await mkdir(pictures, { recursive: true });
    platform = await EngineWithButler.shared("platform");
    const node = await platform.nodeAddress();
    server = `http://${node}:30080`;
    company = await CompanySignIn.open(node, {
      redirectURL: `${server}/api/auth/callback`,
      account: { sub: "grace", email: graceEmail, email_verified: true, name: "Grace Hopper" },
    });
    shelf = await AddonShelf.open(node);
    await shelf.offer("web", "1.0.0");
    await platform.exampleTeam();
    // Needs only images that every node has.
    const values = { image: engineImageNames().coredns, hook: { enabled: false } };
    const more = { displayName: "Greetings", description: "Says hello.", defaults: { values } };
    await platform.kubectl.apply([shelf.entry("greetings", "web", more)]);
    const rollout = ["rollout", "status", "deployment/butler-server", "-n", "butler-system", "--timeout=120s"];
    await platform.kubectl.run(...rollout);
    browser = await startBrowser();
    root = await PersonInBrowser.open(browser, { pictures });
    grace = await PersonInBrowser.open(browser, { pictures, trustsAll: true });
    vera = await PersonInBrowser.open(browser, { pictures });
  }, 8 * minutes);

  afterAll(async () => {
    await browser?.close();
    await shelf?.close();
    await company?.close();
    await platform?.leave();
  }, 3 * minutes);

  it("is set up once with the one-time link", async () => {
    const link = `${server}/setup#token=${encodeURIComponent(await platform.setupToken())}`;
    await root.page.goto(link);
    await root.isAt("Set up Butler");
    await root.write({ "Your email address": rootEmail, "New password": password, "Confirm password": password });
    await root.picture("01-set-up");
    await root.press("Create administrator");
    await root.sees("Platform admin");
    await root.sees("No clusters yet");
    await root.picture("02-first-page");
    await vera.page.goto(link);
    await vera.sees("Butler is already set up");
  });

  it("lets an administrator add an identity provider and test its issuer", async () => {
    const { page } = root;
    await root.go("Main", "Identity");
    await root.sees("No identity providers yet");
    await root.press("Add identity provider");
    await root.press("OpenID Connect");
    await root.write({ Name: "company", "Sign-in button text": "Company account", ...company.form });
    await root.press("Test issuer");
    await root.sees("failed to query the issuer");
    await page.getByText("The issuer uses a custom certificate authority").click();
    await root.write({ "Certificate authority": company.authority });
    await root.press("Test issuer");
    await root.sees("the issuer is reachable and valid");
    await root.picture("03-identity-provider");
    await root.press("Add");
    await root.seesRow("company", "Company account");
    await root.picture("04-identity-providers");
  });

  it("lets an administrator add team members before their first sign-in", async () => {
    await root.page.goto(`${server}/t/${team}/members`);
    for (const [email, role] of [
      [graceEmail, "operator"],
      [veraEmail, "viewer"],
    ] as const) {
      await root.press("Add member");
      await root.write({ "Email address": email });
      await root.page.getByLabel("Role", { exact: true }).selectOption(role);
      await root.press("Add");
      await root.seesRow(email);
    }
    await root.picture("05-members");
  });

  it("signs a user in through the identity provider", async () => {
    await grace.page.goto(`${server}/t/${team}/clusters`);
    await grace.isAt("Sign in");
    await grace.picture("06-sign-in");
    await grace.follow("Company account");
    await grace.isAt("Clusters");
    await grace.sees("Operator");
    await grace.sees("No clusters yet");
    await grace.picture("07-no-clusters");
  });

  it("creates a cluster step by step", async () => {
    await grace.follow("Create cluster");
    await grace.write({ Name: "shop" });
    await grace.press("Next");
    await grace.sees("Kubernetes version");
    await grace.picture("08-wizard-version");
    await grace.press("Next");
    await grace.write({ Nodes: "1", "CPU cores per node": "1", "Memory per node": "1Gi" });
    await grace.picture("09-wizard-pools");
    for (const field of ["Pod network", "Ingress"]) {
      await grace.press("Next");
      await grace.page.getByLabel(field, { exact: true }).waitFor();
    }
    await grace.press("Next");
    await grace.sees("Validation passed. The cluster can be created.");
    await grace.picture("10-wizard-review");
    await grace.press("Create cluster");
    await grace.isAt("shop");
    await grace.mark();
    await grace.picture("11-cluster-begins");
  });

  it("invites a user, who sets a password with the link", async () => {
    await root.go("Main", "Users");
    await root.press("Invite user");
    await root.write({ "Email address": veraEmail, Name: "Vera" });
    await root.press("Invite");
    const link = await root.page.getByLabel("Invitation link", { exact: true }).innerText();
    await root.picture("12-invitation");
    await root.press("Done");
    await root.seesRow(veraEmail);
    await vera.page.goto(link);
    await vera.isAt("Welcome, Vera");
    await vera.write({ "New password": password, "Confirm password": password });
    await vera.picture("13-set-password");
    await vera.press("Set password and sign in");
    await vera.sees("Viewer");
    await vera.isAt("Demo");
    await vera.picture("14-viewer");
  });

  it("shows on the open page how the cluster becomes ready", async () => {
    await grace.picture("15-cluster-grows");
    const head = (await grace.isAt("shop")).locator("..");
    await head.getByText(badge("Ready")).waitFor({ timeout: 150_000 });
    await grace.sees("1 of 1 ready");
    await grace.sees(badge("Healthy"));
    expect(await grace.isMarked()).toBe(true);
    await grace.picture("16-cluster-ready");
  });

  it("runs kubectl in a terminal", async () => {
    const { page } = grace;
    await grace.go("Cluster sections", "Nodes");
    await grace.seesRow("Ready", "shop-");
    await grace.picture("17-nodes");
    const [, node = ""] = /(shop-\S+)/.exec(await page.getByRole("row").nth(1).innerText()) ?? [];
    await grace.go("Cluster sections", "Terminal");
    const screen = page.getByRole("region", { name: "Terminal for shop" });
    const lines = screen.getByRole("listitem");
    await lines
      .filter({ hasText: /[$#] *$/ })
      .first()
      .waitFor({ timeout: 90_000 });
    await screen.getByRole("textbox").focus();
    await page.keyboard.type("kubectl get nodes\n");
    await lines
      .filter({ hasText: new RegExp(`${node}\\s+Ready`) })
      .first()
      .waitFor();
    await grace.picture("18-terminal");
  });

  it("enables an add-on and shows how it is installed", async () => {
    await grace.go("Cluster sections", "Add-ons");
    await grace.press("Enable add-on");
    await grace.page.getByLabel("Add-on", { exact: true }).selectOption({ label: "Greetings · other" });
    await grace.picture("19-enable");
    await grace.press("Enable");
    await grace.sees("Installing Greetings");
    const drawer = grace.page.getByRole("dialog");
    await drawer.getByText("Installing").first().waitFor();
    await grace.picture("20-addon-comes");
    await drawer
      .getByText(badge("Installed"))
      .first()
      .waitFor({ timeout: 2 * minutes });
    await grace.picture("21-addon-installed");
    await grace.page.keyboard.press("Escape");
    await grace.seesRow("Greetings", "Installed", "1.0.0");
  });

  it("scales a pool, and the second node appears", async () => {
    await grace.go("Cluster sections", "Settings");
    await grace.page.getByLabel(/^Nodes in/).fill("2");
    await grace.picture("22-scale");
    await grace.page.getByRole("button", { name: /^Scale / }).click();
    await grace.go("Cluster sections", "Nodes");
    const nodes = grace.page.getByRole("row").filter({ has: grace.page.getByText(badge("Ready")) });
    await expect.poll(() => nodes.count(), { timeout: 3 * minutes }).toBe(2);
    await grace.picture("23-two-nodes");
    expect(await grace.isMarked()).toBe(true);
  });

  it("shows changes made with kubectl within a second of the watch event", async () => {
    await grace.go("Cluster sections", "Overview");
    const { kubeconfig } = platform.engine.paths;
    const observed = { kubectl: platform.kubectl, kubeconfig, namespace: team, name: "shop", page: grace.page };
    const delays = await changeDelays(observed, 7);
    console.log(`seen after kubectl had its answer, in ms: ${JSON.stringify(delays)}`);
    expect(median(delays.map(({ page, watch }) => page - watch))).toBeLessThan(1_000);
    await grace.picture("24-changed");
  });

  it("shows viewers everything, offers no actions, and denies their requests", async () => {
    const { page } = vera;
    await page.goto(`${server}/t/${team}/clusters`);
    await vera.seesRow("shop", "Ready", "2/2");
    expect(await page.getByRole("link", { name: "Create cluster" }).count()).toBe(0);
    await vera.picture("25-viewer-clusters");
    await vera.follow("shop");
    await vera.sees("2 of 2 ready");
    await vera.go("Cluster sections", "Add-ons");
    await vera.sees("You have read-only access to add-ons.");
    expect(await page.getByRole("button", { name: "Enable add-on" }).count()).toBe(0);
    await vera.picture("26-viewer-addons");
    await vera.go("Cluster sections", "Settings");
    await vera.sees("Requires the team operator role.");
    expect(await page.getByRole("button", { name: /Scale|Delete/ }).count()).toBe(0);
    await vera.picture("27-viewer-settings");
    const cluster = `/api/clusters/${team}/shop`;
    expect(await vera.statusOf("GET", `${cluster}/nodes`)).toBe(200);
    expect(await vera.statusOf("PATCH", `${cluster}/scale`, { replicas: 3 })).toBe(403);
    expect(await vera.statusOf("POST", `${cluster}/addons`, { addon: "greetings" })).toBe(403);
    expect(await vera.statusOf("POST", "/api/clusters", { name: "hers", teamRef: team })).toBe(403);
    expect(await vera.statusOf("DELETE", cluster)).toBe(403);
    expect(await vera.statusOf("GET", `${cluster}/kubeconfig`)).toBe(403);
    // Grace is an operator, who administers the cluster in a terminal instead.
    expect(await grace.statusOf("GET", `${cluster}/kubeconfig`)).toBe(403);
  });

  it("lists the effects before deleting the cluster, and shows the deletion", async () => {
    await grace.go("Cluster sections", "Settings");
    await grace.press("Delete cluster");
    for (const words of [
      "2 (2 in workers), including their disks",
      "1: greetings",
      "Every kubeconfig for shop stops working",
    ]) {
      await grace.sees(words);
    }
    const sure = grace.page.getByRole("button", { name: "Delete permanently" });
    expect(await sure.isDisabled()).toBe(true);
    await grace.write({ "Type shop to confirm": "shop" });
    await grace.picture("28-delete");
    await sure.click();
    await grace.sees("Deleting shop");
    await grace.go("Main", "Clusters");
    await grace.seesRow("shop", "Deleting");
    await grace.picture("29-deleting");
    await grace.sees("No clusters yet", 3 * minutes);
    await grace.picture("30-gone");
    expect(await grace.isMarked()).toBe(true);
  });

  it("violates no policy, has no errors and contacts no other host", () => {
    const host = new URL(server).host;
    expect([root, grace, vera].flatMap(({ complaints }) => complaints)).toEqual([]);
    expect([root.hosts, vera.hosts].map((hosts) => [...hosts])).toEqual([[host], [host]]);
    expect([...grace.hosts].toSorted()).toEqual([host, company.host].toSorted());
  });
});
