import { ButlerConfig, ProviderConfig, Team, TenantCluster } from "@butler/api";
import { builtinKinds, type DynamicObject } from "@butler/resource";
import { describe, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { useDesk } from "../testing/desk.ts";

const desk = useDesk("butleradm-provider");
const place = { name: "prism", namespace: "butler-system" };
const secretPlace = { name: "prism-credentials", namespace: "butler-system" };
const find = (key = place): Promise<ProviderConfig | undefined> => desk.cluster.client.find(ProviderConfig, key);
const secret = (key = secretPlace): Promise<DynamicObject | undefined> =>
  desk.cluster.client.find(builtinKinds.Secret, key);
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
      const refused = await desk.run(line);
      expect(refused.code).toBe(2);
      expect(refused.stdout).toBe("");
    }
    expect((await desk.run("provider add prism --type nutanix --credential-file hunter2")).stderr).not.toContain(
      "hunter2",
    );
    expect((await desk.run("provider add prism --type nutanix --set credentials.password=hunter2")).stderr).toContain(
      "Credentials are no settings",
    );
  });

  it("says which credentials and settings are missing, and makes nothing", async () => {
    expect((await desk.run("provider list")).stderr).toContain("There are no providers");
    const bare = await desk.run("provider add prism --type nutanix");
    expect(bare.stderr).toContain("provider nutanix needs username and password in its credentials");
    const file = await desk.write("prism.yaml", stringify({ nutanix: { ...nutanix, endpoint: undefined } }));
    const environment = { PRISM_USER: "butler", PRISM_PASSWORD: "hunter2" };
    const credentials = "--credential-env username=PRISM_USER --credential-env password=PRISM_PASSWORD";
    const unfinished = await desk.run(`provider add prism --type nutanix -f ${file} ${credentials}`, { environment });
    expect(unfinished.code).not.toBe(0);
    expect(unfinished.stderr).toContain("spec.nutanix.endpoint");
    expect(unfinished.stderr).not.toContain("hunter2");
    expect((await desk.run(`provider add prism --type nutanix ${credentials}`)).stderr).toContain(
      "the environment has no variable PRISM_USER",
    );
    expect((await desk.run(`provider add prism --type aws -f ${file}`)).code).not.toBe(0);
    expect(await find()).toBeUndefined();
    expect(await secret()).toBeUndefined();
  });

  it("makes a provider and the Secret that belongs to it, from files, the environment and standard input", async () => {
    const file = await desk.write("prism.yaml", stringify({ kind: "ProviderConfig", spec: { nutanix } }));
    await desk.write("password.txt", "hunter2\n");
    const words = `provider add prism --type nutanix -f ${file} --set nutanix.port=9441 --credential-env username=PRISM_USER`;
    const environment = { PRISM_USER: "butler" };
    const dry = await desk.run(`${words} --credential-file password=password.txt --dry-run`, { environment });
    expect(dry.stdout + dry.stderr).not.toContain("hunter2");
    expect(parse(dry.stdout)).toMatchObject({ spec: { nutanix: { port: 9441 }, scope: { type: "platform" } } });
    expect(await find()).toBeUndefined();
    const made = await desk.run(`${words} --credential-file password=-`, { environment, input: "hunter2\n" });
    expect(made).toMatchObject({ code: 0, stdout: "" });
    const provider = await find();
    expect(provider?.spec).toMatchObject({ nutanix: { port: 9441 }, credentialsRef: { name: "prism-credentials" } });
    expect(await secret()).toMatchObject({
      data: { username: "YnV0bGVy", password: "aHVudGVyMg==" },
      metadata: { ownerReferences: [{ uid: provider?.metadata.uid }] },
    });
    const again = await desk.run(`${words} --credential-file password=password.txt`, { environment });
    expect(again.stderr).toContain("there is a ProviderConfig butler-system/prism already");
  });

  it("leaves no provider behind when its Secret is somebody's", async () => {
    await desk.create(
      builtinKinds.Secret,
      { name: "lab-credentials", namespace: "payments" },
      { type: "Opaque", data: { other: "eA==" } },
    );
    const credentials = await desk.write("lab.json", JSON.stringify({ token: "hunter2" }));
    const line = `provider add lab --type proxmox --team payments --credentials ${credentials} --set proxmox.endpoint=https://pve.example.com --set proxmox.nodes=["a"] --set proxmox.storage=x`;
    const refused = await desk.run(line);
    expect(refused.stderr).toContain("there is a Secret payments/lab-credentials already");
    expect(await find({ name: "lab", namespace: "payments" })).toBeUndefined();
    await desk.cluster.client.delete(builtinKinds.Secret, { name: "lab-credentials", namespace: "payments" });
    expect((await desk.run(line)).code).toBe(0);
    expect((await find({ name: "lab", namespace: "payments" }))?.spec.scope).toEqual({
      type: "team",
      teamRef: { name: "payments" },
    });
  });
});

describe("butleradm provider", () => {
  it("lists providers with who they are for, and how many use them", async () => {
    await desk.run("provider add here --type local");
    await desk.report(ProviderConfig, { name: "here", namespace: "butler-system" }, { ready: true });
    const spec = { providerConfigRef: { name: "prism" }, workers: { replicas: 1 } };
    await desk.create(TenantCluster, { name: "shop", namespace: "payments" }, { spec });
    const { stdout } = await desk.run("provider list");
    expect(stdout).toMatch(/^here +local +everybody +ready +0 +this cluster /m);
    expect(stdout).toMatch(/^prism +nutanix +everybody +not looked at +1 +https:\/\/prism\.example\.com /m);
    expect(stdout).toMatch(/^lab +proxmox +team payments /m);
    expect((await desk.run("provider list -n payments -o name")).stdout).toBe("providerconfig/lab\n");
  });

  it("tests credentials and settings", async () => {
    expect((await desk.run("provider test prism")).stdout).toMatch(/^Result: +good$/m);
    expect(JSON.parse((await desk.run("provider test lab --team payments -o json")).stdout)).toMatchObject({
      valid: true,
    });
    await desk.report(ProviderConfig, place, { observedGeneration: 1, conditions: [condition] });
    const bad = await desk.run("provider test prism");
    expect(bad.code).not.toBe(0);
    expect(bad.stdout).toMatch(/^At fault: +settings$/m);
    const patch = { type: "merge", patch: { data: { password: null } } } as const;
    await desk.cluster.client.patch(builtinKinds.Secret, secretPlace, patch);
    expect((await desk.run("provider test prism")).stderr).toContain(
      "Secret butler-system/prism-credentials lacks password",
    );
    expect((await desk.run("provider test nowhere")).stderr).toContain("there is no provider butler-system/nowhere");
  });

  it("removes a provider only when nobody uses it, and names who does", async () => {
    const access = {};
    await desk.create(Team, { name: "payments" }, { spec: { access, providerConfigRef: { name: "prism" } } });
    await desk.create(ButlerConfig, { name: "butler" }, { spec: { defaultProviderConfigRef: { name: "here" } } });
    const refused = await desk.run("provider remove prism --yes");
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain(
      "clusters have machines there: payments/shop; new clusters of teams go there: payments",
    );
    expect((await desk.run("provider remove here --yes")).stderr).toContain("it is the platform's default");
    await desk.cluster.client.delete(TenantCluster, { name: "shop", namespace: "payments" });
    await desk.cluster.client.delete(Team, { name: "payments" });
    expect((await desk.run("provider remove prism")).code).toBe(2);
    expect((await desk.run("provider remove prism --yes")).stderr).toBe("The provider butler-system/prism is gone.\n");
    expect(await find()).toBeUndefined();
    expect(await secret()).toBeUndefined();
  });
});
