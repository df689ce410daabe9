import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { AddonDefinition, ButlerConfig, IPAllocation, labels, namespaces, TenantCluster } from "@butler/api";
import { engineChartValues } from "@butler/butler/deploy";
import { butleradm } from "@butler/butleradm/program";
import { processTerminal } from "@butler/cli-kit";
import { installClusterApiInEngine, LocalEngine } from "@butler/engine";
import { createAuthority } from "@butler/pki";
import { startIdentityServer } from "@butler/server/testing";
import { defaultDataStoreName } from "@butler/steward";
import { engineHomeVariable, eventually } from "@butler/testkit";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { leafCommands } from "../cli-coverage/leaf-commands.ts";
import { Dashboard } from "../tui/lib/dashboard.ts";
import { AddonShelf } from "./lib/addon-shelf.ts";
import { canHostEngine } from "./lib/engine-with-butler.ts";
import { writeImageArchives } from "./lib/image-archives.ts";
import { KubectlCalls } from "./lib/kubectl-calls.ts";
import { OperatorWithButleradm } from "./lib/operator-with-butleradm.ts";
import type { CliRun } from "./lib/person-with-butlerctl.ts";

const minutes = 60_000;
const name = "--name adm";
const system = namespaces.system;
/** Secrets that must not leave the platform. */
const secrets = { prism: "prism-password-planted-4711", company: "company-secret-planted-0815" };

let home: string;
let engine: LocalEngine;
let kubectl: KubectlCalls;
let operator: OperatorWithButleradm;
const closing: (() => Promise<unknown>)[] = [];

type Beside = Parameters<OperatorWithButleradm["run"]>[1];

/** Runs a command that must succeed. */
async function good(line: string, beside?: Beside): Promise<CliRun> {
  const done = await operator.run(line, beside);
  expect(done.code, `butleradm ${line}\n${done.stdout}${done.stderr}`).toBe(0);
  return done;
}

/** Runs a command that must fail. */
async function refused(line: string, beside?: Beside): Promise<CliRun> {
  const done = await operator.run(line, beside);
  expect(done.code, `butleradm ${line}\n${done.stdout}${done.stderr}`).not.toBe(0);
  return done;
}

const write = (file: string, content: unknown): Promise<void> => writeFile(operator.file(file), stringify(content));

/** Repeats a command until it succeeds and its output contains a text. */
const shown = (line: string, text: string | RegExp): Promise<boolean> => {
  let seen: CliRun | undefined;
  return eventually(
    async () => {
      seen = await operator.run(line);
      return seen.code === 0 && (typeof text === "string" ? seen.stdout.includes(text) : text.test(seen.stdout));
    },
    { timeoutMs: minutes, intervalMs: 500, what: () => `${String(text)} in ${JSON.stringify(seen)}` },
  );
};

describe.runIf(canHostEngine)("butleradm from an empty machine on", { timeout: 4 * minutes }, () => {
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), "butler-adm-"));
    // Home of all engines of this run, so that they can be removed after an interruption.
    const engines = join(process.env[engineHomeVariable] ?? home, "engines");
    engine = new LocalEngine({ name: "adm", home: engines });
    const { kubeconfig } = engine.paths;
    kubectl = new KubectlCalls(kubeconfig);
    operator = new OperatorWithButleradm({ directory: home, engines, kubeconfig });
  });
  afterEach(() => operator?.leave());
  afterAll(async () => {
    for (const close of closing.reverse()) await close();
    await engine?.reset();
    await rm(home, { recursive: true, force: true });
  }, 3 * minutes);

  it("starts an engine, and reports its status", async () => {
    expect((await good(`local doctor ${name}`)).stdout).toContain("the engine can run on this machine");
    expect((await refused(`local status ${name}`)).stdout).toContain("is not running");
    expect((await good(`local up ${name}`)).stdout).toBe(`export KUBECONFIG=${engine.paths.kubeconfig}\n`);
    const state = JSON.parse((await good(`local status -o json ${name}`)).stdout) as Record<string, unknown>;
    expect(state).toMatchObject({ name: "adm", troubles: [] });
    expect((await good(`local kubeconfig ${name}`)).stdout).toBe(`${engine.paths.kubeconfig}\n`);
    expect((await good(`local logs etcd --lines 3 ${name}`)).stdout.trim().split("\n")).toHaveLength(3);
    expect((await refused("status")).stderr).toContain("Butler is not installed");
  });

  it("loads images, and installs Butler from them", async () => {
    const archives = await writeImageArchives(home);
    await good(`local images load ${archives.files.join(" ")} ${name}`);
    expect((await good(`local images list ${name}`)).stdout.split("\n")).toContain(archives.butler);
    await installClusterApiInEngine(engine);
    await write(
      "values.yaml",
      engineChartValues(archives.butler, await engine.nodeAddress(), await engine.clusterNetworks()),
    );
    await good("install --values values.yaml --wait --timeout 3m");
    expect((await refused("install --values values.yaml")).stderr).toContain("butleradm upgrade");
    await kubectl.run("wait", `datastore/${defaultDataStoreName}`, "--for=create", "--timeout=60s");
    await kubectl.run("wait", `datastore/${defaultDataStoreName}`, "--for=condition=Ready", "--timeout=120s");
    expect((await good("status")).stdout).toMatch(/^butler-steward +1\/1 /m);
    expect((await good("doctor --all")).stdout).not.toContain("FAULT");
    expect((await good("version")).stdout).not.toBe("");
    expect((await good("completion bash")).stdout).toContain("butleradm");
  });

  it("upgrades, and rolls back when a component does not become ready", async () => {
    const tooLarge = ["requests", "limits"].map((what) => `--set server.resources.${what}.memory=900Ti`);
    const failed = await refused(`upgrade ${tooLarge.join(" ")} --timeout 20s`);
    expect(failed.stderr).toMatch(/butler-server not ready/);
    expect(failed.stderr).toContain("Rolled back to version");
    await good("upgrade --set managementAddons.enabled=true --timeout 3m");
    await good("status");
    const server = await kubectl.run("get", "deployment/butler-server", "-n", system, "-o", "yaml");
    expect(server).not.toContain("900Ti");
  });

  it("manages providers and pools", async () => {
    await good("provider add here --type local");
    await shown("provider list", /^here +local +all teams +ready /m);
    expect((await good("provider test here")).stdout).toMatch(/^Result: +valid$/m);
    const nutanix = { endpoint: "https://prism.example.com", clusterUUID: "c", subnetUUID: "s" };
    await write("prism.yaml", { nutanix });
    const environment = { PRISM_USER: "butler" };
    const prism = "provider add prism --type nutanix -f prism.yaml --credential-env username=PRISM_USER";
    await good(`${prism} --credential-file password=-`, { environment, input: secrets.prism });
    await good("provider add spare --type local");
    await good("provider remove spare --yes");
    await good("network create lab --cidr 10.40.0.0/24 --reserve 10.40.0.0/28=Switches");
    await good("network resize lab --cidr 10.40.0.0/23");
    await good("network create spare --cidr 10.50.0.0/24");
    await good("network delete spare --yes");
    await shown("network list -o name", /^networkpool\/lab\n$/);
    const tenantClusterRef = { name: "gone", namespace: "payments" };
    const spec = { poolRef: { name: "lab" }, tenantClusterRef, type: "loadbalancer", count: 8 };
    const metadata = { name: "gone-lb", namespace: system };
    await kubectl.apply([{ apiVersion: IPAllocation.apiVersion, kind: IPAllocation.kind, metadata, spec }]);
    await shown("network show lab", /payments\/gone +loadbalancer +Allocated +gone-lb/);
    expect((await good("network allocations list --pool lab -o name")).stdout).toContain("/gone-lb\n");
    await good("network allocations release gone-lb --yes");
  });

  it("manages teams, accounts and identity providers", async () => {
    const settings = { multiTenancy: { mode: "Enforced" }, defaultProviderConfigRef: { name: "here" } };
    const { apiVersion, kind } = ButlerConfig;
    await kubectl.apply([{ apiVersion, kind, metadata: { name: "butler" }, spec: settings }]);
    await good("team create payments --admin ada@example.com");
    await good("team create search");
    await good("team add-member payments bob@example.com");
    await good("team set-role payments bob@example.com operator");
    expect((await good("team get payments")).stdout).toMatch(/bob@example\.com +operator/);
    await good("team remove-member payments bob@example.com --yes");
    await good("team quota payments --clusters 3");
    expect((await good("team list -o name")).stdout).toBe("team/payments\nteam/search\n");
    const invited = await good("user invite grace@example.com --name grace");
    expect(invited.stdout).toMatch(new RegExp(`^http://${await engine.nodeAddress()}:30080/invite/[\\w-]{43}\n$`));
    expect((await good("user reset grace")).stdout).not.toBe(invited.stdout);
    await good("user set-platform-role grace viewer");
    await good("user disable grace");
    await good("user enable grace");
    expect((await good("user get grace")).stdout).toContain("grace@example.com");
    expect((await good("user list -o name")).stdout).toBe("user/grace\n");
    const authority = await createAuthority("company");
    const account = { sub: "ada", email: "ada@example.com", email_verified: true };
    const identity = await startIdentityServer(authority, { redirectURL: "https://butler.example.com", account });
    closing.push(() => identity.stop());
    await writeFile(operator.file("ca.pem"), authority.cert);
    expect((await good("idp presets -o name")).stdout).toContain("keycloak");
    const company = `idp add company --issuer-url ${identity.issuer} --client-id butler --client-secret-file -`;
    await good(`${company} --console-url https://butler.example.com`, { input: secrets.company });
    await good("idp test company --ca ca.pem");
    expect((await refused("idp test company")).stdout).toMatch(/^Result: +invalid$/m);
    expect((await good("idp list -o name")).stdout).toBe("identityprovider/company\n");
  });

  it("migrates clusters without an environment", async () => {
    await kubectl.run("wait", "team/payments", "--for=condition=Ready", "--timeout=60s");
    const metadata = { name: "prod-shop", namespace: "payments" };
    const spec = { teamRef: { name: "payments" }, providerConfigRef: { name: "here" }, paused: true };
    await kubectl.apply([{ apiVersion: TenantCluster.apiVersion, kind: TenantCluster.kind, metadata, spec }]);
    const environments = [{ name: "dev" }, { name: "prod" }];
    const patch = ["--type=merge", "-p", JSON.stringify({ spec: { environments } })];
    await kubectl.run("patch", "team", "payments", ...patch);
    expect((await good("env list --team payments")).stdout).toMatch(/^payments +\(none\) +1 /m);
    await good("env migrate --rule prod=name:prod-* --apply --undo-file env.undo");
    const jsonPath = `jsonpath={.metadata.labels.${labels.environment.replaceAll(".", "\\.")}}`;
    expect(await kubectl.run("get", "tenantcluster", metadata.name, "-n", metadata.namespace, "-o", jsonPath)).toBe(
      "prod",
    );
  });

  it("manages the catalog, and installs an add-on on the management cluster", async () => {
    const shelf = await AddonShelf.open(await engine.nodeAddress());
    closing.push(() => shelf.close());
    await shelf.offer("crd-and-cr", "1.0.0");
    await write("addon.yaml", {
      apiVersion: AddonDefinition.apiVersion,
      kind: AddonDefinition.kind,
      metadata: { name: "greeting" },
      spec: {
        displayName: "Greeting",
        description: "Says something.",
        category: "other",
        chart: { repository: shelf.url, name: "crd-and-cr", defaultVersion: "1.0.0" },
      },
    });
    await good("addon catalog validate addon.yaml");
    await good("addon catalog add -f addon.yaml");
    expect((await good("addon catalog list -o name")).stdout).toContain("/greeting\n");
    expect((await good("addon catalog show greeting")).stdout).toContain("crd-and-cr");
    await good("addon install greeting");
    expect((await refused("addon catalog remove greeting --yes")).code).toBe(5);
    await shown("addon status greeting", /^Installed: +1\.0\.0$/m);
    expect((await good("addon list -o name")).stdout).toBe("managementaddon/greeting\n");
    await good("addon uninstall greeting --yes");
    await kubectl.run("wait", "managementaddon/greeting", "--for=delete", "--timeout=60s");
    await good("addon catalog remove greeting --yes");
  });

  it("backs up and restores", async () => {
    await good("backup all.tar.gz --with-secrets");
    expect((await stat(operator.file("all.tar.gz"))).mode & 0o777).toBe(0o600);
    await good("user delete grace --yes");
    await good("idp remove company --yes");
    await good("provider remove prism --yes");
    await good("team delete search --yes");
    await kubectl.run("wait", "team/search", "--for=delete", "--timeout=60s");
    await good("restore all.tar.gz --yes");
    await good("user get grace");
    await good("idp test company --ca ca.pem");
    await good("team get search");
    const password = await kubectl.run(
      "get",
      "secret",
      "prism-credentials",
      "-n",
      system,
      "-o=jsonpath={.data.password}",
    );
    expect(Buffer.from(password, "base64").toString()).toBe(secrets.prism);
  });

  it("collects diagnostics without secrets", async () => {
    await good("support-bundle bundle.tar.gz --lines 200");
    const text = gunzipSync(await readFile(operator.file("bundle.tar.gz"))).toString("latin1");
    const planted = Object.values(secrets).flatMap((secret) => [secret, Buffer.from(secret).toString("base64")]);
    const visible = ["prod-shop", "prism.example.com"];
    expect([...visible, ...planted].filter((word) => text.includes(word))).toEqual(visible);
  });

  it("shows a live dashboard in a terminal", async () => {
    const dashboard = await Dashboard.open({ columns: 120, rows: 40 }, engine.paths.kubeconfig);
    try {
      await dashboard.shows("● Live", "1 Overview", "Teams               2");
      await dashboard.press("2");
      await dashboard.shows("prod-shop");
      await dashboard.press("q");
      await dashboard.shows("ended with 0");
      operator.sawWell("tui");
    } finally {
      await dashboard.close();
    }
  });

  it("stops the engine and keeps its data, until it is removed", async () => {
    await good(`local down ${name}`);
    await refused(`local status ${name}`);
    await good(`local up ${name}`);
    expect((await good("team list -o name")).stdout).toBe("team/payments\nteam/search\n");
    await good(`local reset ${name}`);
    expect(existsSync(engine.paths.directory)).toBe(false);
  });

  it("has run every command successfully", async () => {
    const leaves = leafCommands(await butleradm.build(processTerminal()));
    expect(leaves.length).toBeGreaterThan(55);
    expect(operator.missing(leaves)).toEqual([]);
  });
});
