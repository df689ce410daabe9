import { readCertificate } from "@butler/pki";
import { type ApiClient, connect, KubeConfig } from "@butler/kube";
import type { DynamicObject } from "@butler/resource";
import { MetricsRegistry } from "@butler/telemetry";
import { eventually, aTestCluster, type TestCluster } from "@butler/testkit";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { TenantSides } from "../keeping/tenant-sides.ts";
import { CertificateSigningRequest, Node } from "../kinds.ts";
import { aNode, opensslRequest, requestObject } from "../testing/certificate-requests.ts";
import type { ApprovalRules } from "./decide-serving-request.ts";
import type { CertificateRequestObject } from "./serving-request.ts";

const rules: ApprovalRules = { serviceCidr: "10.96.0.0/16", controlPlaneNames: ["blue.example.com"] };

let cluster: TestCluster;
let admin: ApiClient;
const closing: (() => Promise<void>)[] = [];

beforeAll(async () => {
  cluster = await aTestCluster({ withControllerManager: true });
  admin = cluster.client;
});
afterAll(() => cluster?.stop());
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
  for (const kind of [CertificateSigningRequest, Node]) {
    const { items } = await admin.list(kind);
    await Promise.all(items.map(({ metadata }) => admin.delete(kind, metadata)));
  }
});

/** A Steward that only approves certificate requests of the tenant. */
async function start(change: ApprovalRules & { decidesRequests?: boolean } = {}): Promise<MetricsRegistry> {
  const metrics = new MetricsRegistry();
  const sides = new TenantSides({ metrics });
  closing.push(() => sides.close());
  const kubeconfig = JSON.stringify(cluster.controlPlane.kubeconfig);
  await sides.keep({ key: "blue", kubeconfig, objects: [], ...rules, ...change }, AbortSignal.timeout(30_000));
  return metrics;
}

/** A client that is the kubelet of a node. */
async function kubelet(name: string): Promise<ApiClient> {
  const { kubeconfig } = await cluster.controlPlane.issueClientCertificate({
    user: `system:node:${name}`,
    groups: ["system:nodes"],
  });
  const config = new KubeConfig();
  config.loadFromString(JSON.stringify(kubeconfig));
  const connected = connect(config);
  closing.push(() => connected.close());
  return connected.client;
}

async function makeNode(name: string, ...addresses: readonly string[]): Promise<void> {
  const { status, ...node } = aNode(name, ...addresses);
  await admin.create(Node, node);
  await admin.patch(Node, { name }, { type: "merge", subresource: "status", patch: { status } });
}

/** Sends a request as a user; the API server determines who that is. */
async function send(
  client: ApiClient,
  name: string,
  parts: { pem: string; spec?: CertificateRequestObject["spec"] },
): Promise<void> {
  const { spec, ...object } = requestObject(parts.pem, parts.spec);
  const { username: _username, groups: _groups, ...wish } = spec ?? {};
  await client.create(CertificateSigningRequest, { ...object, metadata: { name }, spec: wish } as DynamicObject);
}

const read = (name: string): Promise<CertificateRequestObject> => admin.get(CertificateSigningRequest, { name });

async function conditionOf(name: string): Promise<{ type: string; reason: string; message: string } | undefined> {
  const [condition] = (await read(name)).status?.conditions ?? [];
  return condition as { type: string; reason: string; message: string } | undefined;
}

const decisions = (metrics: MetricsRegistry, labels = {}): Promise<number> =>
  metrics.value("butler_tenant_certificate_requests_total", labels);

describe("certificate requests of kubelets on a real API server", () => {
  it("are approved for a node's serving certificate", async () => {
    await start();
    await makeNode("n1", "n1", "10.1.0.1");
    await send(await kubelet("n1"), "good", { pem: await opensslRequest() });
    const issued = await eventually(async () => (await read("good")).status?.certificate, { what: "the certificate" });
    expect(await conditionOf("good")).toMatchObject({ type: "Approved", reason: "NodeIdentityVerified" });
    expect(readCertificate(Buffer.from(issued, "base64").toString())).toMatchObject({
      commonName: "system:node:n1",
      organizations: ["system:nodes"],
      dnsNames: ["n1"],
      ipAddresses: ["10.1.0.1"],
      isAuthority: false,
    });
  });

  it("are denied with the reason when hostile, without blocking others", async () => {
    await start();
    await makeNode("n1", "n1", "10.1.0.1", "10.96.0.1", "kubernetes.default.svc");
    const n1 = await kubelet("n1");
    const hostile: Record<string, { pem: string; spec?: CertificateRequestObject["spec"] }> = {
      SubjectMismatch: { pem: await opensslRequest({ subject: "/O=system:nodes/CN=system:node:n2" }) },
      NameReserved: { pem: await opensslRequest({ names: "DNS:kubernetes.default.svc" }) },
      ExtensionsNotAllowed: { pem: await opensslRequest({ extensions: ["basicConstraints=CA:TRUE"] }) },
      NamesNotAllowed: { pem: await opensslRequest({ names: "URI:spiffe://x" }) },
      NamesMissing: { pem: await opensslRequest({ names: "" }) },
      MalformedRequest: { pem: await opensslRequest({ key: ["rsa:1024"] }) },
      UsagesNotAllowed: {
        pem: await opensslRequest(),
        spec: { usages: ["digital signature", "server auth", "client auth"] },
      },
    };
    for (const [reason, parts] of Object.entries(hostile)) await send(n1, reason.toLowerCase(), parts);
    await send(admin, "requesterisnonode", { pem: await opensslRequest() });
    await send(n1, "good", { pem: await opensslRequest() });
    await eventually(async () => (await read("good")).status?.certificate, { what: "the certificate of the good one" });
    for (const reason of [...Object.keys(hostile), "RequesterIsNoNode"]) {
      const name = reason.toLowerCase();
      await eventually(() => conditionOf(name), { what: `the decision about ${name}` });
      expect(await conditionOf(name)).toMatchObject({ type: "Denied", reason });
      expect((await read(name)).status?.certificate).toBeUndefined();
    }
  });

  it("are ignored for other signers, and when approval was disabled at the time", async () => {
    const silent = await start({ decidesRequests: false });
    await makeNode("n1", "n1", "10.1.0.1");
    const n1 = await kubelet("n1");
    await send(n1, "before", { pem: await opensslRequest() });
    await send(admin, "other", {
      pem: await opensslRequest(),
      spec: { signerName: "example.com/serving" },
    });
    await send(admin, "client", {
      pem: await opensslRequest(),
      spec: {
        signerName: "kubernetes.io/kube-apiserver-client-kubelet",
        usages: ["digital signature", "client auth"],
      },
    });
    expect(await conditionOf("before")).toBeUndefined();
    expect(await decisions(silent)).toBe(0);

    const metrics = await start();
    await eventually(() => conditionOf("before"), { what: "the decision about the one that was there before" });
    expect(await decisions(metrics)).toBe(1);
    expect([await conditionOf("other"), await conditionOf("client")]).toEqual([undefined, undefined]);
  });

  it("wait for the node and for its addresses", async () => {
    const metrics = await start();
    await send(await kubelet("n1"), "early", { pem: await opensslRequest() });
    await eventually(() => decisions(metrics, { verdict: "wait", reason: "NodeUnknown" }), { what: "the first look" });
    await makeNode("n1", "n1");
    await eventually(() => decisions(metrics, { verdict: "wait", reason: "AddressUnknown" }), { what: "another look" });
    expect(await conditionOf("early")).toBeUndefined();
    const { status } = aNode("n1", "n1", "10.1.0.1");
    await admin.patch(Node, { name: "n1" }, { type: "merge", subresource: "status", patch: { status } });
    await eventually(() => conditionOf("early"), { what: "the decision" });
    expect(await conditionOf("early")).toMatchObject({ type: "Approved" });
  });

  it("wait while another node has the address, and follow the current rules", async () => {
    const metrics = await start({ allowedSubnets: ["10.1.0.0/24"] });
    await makeNode("n1", "n1", "10.1.0.1");
    await makeNode("old", "old", "10.1.0.1");
    const n1 = await kubelet("n1");
    await send(n1, "contested", { pem: await opensslRequest() });
    await eventually(() => decisions(metrics, { verdict: "wait", reason: "AddressContested" }), { what: "a look" });
    await admin.delete(Node, { name: "old" });
    await eventually(() => conditionOf("contested"), { what: "the decision" });
    expect(await conditionOf("contested")).toMatchObject({ type: "Approved" });

    await makeNode("n2", "n2", "10.2.0.2");
    const pem = await opensslRequest({ subject: "/O=system:nodes/CN=system:node:n2", names: "DNS:n2,IP:10.2.0.2" });
    await send(await kubelet("n2"), "outside", { pem });
    await eventually(() => conditionOf("outside"), { what: "the decision" });
    expect(await conditionOf("outside")).toMatchObject({ type: "Denied", reason: "AddressNotAllowed" });
  });
});
