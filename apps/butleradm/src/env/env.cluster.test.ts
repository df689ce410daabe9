import { readFile } from "node:fs/promises";
import { annotations, labels, Team, TenantCluster } from "@butler/api";
import { eventually } from "@butler/testkit";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { useHarness } from "../testing/harness.ts";
import type { ReportRow } from "./report.ts";

const harness = useHarness("butleradm-env");
const many = 150;
const rule = "--rule prod=name:prod-*";

/** The environment of every cluster, by name. */
async function places(): Promise<Record<string, string>> {
  const { items } = await harness.cluster.client.list(TenantCluster, {});
  return Object.fromEntries(items.map(({ metadata }) => [metadata.name, metadata.labels?.[labels.environment] ?? "-"]));
}
const countIn = async (place: string): Promise<number> =>
  Object.values(await places()).filter((each) => each === place).length;
const marks = async (): Promise<number> =>
  (await harness.cluster.client.list(TenantCluster, {})).items.filter(
    ({ metadata }) => metadata.annotations?.[annotations.migrationOperation] !== undefined,
  ).length;

async function make(name: string, environment?: string): Promise<void> {
  const own = environment === undefined ? {} : { labels: { [labels.environment]: environment } };
  await harness.create(
    TenantCluster,
    { name, namespace: "payments", ...own },
    { spec: { teamRef: { name: "payments" } } },
  );
}

describe("butleradm env", () => {
  it("lists environments, and clusters without one", async () => {
    expect((await harness.run("env list")).stderr).toContain("No environments found");
    const environments = [{ name: "dev", limits: { maxClusters: 3 } }, { name: "prod" }];
    await harness.create(Team, { name: "payments" }, { spec: { access: {}, environments } });
    await make("dev-a", "dev");
    await make("prod-a");
    const { stdout } = await harness.run("env list");
    expect(stdout).toMatch(/^payments +dev +1 +3 +-$/m);
    expect(stdout).toMatch(/^payments +prod +0 +- +-$/m);
    expect(stdout).toMatch(/^payments +\(none\) +1 +- +-$/m);
    expect((await harness.run("env list --team nobody")).stderr).toContain("team nobody not found");
  });

  it("prints the plan without changing anything", async () => {
    const { code, stdout, stderr } = await harness.run(`env migrate ${rule}`);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^payments\/prod-a +\(none\) +prod +would move$/m);
    expect(stderr).toContain("Nothing was changed. Add --apply to move them.");
    expect(await places()).toEqual({ "dev-a": "dev", "prod-a": "-" });
    await expect(readFile(harness.file("env-migration.undo"), "utf8")).rejects.toThrow("ENOENT");
  });

  it("requires rules or an undo file", async () => {
    expect((await harness.run("env migrate")).code).toBe(2);
    expect((await harness.run(`env migrate ${rule} --undo x`)).code).toBe(2);
    expect((await harness.run("env migrate --rule prod")).stderr).toContain("is invalid");
    expect((await harness.run("env migrate --undo nowhere")).stderr).toContain("file nowhere not found");
    await harness.write("other.txt", "hello\n");
    expect((await harness.run(`env migrate ${rule} --apply --undo-file other.txt`)).stderr).toContain(
      "not an undo file",
    );
    expect(await readFile(harness.file("other.txt"), "utf8")).toBe("hello\n");
    expect((await harness.run(`env migrate ${rule} --apply --undo-file no/such/folder`)).stderr).toContain(
      "cannot write no/such/folder",
    );
    expect((await places())["prod-a"]).toBe("-");
  });

  it("reports conflicts and unknown environments, and moves the rest", async () => {
    const rules = [
      { environment: "prod", name: "prod-*" },
      { environment: "dev", name: "dev-*" },
      { environment: "qa", name: "dev-a", labels: { [labels.environment]: "dev" } },
    ];
    const file = await harness.write("rules.yaml", stringify({ rules }));
    const run = await harness.run(`env migrate --rules ${file} --apply --undo-file first.undo`);
    expect(run.code).not.toBe(0);
    expect(run.stdout).toMatch(/^payments\/dev-a +dev +- +conflict +rules conflict: dev and qa$/m);
    expect(run.stdout).toMatch(/^payments\/prod-a +\(none\) +prod +moved$/m);
    expect(run.stderr).toContain("1 cluster was not moved");
    expect(await places()).toEqual({ "dev-a": "dev", "prod-a": "prod" });
    expect(await marks()).toBe(0);
    const unknown = await harness.run("env migrate --rule qa=name:prod-a --relabel -o json");
    const { items } = JSON.parse(unknown.stdout) as { items: readonly ReportRow[] };
    expect(items.find(({ cluster }) => cluster === "payments/prod-a")).toMatchObject({
      state: "unknown",
      note: "team payments does not define this environment",
    });
    expect((await harness.run("env migrate --rule dev=name:prod-a")).stdout).toContain("add --relabel to move it");
    const other = "env migrate --rule dev=name:prod-a --relabel --apply --undo-file first.undo";
    expect((await harness.run(other)).stderr).toContain(
      "is the undo file for a completed migration; nothing was changed",
    );
    expect((await places())["prod-a"]).toBe("prod");
    expect(await harness.run(`env migrate ${rule} --apply --undo-file first.undo`)).toMatchObject({
      code: 0,
      stdout: "",
    });
  });

  it("undoes its own moves, but not later changes by other clients", async () => {
    const dry = await harness.run("env migrate --undo first.undo");
    expect(dry.stdout).toMatch(/^payments\/prod-a +prod +\(none\) +would move$/m);
    expect((await places())["prod-a"]).toBe("prod");
    const set = (place: string | null) =>
      harness.cluster.client.patch(
        TenantCluster,
        { name: "prod-a", namespace: "payments" },
        { type: "merge", patch: { metadata: { labels: { [labels.environment]: place } } } },
      );
    await set("dev");
    const refused = await harness.run("env migrate --undo first.undo --apply");
    expect(refused.code).not.toBe(0);
    expect(refused.stdout).toContain("changed by another client; now in dev");
    expect((await places())["prod-a"]).toBe("dev");
    await set("prod");
    expect((await harness.run("env migrate --undo first.undo --apply")).stdout).toMatch(
      /prod-a +prod +\(none\) +moved$/m,
    );
    expect(await places()).toEqual({ "dev-a": "dev", "prod-a": "-" });
    const again = await harness.run("env migrate --undo first.undo --apply");
    expect(again).toMatchObject({ code: 0, stdout: "" });
    expect(await marks()).toBe(0);
  });

  it("resumes after it was killed, and undoes all of it", async () => {
    for (let at = 0; at < many; at++) await make(`prod-${String(at).padStart(3, "0")}`);
    const before = await places();
    const line = `env migrate ${rule} --apply --undo-file crash.undo`;
    const running = harness.start(line);
    await eventually(async () => (await countIn("prod")) >= 3);
    running.process.kill("SIGKILL");
    await running.ended;
    const done = await countIn("prod");
    expect(done).toBeLessThan(many + 1);
    const resumed = await harness.run(line);
    expect(resumed.code).toBe(0);
    expect(resumed.stderr).toContain("Resuming the migration recorded in crash.undo.");
    expect(await countIn("prod")).toBe(many + 1);
    expect(await marks()).toBe(0);
    const undone = await harness.run("env migrate --undo crash.undo --apply");
    expect(undone.code).toBe(0);
    expect(await places()).toEqual(before);
    expect(await marks()).toBe(0);
  });

  it("rejects an undo file of another platform", async () => {
    const text = await readFile(harness.file("crash.undo"), "utf8");
    await harness.write("foreign.undo", text.replace(/"platform":"[^"]*"/, '"platform":"another"'));
    const refused = await harness.run("env migrate --undo foreign.undo --apply");
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain("was created on another platform; nothing was changed");
  });
});
