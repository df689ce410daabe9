import { Team, TenantCluster, User } from "@butler/api";
import { installCrds } from "@butler/kube";
import { eventually } from "@butler/testkit";
import { readFile, stat, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { createBlue, useHarness } from "../testing/harness.ts";

const harness = useHarness("butlerctl-team");

interface List {
  readonly items: readonly Readonly<Record<string, unknown>>[];
}
const listed = async (line: string): Promise<List> => JSON.parse((await harness.run(`${line} -o json`)).stdout) as List;

describe("butlerctl team and env", () => {
  it("shows teams, their members, usage and environments", async () => {
    await installCrds(harness.cluster.client, [User]);
    await harness.create(User, { name: "eve" }, { spec: { email: "eve@example.com", displayName: "Eve" } });
    const status = { lastSeenGroups: ["developers"] };
    const patch = { type: "merge", subresource: "status", patch: { status } } as const;
    await harness.cluster.client.patch(User, { name: "eve" }, patch);
    const access = {
      users: [{ name: "ada@example.com", role: "admin" }],
      groups: [{ name: "developers", role: "viewer" }],
    };
    await harness.cluster.client.patch(Team, { name: "payments" }, { type: "merge", patch: { spec: { access } } });
    expect((await harness.run(createBlue)).code).toBe(0);

    expect(await listed("team list")).toMatchObject({ items: [{ name: "payments", members: 1, groups: 1 }] });
    expect((await harness.run("team list --no-headers")).stdout).toMatch(/^payments +Pending +- +- +1 +\w+\n$/);
    expect((await listed("team members payments")).items).toMatchObject([
      { email: "ada@example.com", role: "admin", source: "direct" },
      { email: "eve@example.com", role: "viewer", source: "group", groupName: "developers" },
    ]);
    const got = await harness.run("team get payments");
    expect(got.stdout).toMatch(/^Members: +1 named, 1 group$/m);
    expect(got.stdout).toMatch(/^ {2}maxClusters: +4$/m);
    expect(got.stdout).toMatch(/^ {2}dev +1 +2 +-$/m);

    const usage = await harness.run("team usage payments");
    expect(usage.stdout).toMatch(/^clusters +1 +4 +25%$/m);
    expect(usage.stdout).toMatch(/^CPU cores +8 +40 +20%$/m);
    expect(usage.stdout).toMatch(/^disk +100Gi +no limit +-$/m);
    expect(usage.stdout).toMatch(/\nOK: within all limits\n$/);
    expect(JSON.parse((await harness.run("team usage payments -o json")).stdout)).toMatchObject({
      team: "payments",
      nodes: 2,
    });

    expect(await listed("env list --team payments")).toMatchObject({
      items: [{ name: "dev", clusters: 1, maxClusters: 2 }],
    });
    expect((await harness.run("env list -A")).stdout).toMatch(/^TEAM +NAME/);
    expect((await harness.run("team get", { environment: { BUTLER_NAMESPACE: "payments" } })).stdout).toContain(
      "payments",
    );
    expect((await harness.run("team get")).code).toBe(2);
    expect((await harness.run("team get absent")).stderr).toContain('team "absent" not found');
    expect((await harness.run("team get payments --team other")).code).toBe(2);
  });

  it("watches environments with --watch", async () => {
    const watching = harness.start("env list --team payments --watch -o name");
    await eventually(() => watching.output.stdout === "payments/dev\n", {
      what: () => JSON.stringify(watching.output),
    });
    const environments = [{ name: "dev", limits: { maxClusters: 2 } }, { name: "prod" }];
    await harness.cluster.client.patch(
      Team,
      { name: "payments" },
      { type: "merge", patch: { spec: { environments } } },
    );
    await eventually(() => watching.output.stdout === "payments/dev\npayments/prod\n", {
      what: () => watching.output.stdout,
    });
    watching.process.kill("SIGINT");
    expect((await watching.ended).code).toBe(130);
  });

  it("explains why listing teams is denied", async () => {
    const config = parse(await readFile(harness.kubeconfig, "utf8")) as { users: { user: object }[] };
    for (const entry of config.users) entry.user = { ...entry.user, as: "stranger@example.com" };
    const file = harness.file("stranger");
    await writeFile(file, stringify(config), { mode: 0o600 });
    const refused = await harness.run("team list", { kubeconfig: file });
    expect([refused.code === 0, refused.stdout]).toEqual([false, ""]);
    expect(refused.stderr).toContain("you don't have permission to list all teams");
    expect(refused.stderr).toContain("butlerctl login");
  });
});

describe("butlerctl context", () => {
  /** A kubeconfig of two files, with comments: the platform, one that is away, and one without a cluster. */
  async function twoFiles(): Promise<{ readonly files: readonly [string, string]; readonly both: string }> {
    const own = parse(await readFile(harness.kubeconfig, "utf8")) as {
      clusters: { name: string; cluster: object }[];
      users: { name: string; user: object }[];
      contexts: { name: string; context: object }[];
    };
    const [first, second] = [harness.file("one"), harness.file("two")];
    const context = own.contexts[0]?.context;
    await writeFile(
      first,
      `# mine\n${stringify({ ...own, contexts: [{ name: "lab", context }], "current-context": "lab" })}`,
    );
    const away = { name: "away", cluster: { server: "https://127.0.0.1:1" } };
    const contexts = [
      { name: "away", context: { cluster: "away", user: own.users[0]?.name } },
      { name: "twin", context },
    ];
    await writeFile(second, `# theirs\n${stringify({ apiVersion: "v1", kind: "Config", clusters: [away], contexts })}`);
    return { files: [first, second], both: `${first}:${second}` };
  }

  it("lists the contexts that point to platforms, and describes the others", async () => {
    const { both } = await twoFiles();
    const run = (line: string) => harness.run(line, { kubeconfig: both });
    const platforms = await run("context list");
    expect(platforms.stdout).toMatch(
      /^CURRENT +NAME +TARGET +NAMESPACE +SERVER\n\* +lab +Butler platform +- +https.*\n +twin +Butler platform/,
    );
    expect(platforms.stderr).toContain("1 context is hidden");
    const all = JSON.parse((await run("context list --all -o json")).stdout) as List;
    expect(all.items.map(({ name, leadsTo }) => [name, leadsTo])).toEqual([
      ["lab", "butler"],
      ["away", "away"],
      ["twin", "butler"],
    ]);
    expect((await run("context list --offline -o name")).stdout).toBe("lab\naway\ntwin\n");
    expect((await run("context show away")).stdout).toMatch(/^Target: +unreachable: /m);
    expect((await run("context show -o name")).stdout).toBe("lab\n");
  });

  it("changes the current context and its namespace, and leaves everything else unchanged", async () => {
    const { files, both } = await twoFiles();
    const run = (line: string) => harness.run(line, { kubeconfig: both });
    expect((await run("context use twin --team payments")).stderr).toBe(
      "The current context is twin, with namespace payments.\n",
    );
    const [one, two] = await Promise.all(files.map((file) => readFile(file, "utf8")));
    expect([one?.startsWith("# mine\n"), two?.startsWith("# theirs\n")]).toEqual([true, true]);
    expect(parse(one ?? "")).toMatchObject({ "current-context": "twin" });
    expect(parse(two ?? "")).toMatchObject({ contexts: [{}, { name: "twin", context: { namespace: "payments" } }] });
    expect((await stat(files[1])).mode & 0o777).toBe(0o600);
    expect((await run("cluster list -o name")).stdout).toBe("tenantcluster.butler.butlerlabs.dev/blue\n");
    expect((await run("context use -n search")).stderr).toContain("namespace search");
    expect((await run("cluster list")).stderr).toContain("No clusters found in namespace search.");
    expect((await run("context use nowhere")).stderr).toContain("Available contexts: lab, away, twin.");
    expect((await run("context use")).code).toBe(2);
    expect((await run("context use --team absent")).stderr).toContain('team "absent" not found');
    expect((await harness.run("context list", { kubeconfig: harness.file("nothing") })).stderr).toContain(
      "butlerctl login",
    );
    expect(await harness.cluster.client.find(TenantCluster, { name: "blue", namespace: "payments" })).toBeDefined();
  });
});
