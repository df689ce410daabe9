import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { builtinKinds } from "@butler/resource";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ReleaseBench, withoutHook } from "../testing/release-bench.ts";
import { forgetRevision } from "./forget-revision.ts";

const namespace = "shop";
let bench: ReleaseBench;

beforeAll(async () => {
  bench = await ReleaseBench.start();
});
afterAll(() => bench?.stop());

describe("a helm that is stopped", () => {
  it("has nothing secret on its command line or in its environment", async () => {
    const { stopping, done, pid } = await bench.begin("open", { values: { password: "hunter2", greeting: "salve" } });
    try {
      const texts = await Promise.all(["cmdline", "environ"].map((file) => readFile(`/proc/${pid}/${file}`, "utf8")));
      expect(texts[0]).toContain("upgrade\0--install\0open");
      expect(texts[1]).toContain("GOMEMLIMIT=256MiB");
      for (const text of texts) expect(text).not.toMatch(/hunter2|salve|PRIVATE|LS0tLS1CRUdJTi/);
      expect(texts[1]?.split("\0").map((entry) => entry.replace(/=.*/s, ""))).not.toContain("KUBERNETES_SERVICE_HOST");
    } finally {
      stopping.abort();
      await done;
    }
  });

  it("records that it did not finish when canceled, and the next attempt continues", async () => {
    const { stopping, done } = await bench.begin("cancelled");
    stopping.abort(new Error("enough"));
    expect(await done).toMatchObject({ reason: "Cancelled", cause: { message: "enough" } });
    expect(await bench.states("cancelled")).toEqual(["failed"]);
    await bench.install("cancelled");
    // Helm calls every revision before the one that runs superseded, also one that never did.
    expect(await bench.states("cancelled")).toEqual(["superseded", "deployed"]);
    expect(await bench.runFolders()).toEqual([]);
  });

  it("is not started when canceled before", async () => {
    await expect(bench.install("never-begun", {}, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      reason: "Cancelled",
    });
    expect(await bench.states("never-begun")).toEqual([]);
  });

  it("respects the total limit, whatever the limit of each hook", async () => {
    // As if there had been hooks that took most of the time already.
    const impatient = bench.helmWith({ slackMs: -57_000 });
    const attempt = impatient.upgradeOrInstall(bench.request("late", { values: {} }), bench.call());
    await expect(attempt).rejects.toMatchObject({ reason: "TimedOut" });
    expect(await bench.states("late")).not.toContain("pending-install");
  });

  it("locks the release when killed, until its revision is discarded", async () => {
    await bench.install("killed");
    const { done, pid } = await bench.begin("killed");
    process.kill(pid, "SIGKILL");
    expect(await done).toMatchObject({ reason: "Killed", message: expect.stringContaining("SIGKILL") });
    expect(await bench.states("killed")).toEqual(["deployed", "pending-upgrade"]);
    await expect(bench.install("killed")).rejects.toMatchObject({ reason: "ReleaseLocked" });
    const revision = { namespace, release: "killed", revision: 2 };
    expect(await forgetRevision(bench.cluster.client, revision)).toBe(true);
    expect(await forgetRevision(bench.cluster.client, revision)).toBe(false);
    await bench.install("killed");
    expect(await bench.states("killed")).toEqual(["superseded", "deployed"]);
    await expect(forgetRevision(bench.cluster.client, revision)).rejects.toMatchObject({ code: "CONFLICT" });
  });

  it("locks a first installation the same way, and the next attempt adopts its objects", async () => {
    const { done, pid } = await bench.begin("born");
    process.kill(pid, "SIGKILL");
    await done;
    expect(await bench.states("born")).toEqual(["pending-install"]);
    await expect(bench.install("born")).rejects.toMatchObject({ reason: "ReleaseLocked" });
    await forgetRevision(bench.cluster.client, { namespace, release: "born", revision: 1 });
    await bench.install("born", { values: { ...withoutHook, greeting: "again" } });
    expect(await bench.dataOf("born")).toEqual({ greeting: "again" });
  });
});

describe("a cluster that is unavailable", () => {
  const user = { name: "a", user: { token: "abcdefgh.very-secret-token" } };
  const config = (server: string, further: object = user): string =>
    JSON.stringify({
      apiVersion: "v1",
      kind: "Config",
      "current-context": "a",
      clusters: [{ name: "a", cluster: { server, "certificate-authority-data": caData() } }],
      users: [further],
      contexts: [{ name: "a", context: { cluster: "a", user: "a" } }],
    });
  const caData = (): string => Buffer.from(bench.cluster.controlPlane.caPem).toString("base64");

  it.each<[string, () => string]>([
    ["is empty", () => ""],
    ["is no kubeconfig", () => "just text"],
    ["would run a program", () => config("https://127.0.0.1:9", { name: "a", user: { exec: { command: "sh" } } })],
    ["would read a file", () => config("https://127.0.0.1:9", { name: "a", user: { tokenFile: "/etc/shadow" } })],
    ["speaks in the open", () => config("http://127.0.0.1:9")],
  ])("is not contacted with a kubeconfig that %s", async (_title, text) => {
    await expect(bench.install("web", {}, { target: { kubeconfig: text() } })).rejects.toMatchObject({
      code: "INVALID_INPUT",
      message: expect.stringContaining("kubeconfig"),
    });
    expect(await bench.runFolders()).toEqual([]);
  });

  it("is reported quickly when unreachable", async () => {
    const target = { kubeconfig: config("https://127.0.0.1:9") };
    const unreachable = { reason: "ClusterUnreachable", isRetryable: true };
    await expect(bench.install("web", {}, { target })).rejects.toMatchObject(unreachable);
    const release = { release: "web", namespace, timeoutMs: 5_000 };
    await expect(bench.helm.rollback({ ...release, revision: 1 }, bench.call({ target }))).rejects.toMatchObject(
      unreachable,
    );
    await expect(bench.helm.uninstall(release, bench.call({ target }))).rejects.toMatchObject(unreachable);
  });

  it("times out when it accepts a connection and does not respond", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    try {
      await once(server, "listening");
      const { port } = server.address() as AddressInfo;
      const target = { kubeconfig: config(`https://127.0.0.1:${port}`) };
      const patient = bench.helmWith({ slackMs: 500 });
      const attempt = patient.upgradeOrInstall(bench.request("web", { timeoutMs: 500 }), bench.call({ target }));
      await expect(attempt).rejects.toMatchObject({ reason: "TimedOut" });
    } finally {
      server.close();
    }
  });

  it("is reported when it rejects the credentials, without quoting them", async () => {
    const target = { kubeconfig: config(bench.cluster.controlPlane.server) };
    const error: unknown = await bench.install("web", {}, { target }).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ reason: "CredentialsRefused" });
    expect(JSON.stringify(error) + String(error)).not.toContain("very-secret-token");
  });

  it("is reported when access is forbidden, and an uninstall does not count as done", async () => {
    await bench.install("web");
    const guest = await bench.cluster.controlPlane.issueClientCertificate({ user: "guest" });
    const target = { kubeconfig: JSON.stringify(guest.kubeconfig) };
    await expect(bench.install("web", {}, { target })).rejects.toMatchObject({ reason: "Forbidden" });
    const removal = bench.helm.uninstall({ release: "web", namespace, timeoutMs: 5_000 }, bench.call({ target }));
    await expect(removal).rejects.toMatchObject({ reason: "Forbidden" });
    expect(await bench.states("web")).toContain("deployed");
  });

  it("is used with a kubeconfig file of the user", async () => {
    await bench.install(
      "web",
      { namespace: "file" },
      { target: { kubeconfigFile: bench.cluster.controlPlane.kubeconfigPath } },
    );
    expect(await bench.cluster.client.find(builtinKinds.Namespace, { name: "file" })).toBeDefined();
  });
});
