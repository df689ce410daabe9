import { Team, TenantCluster } from "@butler/api";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { useHarness } from "../testing/harness.ts";

const harness = useHarness("butleradm-team");
const team = (name = "search"): Promise<Team> => harness.cluster.client.get(Team, { name });
const usersOf = async (): Promise<string[]> =>
  ((await team()).spec.access.users ?? []).map(({ name, role }) => `${name} ${role}`);

describe("butleradm team", () => {
  it("shows how to create the first team, and creates one", async () => {
    expect(await harness.run("team list")).toMatchObject({ code: 0, stdout: "" });
    const dry = await harness.run("team create search --admin Ada@Example.com --environment dev --dry-run");
    expect(parse(dry.stdout)).toMatchObject({
      kind: "Team",
      spec: { access: { users: [{ name: "ada@example.com", role: "admin" }] }, environments: [{ name: "dev" }] },
    });
    expect((await harness.run("team list")).stdout).toBe("");
    const made = await harness.run([
      "team",
      "create",
      "search",
      "--display-name",
      "All of search",
      "--admin",
      "ada@example.com",
    ]);
    expect(made).toMatchObject({ code: 0, stdout: "" });
    const again = await harness.run("team create search");
    expect(again.code).not.toBe(0);
    expect(again.stderr).toContain("Team search already exists");
  });

  it("lists and shows teams", async () => {
    await harness.report(Team, { name: "search" }, { phase: "Ready", clusterCount: 2, quotaStatus: "OK" });
    const { stdout } = await harness.run("team list");
    expect(stdout.split("\n")[0]?.split(/ {2,}/)).toEqual([
      "NAME",
      "DISPLAY NAME",
      "PHASE",
      "CLUSTERS",
      "USERS",
      "GROUPS",
      "QUOTA",
      "AGE",
    ]);
    expect(stdout).toMatch(/^search +All of search +Ready +2 +1 +0 +OK /m);
    expect((await harness.run("team list -o name")).stdout).toBe("team/search\n");
    expect((await harness.run("team get search")).stdout).toMatch(/^ada@example\.com +admin +team$/m);
    expect((parse((await harness.run("team get search -o yaml")).stdout) as Team).metadata).not.toHaveProperty(
      "managedFields",
    );
    const missing = await harness.run("team get nowhere");
    expect(missing.code).not.toBe(0);
    expect(missing.stderr).toContain("team nowhere not found\nList them with: butleradm team list");
  });

  it("adds, changes and removes members, and keeps the last admin", async () => {
    expect((await harness.run("team add-member search Bob@Example.com --role operator")).code).toBe(0);
    expect(await usersOf()).toEqual(["ada@example.com admin", "bob@example.com operator"]);
    expect((await harness.run("team add-member search bob@example.com")).stderr).toContain("is already in the team");
    expect((await harness.run("team set-role search ada@example.com viewer")).stderr).toContain(
      "must keep at least one admin",
    );
    expect((await harness.run("team set-role search bob@example.com admin --dry-run")).stderr).toContain("(dry run)");
    expect(await usersOf()).toEqual(["ada@example.com admin", "bob@example.com operator"]);
    expect((await harness.run("team set-role search bob@example.com admin")).code).toBe(0);
    expect((await harness.run("team remove-member search ada@example.com")).code).toBe(2);
    expect((await harness.run("team remove-member search ada@example.com --yes")).code).toBe(0);
    expect(await usersOf()).toEqual(["bob@example.com admin"]);
    expect((await harness.run("team remove-member search ada@example.com --yes")).stderr).toContain(
      "is not a direct member of team",
    );
    expect((await harness.run("team add-member search nobody")).code).toBe(2);
    expect((await harness.run("team set-role search bob@example.com king")).code).toBe(2);
  });

  it("loses no concurrent changes", async () => {
    const names = ["c", "d", "e"].map((name) => `${name}@example.com`);
    const runs = await Promise.all(names.map((name) => harness.run(`team add-member search ${name}`)));
    expect(runs.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect((await usersOf()).sort()).toEqual(["bob@example.com admin", ...names.map((name) => `${name} viewer`)]);
  });

  it("shows and changes the quota of a team", async () => {
    await harness.create(
      TenantCluster,
      { name: "index", namespace: "search" },
      { spec: { workers: { replicas: 3, machineTemplate: { cpu: 4, memory: "8Gi", diskSize: "50Gi" } } } },
    );
    expect((await harness.run("team quota search")).stdout).toMatch(/^cpu +12 +no limit +-$/m);
    const set = await harness.run("team quota search --clusters 1 --cpu 16 --memory 64Gi --nodes-per-cluster 5");
    expect(set.stdout).toMatch(/^clusters +1 +1 +100%$/m);
    expect(set.stdout).toMatch(/^cpu +12 +16 +75%$/m);
    expect(set.stdout).toContain("Maximum per cluster: 5 nodes.");
    expect((await team()).spec.resourceLimits).toMatchObject({ maxClusters: 1, maxCPUCores: "16", maxMemory: "64Gi" });
    expect((await harness.run("team quota search --unlimited cpu --dry-run")).stdout).toMatch(/^cpu +12 +no limit/m);
    expect((await team()).spec.resourceLimits?.maxCPUCores).toBe("16");
    await harness.run("team quota search --unlimited cpu");
    expect((await team()).spec.resourceLimits).not.toHaveProperty("maxCPUCores");
    expect(JSON.parse((await harness.run("team quota search -o json")).stdout)).toMatchObject({
      team: "search",
      status: "Warning",
    });
    expect((await harness.run("team quota search --memory much")).code).toBe(2);
    expect((await harness.run("team quota search --unlimited all")).code).toBe(2);
  });

  it("deletes only teams without clusters", async () => {
    const refused = await harness.run("team delete search --yes");
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain("the team search has clusters: search/index; nothing was deleted");
    await harness.cluster.client.delete(TenantCluster, { name: "index", namespace: "search" });
    expect((await harness.run("team delete search")).code).toBe(2);
    expect((await harness.run("team delete search --yes")).stderr).toBe("The team search was deleted.\n");
    expect((await harness.run("team list")).stdout).toBe("");
  });
});
