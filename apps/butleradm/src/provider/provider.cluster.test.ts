import { ButlerConfig, ProviderConfig, Team, TenantCluster } from "@butler/api";
import { builtinKinds, type DynamicObject } from "@butler/resource";
import { describe, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { useHarness } from "../testing/harness.ts";

const harness = useHarness("butleradm-provider");
const place = { name: "prism", namespace: "butler-system" };
const secretPlace = { name: "prism-credentials", namespace: "butler-system" };
const find = (key = place): Promise<ProviderConfig | undefined> => harness.cluster.client.find(ProviderConfig, key);
const secret = (key = secretPlace): Promise<DynamicObject | undefined> =>
  harness.cluster.client.find(builtinKinds.Secret, key);
const nutanix = { endpoint: "https://prism.example.com", clusterUUID: "c", subnetUUID: "s" };
const condition = {
  type: "Ready",
  status: "False",
  reason: "ValidationFailed",
  message: "the team is not there",
  lastTransitionTime: "2026-06-01T12:00:00Z",
};

describe("butleradm provider add", () => {
  it("never takes a credential from the command line", async () => {
    for (const line of [
      "provider add prism --type nutanix --credential password=hunter2",
      "provider add prism --type nutanix --password hunter2",
      "provider add prism --type nutanix --credential-file hunter2",
    ]) {
      const refused = await harness.run(line);
      expect(refused.code).toBe(2);
      expect(refused.stdout).toBe("");
    }
    expect((await harness.run("provider add prism --type nutanix --credential-file hunter2")).stderr).not.toContain(
      "hunter2",
    );
    expect(
      (await harness.run("provider add prism --type nutanix --set credentials.password=hunter2")).stderr,
    ).toContain("Pass credentials with --credential-file");
  });

  it("reports missing credentials and settings, and creates nothing", async () => {
    expect((await harness.run("provider list")).stderr).toContain("No providers found");
    const bare = await harness.run("provider add prism --type nutanix");
    expect(bare.stderr).toContain("provider type nutanix requires username and password in its credentials");
    const file = await harness.write("prism.yaml", stringify({ nutanix: { ...nutanix, endpoint: undefined } }));
    const environment = { PRISM_USER: "butler", PRISM_PASSWORD: "hunter2" };
    const credentials = "--credential-env username=PRISM_USER --credential-env password=PRISM_PASSWORD";
    const unfinished = await harness.run(`provider add prism --type nutanix -f ${file} ${credentials}`, {
      environment,
    });
    expect(unfinished.code).not.toBe(0);
    expect(unfinished.stderr).toContain("spec.nutanix.endpoint");
    expect(unfinished.stderr).not.toContain("hunter2");
    expect((await harness.run(`provider add prism --type nutanix ${credentials}`)).stderr).toContain(
      "environment variable PRISM_USER is not set",
    );
    expect((await harness.run(`provider add prism --type aws -f ${file}`)).code).not.toBe(0);
    expect(await find()).toBeUndefined();
    expect(await secret()).toBeUndefined();
  });

  it("creates a provider with its Secret from files, the environment and standard input", async () => {
    const file = await harness.write("prism.yaml", stringify({ kind: "ProviderConfig", spec: { nutanix } }));
    await harness.write("password.txt", "hunter2\n");
    const words = `provider add prism --type nutanix -f ${file} --set nutanix.port=9441 --credential-env username=PRISM_USER`;
    const environment = { PRISM_USER: "butler" };
    const dry = await harness.run(`${words} --credential-file password=password.txt --dry-run`, { environment });
    expect(dry.stdout + dry.stderr).not.toContain("hunter2");
    expect(parse(dry.stdout)).toMatchObject({ spec: { nutanix: { port: 9441 }, scope: { type: "platform" } } });
    expect(await find()).toBeUndefined();
    const made = await harness.run(`${words} --credential-file password=-`, { environment, input: "hunter2\n" });
    expect(made).toMatchObject({ code: 0, stdout: "" });
    const provider = await find();
    expect(provider?.spec).toMatchObject({ nutanix: { port: 9441 }, credentialsRef: { name: "prism-credentials" } });
    expect(await secret()).toMatchObject({
      data: { username: "YnV0bGVy", password: "aHVudGVyMg==" },
      metadata: { ownerReferences: [{ uid: provider?.metadata.uid }] },
    });
    const again = await harness.run(`${words} --credential-file password=password.txt`, { environment });
    expect(again.stderr).toContain("ProviderConfig butler-system/prism already exists");
  });

  it("leaves no provider behind when a Secret of that name exists", async () => {
    await harness.create(
      builtinKinds.Secret,
      { name: "lab-credentials", namespace: "payments" },
      { type: "Opaque", data: { other: "eA==" } },
    );
    const credentials = await harness.write("lab.json", JSON.stringify({ token: "hunter2" }));
    const line = `provider add lab --type proxmox --team payments --credentials ${credentials} --set proxmox.endpoint=https://pve.example.com --set proxmox.nodes=["a"] --set proxmox.storage=x`;
    const refused = await harness.run(line);
    expect(refused.stderr).toContain("Secret payments/lab-credentials already exists");
    expect(await find({ name: "lab", namespace: "payments" })).toBeUndefined();
    await harness.cluster.client.delete(builtinKinds.Secret, { name: "lab-credentials", namespace: "payments" });
    expect((await harness.run(line)).code).toBe(0);
    expect((await find({ name: "lab", namespace: "payments" }))?.spec.scope).toEqual({
      type: "team",
      teamRef: { name: "payments" },
    });
  });
});

describe("butleradm provider", () => {
  it("lists providers with their scope and the number of clusters", async () => {
    await harness.run("provider add here --type local");
    await harness.report(ProviderConfig, { name: "here", namespace: "butler-system" }, { ready: true });
    const spec = { providerConfigRef: { name: "prism" }, workers: { replicas: 1 } };
    await harness.create(TenantCluster, { name: "shop", namespace: "payments" }, { spec });
    const { stdout } = await harness.run("provider list");
    expect(stdout).toMatch(/^here +local +all teams +ready +0 +this cluster /m);
    expect(stdout).toMatch(/^prism +nutanix +all teams +unknown +1 +https:\/\/prism\.example\.com /m);
    expect(stdout).toMatch(/^lab +proxmox +team payments /m);
    expect((await harness.run("provider list -n payments -o name")).stdout).toBe("providerconfig/lab\n");
  });

  it("tests credentials and settings", async () => {
    expect((await harness.run("provider test prism")).stdout).toMatch(/^Result: +valid$/m);
    expect(JSON.parse((await harness.run("provider test lab --team payments -o json")).stdout)).toMatchObject({
      valid: true,
    });
    await harness.report(ProviderConfig, place, { observedGeneration: 1, conditions: [condition] });
    const bad = await harness.run("provider test prism");
    expect(bad.code).not.toBe(0);
    expect(bad.stdout).toMatch(/^Category: +settings$/m);
    const patch = { type: "merge", patch: { data: { password: null } } } as const;
    await harness.cluster.client.patch(builtinKinds.Secret, secretPlace, patch);
    expect((await harness.run("provider test prism")).stderr).toContain(
      "Secret butler-system/prism-credentials lacks password",
    );
    expect((await harness.run("provider test nowhere")).stderr).toContain("provider butler-system/nowhere not found");
  });

  it("removes only unused providers, and lists the users of others", async () => {
    const access = {};
    await harness.create(Team, { name: "payments" }, { spec: { access, providerConfigRef: { name: "prism" } } });
    await harness.create(ButlerConfig, { name: "butler" }, { spec: { defaultProviderConfigRef: { name: "here" } } });
    const refused = await harness.run("provider remove prism --yes");
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain(
      "worker machines in clusters: payments/shop; default provider for teams: payments",
    );
    expect((await harness.run("provider remove here --yes")).stderr).toContain(
      "platform default in ButlerConfig butler",
    );
    await harness.cluster.client.delete(TenantCluster, { name: "shop", namespace: "payments" });
    await harness.cluster.client.delete(Team, { name: "payments" });
    expect((await harness.run("provider remove prism")).code).toBe(2);
    expect((await harness.run("provider remove prism --yes")).stderr).toBe(
      "The provider butler-system/prism was removed.\n",
    );
    expect(await find()).toBeUndefined();
    expect(await secret()).toBeUndefined();
  });
});
