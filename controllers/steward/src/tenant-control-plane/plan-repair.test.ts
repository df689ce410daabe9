import { clusterNameLabel, clusterSecretType } from "@butler/api-external";
import { describe, expect, it } from "vitest";
import { rotateAnnotation } from "./names.ts";
import { encodeData, textIn } from "./secrets/secret-data.ts";
import type { SecretId } from "./secrets/secret-names.ts";
import { aControlPlane, type ControlPlaneTraits } from "./testing/objects.ts";
import { ControlPlaneModel } from "./testing/control-plane-model.ts";

const model = (traits: ControlPlaneTraits = {}) => new ControlPlaneModel(aControlPlane(traits));

describe("repairs", () => {
  const others = (id: SecretId): SecretId[] =>
    (["ca", "sa", "apiServer", "scheduler", "admin", "dataStore"] as const).filter((other) => other !== id);

  it.each<SecretId>([
    "apiServer",
    "scheduler",
    "controllerManager",
    "frontProxyClient",
    "apiServerKubeletClient",
    "admin",
    "dataStore",
  ])("a Secret that was deleted: %s", async (id) => {
    const played = model();
    await played.settleRunning();
    const before = new Map(played.secrets);
    played.remove(id);
    await played.settleRunning();
    expect(played.secret(id).data).not.toEqual(before.get(played.secret(id).name)?.data);
    for (const other of others(id)) expect(played.secret(other)).toBe(before.get(played.secret(other).name));
    expect(played.condition("Ready")).toMatchObject({ status: "True" });
  });

  it.each<[SecretId, Record<string, string>]>([
    ["apiServer", { "apiserver.crt": "rubbish" }],
    ["apiServer", { "apiserver.key": "rubbish" }],
    ["admin", { "admin.conf": "server: https://evil.example.com" }],
    ["scheduler", { "scheduler.conf": "" }],
    ["dataStore", { "ca.crt": "rubbish" }],
  ])("a Secret that was edited: %s %j", async (id, data) => {
    const played = model();
    await played.settleRunning();
    played.edit(id, { data: { ...played.secret(id).data, ...encodeData(data) } });
    await played.settleRunning();
    for (const [key, text] of Object.entries(data)) expect(textIn(played.secret(id).data, key)).not.toBe(text);
    expect(played.condition("Ready")).toMatchObject({ status: "True" });
  });

  it("copies of a CA, without a new CA", async () => {
    const played = model();
    await played.settleRunning();
    const ca = textIn(played.secret("ca").data, "ca.crt");
    const pods = played.podAnnotations;
    played.edit("ca", { data: { ...played.secret("ca").data, ...encodeData({ "tls.crt": "rubbish" }) } });
    await played.settleRunning();
    expect(textIn(played.secret("ca").data, "ca.crt")).toBe(ca);
    expect(textIn(played.secret("ca").data, "tls.crt")).toBe(ca);
    expect(played.podAnnotations).toEqual(pods);
  });

  it("the labels by which Cluster API finds the CA, without a new CA", async () => {
    const tcp = aControlPlane();
    const labels = { ...tcp.metadata.labels, [clusterNameLabel]: "blue" };
    const played = new ControlPlaneModel({ ...tcp, metadata: { ...tcp.metadata, labels } });
    await played.settleRunning();
    const { type, data } = played.secret("ca");
    expect(type).toBe(clusterSecretType);
    expect(played.secret("ca").labels).toMatchObject({ [clusterNameLabel]: "blue" });
    played.edit("ca", { labels: { ...played.secret("ca").labels, [clusterNameLabel]: "green" } });
    await played.settleRunning();
    expect(played.secret("ca").labels).toMatchObject({ [clusterNameLabel]: "blue" });
    expect(played.secret("ca").data).toEqual(data);
  });

  it("the public half of a signing key, without a new key", async () => {
    const played = model();
    await played.settleRunning();
    const key = textIn(played.secret("sa").data, "sa.key");
    played.edit("sa", { data: { ...played.secret("sa").data, ...encodeData({ "sa.pub": "rubbish" }) } });
    await played.settleRunning();
    expect(textIn(played.secret("sa").data, "sa.key")).toBe(key);
  });

  it("a deleted CA, and everything that it signed", async () => {
    const played = model();
    await played.settleRunning();
    const before = new Map(played.secrets);
    played.remove("ca");
    const [record] = await played.settle();
    expect(record?.plan.events).toMatchObject([{ type: "Warning", reason: "CertificateAuthorityLost" }]);
    expect(played.phase).toBe("CertificateAuthorityRotating");
    for (const id of ["apiServer", "admin", "scheduler", "controllerManager", "apiServerKubeletClient"] as const) {
      expect(played.secret(id).data).not.toEqual(before.get(played.secret(id).name)?.data);
    }
    for (const id of ["sa", "frontProxyCA", "frontProxyClient", "dataStore"] as const) {
      expect(played.secret(id)).toBe(before.get(played.secret(id).name));
    }
    played.bringUpPods();
    await played.settle();
    expect(played.phase).toBe("Ready");
  });

  it("a deleted Deployment", async () => {
    const played = model();
    await played.settleRunning();
    played.deployment = undefined;
    played.objects.delete("Deployment blue");
    await played.settle();
    expect(played.deployment).toBeDefined();
    expect(played.phase).toBe("NotReady");
  });

  it("leaves a Secret of another owner alone, and reports it", async () => {
    const played = model();
    await played.settleRunning();
    const { owner } = played.secret("apiServer");
    played.edit("apiServer", { owner: { ...owner, uid: "another" } });
    await played.settle();
    expect(played.condition("CertificatesReady")).toMatchObject({ status: "False", reason: "SecretNameTaken" });
  });
});

describe("certificates", () => {
  it("are renewed after two thirds of their lifetime, and checked at that time", async () => {
    const played = model();
    await played.settleRunning();
    const before = new Map(played.secrets);
    const day = 86_400_000;
    played.now = new Date(played.now.getTime() + 243 * day);
    const [record] = await played.settle();
    // Counted from five minutes before they were made, because clocks differ.
    expect(record?.plan.requeueAfterMs).toBeLessThan(day);
    expect(record?.plan.requeueAfterMs).toBeGreaterThan(0);
    expect(new Map(played.secrets)).toEqual(before);
    played.now = new Date(played.now.getTime() + (record?.plan.requeueAfterMs ?? 0));
    await played.settleRunning();
    for (const [name, { data }] of played.secrets) {
      const isKept = /-ca$|-ca-certificate$|-sa-certificate$/.test(name);
      if (isKept) expect(data).toEqual(before.get(name)?.data);
      else expect(data).not.toEqual(before.get(name)?.data);
    }
    expect(played.tcp.status?.certificates?.apiServer?.notAfter).toMatch(/^2028-01-30T/);
    expect(played.phase).toBe("Ready");
  });

  it.each<SecretId>(["apiServer", "admin", "sa", "ca", "dataStore", "frontProxyCA"])(
    "are rotated once on request: %s",
    async (id) => {
      const played = model();
      await played.settleRunning();
      const { data } = played.secret(id);
      played.edit(id, { annotations: { ...played.secret(id).annotations, [rotateAnnotation]: "" } });
      await played.settleRunning();
      expect(played.secret(id).data).not.toEqual(data);
      expect(played.secret(id).annotations[rotateAnnotation]).toBe("2026-06-01T12:00:00Z");
      expect(played.condition("Ready")).toMatchObject({ status: "True" });
      expect(played.phase).toBe("Ready");
    },
  );

  it("replace the pods in one rollout, and only when mounted content has changed", async () => {
    const played = model();
    await played.settleRunning();
    const before = played.podAnnotations;
    for (const id of ["apiServer", "scheduler", "sa"] as const) {
      played.edit(id, { annotations: { ...played.secret(id).annotations, [rotateAnnotation]: "" } });
    }
    const records = await played.settle();
    expect(records.flatMap(({ written }) => written)).toEqual(["Deployment blue"]);
    const changed = Object.keys(before).filter((name) => before[name] !== played.podAnnotations[name]);
    expect(changed.map((name) => name.replace(/.*\//, "")).sort()).toEqual([
      "api-server-certificate",
      "sa-certificate",
      "scheduler-kubeconfig",
    ]);
    played.bringUpPods();
    await played.settle();
    played.edit("admin", { annotations: { [rotateAnnotation]: "" } });
    expect((await played.settle()).flatMap(({ written }) => written)).toEqual([]);
  });

  it("cover the current names of the API server", async () => {
    const played = model();
    await played.settleRunning();
    const { data } = played.secret("apiServer");
    played.change((spec) => ({ ...spec, networkProfile: { ...spec.networkProfile, certSANs: ["api.example.com"] } }));
    await played.settleRunning();
    expect(played.secret("apiServer").data).not.toEqual(data);
  });
});
