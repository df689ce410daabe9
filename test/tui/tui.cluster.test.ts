import { fileURLToPath } from "node:url";
import { allResources, annotations, TenantCluster } from "@butler/api";
import { apiVersionOf } from "@butler/resource";
import { eventually, aTestCluster, type TestCluster } from "@butler/testkit";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { Dashboard, masked } from "./lib/dashboard.ts";
import { type Size, Tmux } from "./lib/tmux.ts";
import { seedDashboard } from "./lib/seed-dashboard.ts";

const small: Size = { columns: 80, rows: 24 };
const large: Size = { columns: 200, rows: 50 };

/** Each tab, with a marker that only it contains. */
const tabs = [
  ["overview", "Overview", "Needs attention"],
  ["clusters", "Clusters", "suggestions-of-the-week"],
  ["control-planes", "Control planes", "DATASTORE"],
  ["teams", "Teams", "40Gi/256Gi"],
  ["networks", "Networks", "10.41.0.0/28"],
  ["add-ons", "Add-ons", "cert-manager"],
  ["events", "Events", "NoRoom"],
  ["audit", "Audit", "bob@example.com"],
  ["health", "Health", "butler-controllers"],
] as const;

let cluster: TestCluster;
let directory: string;
const open = new Set<{ close(): Promise<void> }>();

async function start(size: Size, environment: Record<string, string> = {}): Promise<Dashboard> {
  const dashboard = await Dashboard.open(size, cluster.controlPlane.kubeconfigPath, environment);
  open.add(dashboard);
  return dashboard;
}

const golden = (size: Size, name: string): string => `./screens/${size.columns}x${size.rows}/${name}.txt`;

describe("butleradm tui", () => {
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "butler-tui-"));
    cluster = await aTestCluster({ mine: { name: "management" }, resources: allResources });
    await seedDashboard(cluster);
  });
  afterEach(async () => {
    for (const each of open) await each.close();
    open.clear();
  });
  afterAll(async () => {
    await cluster?.stop();
    await rm(directory, { recursive: true, force: true });
  });

  it.each([small, large])("shows every tab on $columns×$rows", async (size) => {
    const dashboard = await start(size);
    await dashboard.loaded();
    for (const [at, [name, title, marker]] of tabs.entries()) {
      await dashboard.press(String(at + 1));
      const active = size.columns < 112 ? `[${title}]` : `[${at + 1} ${title}]`;
      const screen = await dashboard.shows(active, marker, "● Live");
      await expect(masked(screen)).toMatchFileSnapshot(golden(size, name));
    }
  });

  it.each([small, large])("shows details, dialogs and keys on $columns×$rows", async (size) => {
    const dashboard = await start(size);
    await dashboard.loaded();
    await dashboard.press("2", "/");
    await dashboard.terminal.type("search fail");
    await dashboard.press("Enter");
    await dashboard.shows("Filter: “search fail”", "1 of 1");
    await dashboard.press("Enter");
    const details = await dashboard.shows("› search/indexer", "indexer has failed");
    await expect(masked(details)).toMatchFileSnapshot(golden(size, "cluster-details"));
    await dashboard.press("d");
    const question = await dashboard.shows("Type indexer to delete it");
    await expect(masked(question)).toMatchFileSnapshot(golden(size, "delete-cluster"));
    await dashboard.press("Escape", "?");
    const keys = await dashboard.shows("switch tabs");
    await expect(masked(keys)).toMatchFileSnapshot(golden(size, "keys"));
    await dashboard.press("Escape", "Escape", "Escape", "5", "Enter");
    const pool = await dashboard.shows("› butler-system/datacenter");
    await expect(masked(pool)).toMatchFileSnapshot(golden(size, "network-details"));
  });

  it("makes only confirmed changes", async () => {
    const key = { name: "scratch", namespace: "payments" };
    await cluster.client.create(TenantCluster, {
      apiVersion: apiVersionOf(TenantCluster),
      kind: "TenantCluster",
      metadata: key,
      spec: { kubernetesVersion: "v1.35.2", workers: { replicas: 2 } },
    } as Parameters<typeof cluster.client.create>[1]);
    const current = () => cluster.client.find(TenantCluster, key);
    onTestFinished(() => cluster.client.delete(TenantCluster, key).catch(() => undefined));
    const dashboard = await start(small);
    await dashboard.shows("● Live");
    await dashboard.press("2", "/");
    await dashboard.terminal.type("scratch");
    await dashboard.press("Enter");
    await dashboard.shows("1 of 1", "0/2");
    await dashboard.press("s", "5", "Enter");
    await dashboard.shows("Scaling scratch from 2 to 5 workers.", "y confirm");
    await dashboard.press("n", "s", "5", "Enter");
    await dashboard.shows("y confirm");
    expect((await current())?.spec.workers.replicas).toBe(2);
    await dashboard.press("y");
    await dashboard.shows("● Scaling scratch from 2 to 5", "0/5");
    expect((await current())?.spec.workers.replicas).toBe(5);
    await dashboard.press("u");
    await dashboard.terminal.type("v1.34.0");
    await dashboard.press("Enter");
    await dashboard.shows("✕ scratch");
    await dashboard.press("Escape", "p", "y");
    await dashboard.shows("scratch is now protected from deletion.", "p unprotect");
    expect((await current())?.metadata.annotations?.[annotations.deletionProtection]).toBe("true");
    await dashboard.press("d");
    await dashboard.shows("scratch is protected from deletion. Press p");
    await dashboard.press("p", "y");
    await dashboard.shows("scratch is no longer protected from deletion.", "p protect");
    await dashboard.press("d");
    await dashboard.terminal.type("something");
    await dashboard.press("Enter");
    await dashboard.shows("The name does not match.");
    await dashboard.press("C-u");
    await dashboard.terminal.type("scratch");
    await dashboard.press("Enter");
    await dashboard.shows("scratch is being deleted.", "No matches for “scratch”.");
    expect(await current()).toBeUndefined();
  });

  it("adapts to the size of the terminal", async () => {
    const dashboard = await start(small);
    await dashboard.loaded();
    await dashboard.press("2");
    await dashboard.shows("[Clusters]");
    await dashboard.terminal.resize(large);
    const wide = await dashboard.shows("[2 Clusters]", "ENDPOINT", "10.40.1.100:6443");
    expect(wide).toHaveLength(50);
    expect(wide.at(-1)).toContain("q quit");
    await dashboard.terminal.resize({ columns: 30, rows: 8 });
    await dashboard.shows("Enlarge the terminal");
    await dashboard.terminal.resize(small);
    const back = await dashboard.shows(" Overview [Clusters] Control planes", "q quit");
    await expect(masked(back)).toMatchFileSnapshot(golden(small, "clusters"));
  });

  it("keeps showing data while the API server is down, reports it, and recovers automatically", async () => {
    const dashboard = await start(small);
    await dashboard.loaded();
    await dashboard.press("2");
    await dashboard.shows("[Clusters]", "suggestions-of-the-week");
    await cluster.controlPlane.stopApiServer({ signal: "SIGKILL" });
    try {
      await dashboard.shows("▲ Stale for", "▲ Connection lost", "suggestions-of-the-week");
      await dashboard.press("s");
      await dashboard.shows("changes are disabled");
      await dashboard.press("1", "9", "2", "Enter");
      await dashboard.shows("› payments/blue");
      await dashboard.press("Escape");
    } finally {
      await cluster.controlPlane.startApiServer();
    }
    await dashboard.shows("● Live", "suggestions-of-the-week");
    const patch = { status: { workerNodesReady: 2 } };
    await cluster.client.patch(
      TenantCluster,
      { name: "green", namespace: "payments" },
      { type: "merge", patch, subresource: "status" },
    );
    await dashboard.shows("2/2");
    expect((await dashboard.terminal.screen()).join("\n")).not.toContain("Stale");
  });

  it("waits for an API server that is not running yet", async () => {
    await cluster.controlPlane.stopApiServer();
    const dashboard = await start(small);
    try {
      await dashboard.shows("◐ Connecting to management", "ECONNREFUSED");
    } finally {
      await cluster.controlPlane.startApiServer();
    }
    await dashboard.loaded();
  });

  it("reports missing permissions", async () => {
    const { kubeconfig } = await cluster.controlPlane.issueClientCertificate({ user: "nobody" });
    const file = join(directory, "nobody.kubeconfig");
    await writeFile(file, JSON.stringify(kubeconfig));
    const dashboard = await Dashboard.open(small, file);
    open.add(dashboard);
    await dashboard.press("2");
    const screen = await dashboard.shows("▲ Permission denied.");
    expect(screen.join("\n")).toContain("nobody");
  });

  it.each([
    ["q", "ended with 0"],
    ["C-c", "ended with 0"],
    ["SIGTERM", "ended with 143"],
  ])("restores the terminal on %s", async (how, ending) => {
    const dashboard = await start(small);
    const { terminal } = dashboard;
    await dashboard.shows("● Live");
    expect(await terminal.fact("alternate_on")).toBe("1");
    if (how === "SIGTERM") await terminal.signal("TERM");
    else await dashboard.press(how);
    const screen = await dashboard.shows("before", ending);
    expect(screen.join("\n")).not.toContain("Needs attention");
    expect([await terminal.fact("alternate_on"), await terminal.fact("cursor_flag")]).toEqual(["0", "1"]);
    await terminal.type("stty -a");
    await dashboard.press("Enter");
    const settings = (await dashboard.shows("icanon")).join(" ");
    expect(settings).not.toMatch(/-icanon|-echo\b/);
  });

  it("restores the terminal on an error, and reports it", async () => {
    const parts = fileURLToPath(new URL("../../apps/butleradm/src/tui/", import.meta.url));
    // The dashboard breaks when this file appears, so that the test sees it before.
    const trigger = join(directory, "break-now");
    const script = [
      `import { existsSync } from "node:fs";`,
      `import { Store } from "${parts}store.ts";`,
      `import { showScreen } from "${parts}show-screen.ts";`,
      `import { initialState } from "${parts}model/state.ts";`,
      `const store = new Store(initialState({ size: { columns: 80, rows: 24 }, nowMs: 0, context: "broken" }), () => {});`,
      `const breakOnce = () => {`,
      `  if (existsSync(${JSON.stringify(trigger)})) store.dispatch({ type: "data", snapshot: null, connection: { state: "connecting" } });`,
      `  else setTimeout(breakOnce, 50);`,
      `};`,
      `breakOnce();`,
      `const { signal } = new AbortController();`,
      `await showScreen({ store, hasColours: true, signal }).catch((error) => console.log("broke:", error.message));`,
    ];
    const file = join(directory, "breaking.mjs");
    await writeFile(file, script.join("\n"));
    const { HOME = "", PATH = "" } = process.env;
    const terminal = await Tmux.open(small, { HOME, PATH });
    open.add(terminal);
    await terminal.type(`echo before; ${process.execPath} ${file}; echo ended`);
    await terminal.press("Enter");
    const text = async () => (await terminal.screen()).join("\n");
    await eventually(async () => (await text()).includes("Connecting to broken"));
    await writeFile(trigger, "");
    await eventually(async () => /\nbefore\nbroke: .+\nended\n/.test(await text()));
    expect([await terminal.fact("alternate_on"), await terminal.fact("cursor_flag")]).toEqual(["0", "1"]);
  });

  it("uses colors unless NO_COLOR is set", async () => {
    // ECMA-48 color codes.
    const colour = /\[(?:\d+;)*3[1-6]m/;
    // Also with CI set: a dashboard is always interactive.
    for (const environment of [{}, { CI: "true" }]) {
      const dashboard = await start(small, environment);
      await dashboard.loaded();
      expect(await dashboard.terminal.painted()).toMatch(colour);
    }
    const plain = await start(small, { NO_COLOR: "1" });
    await plain.loaded();
    expect(await plain.terminal.painted()).not.toMatch(colour);
  });
});
