import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Team, type TenantCluster } from "@butler/api";
import { butlerctl } from "@butler/butlerctl/program";
import { processTerminal } from "@butler/cli-kit";
import { ensureTools } from "@butler/engine";
import type { Browser } from "@butler/server/testing";
import { eventually } from "@butler/testkit";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { AddonShelf } from "./lib/addon-shelf.ts";
import { canHostEngine, EngineWithButler } from "./lib/engine-with-butler.ts";
import { KubectlCalls } from "./lib/kubectl-calls.ts";
import { type CliRun, PersonWithButlerctl } from "./lib/person-with-butlerctl.ts";
import { type ServerWithOidc, startServerWithOidc } from "./lib/server-with-oidc.ts";

const minutes = 60_000;
const team = "demo-team";

let platform: EngineWithButler;
let server: ServerWithOidc;
let shelf: AddonShelf;
let home: string;
/** An operator and a viewer of the team, each on their own machine, and a platform administrator. */
let olga: PersonWithButlerctl;
let vera: PersonWithButlerctl;
let root: PersonWithButlerctl;

/** Commands that have been called, by their path without the program. */
const called = new Set<string>();

/** Runs a command that must succeed; the words before the first option or name identify it. */
async function good(path: string, rest = "", person: PersonWithButlerctl = olga): Promise<CliRun> {
  const done = await run(path, rest, person);
  expect(done, `butlerctl ${path} ${rest}`).toMatchObject({ code: 0 });
  return done;
}

async function run(path: string, rest = "", person: PersonWithButlerctl = olga): Promise<CliRun> {
  called.add(path);
  return person.run([...path.split(" "), ...rest.split(" ").filter((word) => word !== "")]);
}

type Tree = Awaited<ReturnType<typeof butlerctl.build>>;

/** Every visible command without subcommands. */
function leavesOf(command: Tree, path: readonly string[] = []): string[] {
  const below = command
    .createHelp()
    .visibleCommands(command)
    .filter((child) => child.name() !== "help");
  return below.length === 0 ? [path.join(" ")] : below.flatMap((child) => leavesOf(child, [...path, child.name()]));
}

async function logIn(person: PersonWithButlerctl, browser: Browser): Promise<void> {
  called.add("login");
  const done = await person.logIn(server.url, (code) => server.approve(browser, code));
  expect(done).toMatchObject({ code: 0 });
}

describe.runIf(canHostEngine)("butlerctl on a whole platform", { timeout: 8 * minutes }, () => {
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), "butler-cli-e2e-"));
    platform = await EngineWithButler.shared("platform");
    await platform.exampleTeam();
    shelf = await AddonShelf.open(await platform.nodeAddress());
    await shelf.offer("crd-and-cr", "1.0.0", "1.1.0");
    const users = [
      { name: "olga@example.com", role: "operator" },
      { name: "vera@example.com", role: "viewer" },
    ];
    const spec = { access: { users }, environments: [{ name: "dev" }, { name: "prod" }] };
    const patch = ["--type=merge", "-p", JSON.stringify({ spec })];
    await platform.kubectl.run("patch", Team.plural, team, ...patch);
    server = await startServerWithOidc(platform.engine.paths.kubeconfig);
    [olga, vera] = [
      new PersonWithButlerctl({ directory: join(home, "olga") }),
      new PersonWithButlerctl({ directory: join(home, "vera") }),
    ];
    const { kubeconfig } = platform.engine.paths;
    root = new PersonWithButlerctl({ directory: join(home, "root"), kubeconfig });
  }, 6 * minutes);

  afterEach(() => {
    for (const person of [olga, vera, root]) person?.leave();
  });
  afterAll(async () => {
    await server?.close();
    await shelf?.close();
    await platform?.leave();
    await rm(home, { recursive: true, force: true });
  }, 3 * minutes);

  it("signs in through the server and a real identity provider, and shows the user", async () => {
    await logIn(olga, await server.signIn("olga@example.com"));
    await logIn(vera, await server.signIn("vera@example.com"));
    expect(await readFile(olga.file("kubeconfig"), "utf8")).not.toMatch(/token:/);
    expect((await good("whoami")).stdout).toMatch(/olga@example\.com[\s\S]*demo-team: operator/);
    expect(JSON.parse((await good("credential")).stdout)).toMatchObject({ kind: "ExecCredential" });
    expect((await good("context list")).stdout).toMatch(/^\* +butler +Butler platform/m);
    await good("context use", `--team ${team}`);
    await good("context use", `--team ${team}`, vera);
    expect((await good("context show")).stdout).toMatch(new RegExp(`^Namespace: +${team}$`, "m"));
    expect((await good("team list")).stdout).toMatch(/^demo-team +\S+ +operator/m);
    expect((await good("team get")).stdout).toContain("Environments:");
    expect((await good("team members")).stdout).toMatch(/^vera@example\.com +viewer/m);
    expect((await good("team usage")).stdout).toMatch(/^clusters +0 +5/m);
    expect((await good("env list", "-o name")).stdout).toBe(`${team}/dev\n${team}/prod\n`);
  });

  it("creates a cluster, and shows it to users with access", async () => {
    const shop = `shop --team ${team} --environment dev --workers 1 --cpu 1 --memory 1Gi`;
    expect((await good("cluster plan", shop)).stdout).toContain("would be accepted");
    await good("cluster create", `${shop} --wait --timeout 5m`);
    await good("cluster wait", "shop --for condition=WorkersReady --timeout 2m");
    for (const person of [olga, vera]) {
      expect((await good("cluster list", "-o name", person)).stdout).toContain("/shop\n");
      expect((await good("cluster get", "shop", person)).stdout).toMatch(/^shop +Ready/m);
      expect((await good("cluster describe", "shop", person)).stdout).toContain("Machines:");
      expect((await good("cluster why", "shop", person)).stdout).toContain("shop");
      expect((await good("cluster nodes", "shop", person)).stdout).toMatch(/^shop-workers\S+ +Ready +workers/m);
      expect((await good("cluster events", "shop -o name", person)).stdout).toContain("event/");
      expect((await good("cluster certs", "shop", person)).stdout).toMatch(/^kube-apiserver .*Healthy$/m);
    }
    const exported = await good("cluster export", "shop");
    expect(parse(exported.stdout)).toMatchObject({ metadata: { name: "shop", namespace: team } });
    const again = await platform.kubectl.run("get", "tenantcluster", "shop", "-n", team, "-o", "json");
    const { metadata } = JSON.parse(again) as TenantCluster;
    await platform.kubectl.apply([parse(exported.stdout) as object]);
    const after = await platform.kubectl.run("get", "tenantcluster", "shop", "-n", team, "-o", "json");
    expect((JSON.parse(after) as TenantCluster).metadata.generation).toBe(metadata.generation);
  });

  it("provides the kubeconfig and commands that use it, to admins only", async () => {
    const refused = await run("cluster kubeconfig", "shop");
    expect([refused.code, refused.stdout]).toEqual([4, ""]);
    expect(refused.stderr).toContain("the kubeconfig of shop requires the admin role in the team");
    expect(refused.stderr).toContain("Open a terminal on the cluster's page in the console");
    const file = root.file("shop.kubeconfig");
    await good("cluster kubeconfig", `shop -n ${team} --output ${file}`, root);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await new KubectlCalls(file).run("get", "nodes", "-o", "name")).toMatch(/^node\/shop-workers/);
    const { kubectl } = await ensureTools(["kubectl"]);
    const shell = await good("cluster shell", `shop -n ${team} -- ${kubectl} get nodes -o name`, root);
    expect(shell.stdout).toMatch(/^node\/shop-workers/);
    const logs = await run("cluster logs", "shop");
    expect([logs.code, logs.stderr]).toEqual([
      4,
      expect.stringContaining("team roles have no access to control plane pods"),
    ]);
    const component = `shop -n ${team} --component kube-scheduler --tail 3`;
    expect((await good("cluster logs", component, root)).stdout.trim().split("\n").length).toBeGreaterThan(0);
    await good("cluster rotate", "shop --type kubeconfigs --wait --timeout 2m");
  });

  it("installs add-ons, upgrades them, rolls back, and removes them", async () => {
    expect((await good("addon catalog", "-o name")).stdout).not.toBe("");
    const chart = `--repository ${shelf.url} --chart crd-and-cr`;
    await good("addon enable", `shop base ${chart} --version 1.0.0 --wait --timeout 3m`);
    expect((await good("addon list", "shop")).stdout).toMatch(/base/);
    expect((await good("addon status", "shop base")).stdout).toContain("1.0.0");
    await good("addon values", "shop base --all");
    await good("addon upgrade", "shop base --version 1.1.0 --wait --timeout 3m");
    await good("addon rollback", "shop base --wait --timeout 3m");
    await good("addon disable", "shop base --yes --wait --timeout 3m");
  });

  it("changes a cluster, and is denied by the Kubernetes API without the role", async () => {
    const refusals = [
      ["cluster scale", "shop --workers 2"],
      ["cluster create", "hers --environment dev"],
      ["cluster destroy", `shop -n ${team} --yes`],
      ["cluster env move", "shop --to prod"],
      ["cluster kubeconfig", "shop"],
      ["cluster rotate", "shop"],
    ] as const;
    for (const [path, rest] of refusals) {
      const refused = await run(path, rest, vera);
      expect(refused, `butlerctl ${path} ${rest}`).toMatchObject({ code: 4, stdout: "" });
    }
    const version = (await good("cluster get", "shop -o jsonpath={.spec.kubernetesVersion}")).stdout.trim();
    await good("cluster upgrade", `shop --to ${version} --dry-run`);
    await good("cluster env move", "shop --to prod");
    expect((await good("cluster list", "--environment prod -o name")).stdout).toContain("/shop\n");
    await good("cluster scale", "shop --workers 2 --wait --timeout 4m");
    expect((await good("cluster nodes", "shop -o name")).stdout.trim().split("\n")).toHaveLength(2);
    await good("cluster destroy", `shop -n ${team} --yes --wait --timeout 5m`);
    expect((await run("cluster get", "shop")).code).toBe(3);
  });

  it("prints its version, completes in shells, and signs out", async () => {
    await good("version");
    await good("completion", "bash");
    await good("logout");
    await eventually(async () => (await run("cluster list")).code !== 0, { what: "the user to be signed out" });
    await good("logout", "", vera);
  });

  it("has run every command", async () => {
    const leaves = leavesOf(await butlerctl.build(processTerminal()));
    expect(leaves.length).toBeGreaterThan(30);
    expect(leaves.filter((leaf) => !called.has(leaf))).toEqual([]);
  });
});
