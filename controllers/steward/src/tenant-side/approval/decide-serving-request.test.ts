import { deepFreeze } from "@butler/std";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { aNode, type OpensslRequest, opensslRequest, requestObject } from "../testing/certificate-requests.ts";
import { type ApprovalRules, type Decision, decideServingRequest } from "./decide-serving-request.ts";
import type { CertificateRequestObject, NodeObject } from "./serving-request.ts";

const rules: ApprovalRules = {
  serviceCidr: "10.96.0.0/16",
  controlPlaneNames: ["blue.example.com", "192.0.2.10", "2001:db8::10"],
};
const soon = new Date("2026-01-01T00:00:10Z");
const late = new Date("2026-01-01T00:10:00Z");
const n1 = aNode("n1", "n1", "10.1.0.1", "2001:db8:1::1");

interface Row {
  readonly openssl?: OpensslRequest;
  readonly spec?: CertificateRequestObject["spec"];
  readonly rest?: Partial<CertificateRequestObject>;
  readonly nodes?: readonly NodeObject[];
  readonly rules?: ApprovalRules;
  readonly now?: Date;
}

let good: string;

beforeAll(async () => {
  good = await opensslRequest();
});

async function decide(row: Row): Promise<Decision> {
  const pem = row.openssl === undefined ? good : await opensslRequest(row.openssl);
  return decideServingRequest(
    deepFreeze({
      request: requestObject(pem, row.spec, row.rest),
      nodes: row.nodes ?? [n1],
      rules: row.rules ?? rules,
      now: row.now ?? soon,
    }),
  );
}

const changed = (at: number): string => {
  const [head = "", ...lines] = good.trim().split("\n");
  const bytes = Buffer.from(lines.slice(0, -1).join(""), "base64");
  bytes[at < 0 ? bytes.length + at : at] = (bytes.at(at) ?? 0) ^ 0x01;
  return [head, bytes.toString("base64"), lines.at(-1)].join("\n");
};

describe("decideServingRequest", () => {
  it.each<[string, Row]>([
    ["a kubelet's own request", {}],
    ["an IPv6 address in another spelling", { openssl: { names: "IP:2001:0db8:0001:0:0:0:0:1" } }],
    ["a name alone", { openssl: { names: "DNS:n1" } }],
    ["a name in other letters", { openssl: { names: "DNS:N1" } }],
    ["an address alone", { openssl: { names: "IP:10.1.0.1" } }],
    ["an IPv4 address within IPv6", { openssl: { names: "IP:::ffff:10.1.0.1" } }],
    [
      "an RSA key",
      {
        openssl: { key: ["rsa:2048"] },
        spec: { usages: ["key encipherment", "digital signature", "server auth"] },
      },
    ],
    ["an Ed25519 key", { openssl: { key: ["ed25519"] } }],
    ["a P-384 key", { openssl: { key: ["ec", "-pkeyopt", "ec_paramgen_curve:P-384"] } }],
    ["an address in an allowed network", { rules: { allowedSubnets: ["192.168.0.0/16", "10.1.0.0/24"] } }],
    ["a node beside others", { nodes: [aNode("n2", "n2", "10.1.0.2"), n1] }],
    ["a node that has waited long", { now: late }],
    ["no rules at all", { rules: {} }],
  ])("approves %s", async (_what, row) => {
    expect(await decide(row)).toMatchObject({ verdict: "approve", reason: "NodeIdentityVerified" });
  });

  it.each<[string, string, Row]>([
    ["RequesterIsNoNode", "a user", { spec: { username: "mallory" } }],
    ["RequesterIsNoNode", "a service account", { spec: { username: "system:serviceaccount:default:system:node:n1" } }],
    [
      "RequesterIsNoNode",
      "a bootstrap token",
      {
        spec: { username: "system:bootstrap:abcdef", groups: ["system:bootstrappers", "system:nodes"] },
      },
    ],
    ["RequesterIsNoNode", "a node outside of the nodes' group", { spec: { groups: ["system:authenticated"] } }],
    ["RequesterIsNoNode", "no groups at all", { spec: { groups: [] } }],
    ["RequesterIsNoNode", "a node without a name", { spec: { username: "system:node:" } }],
    [
      "SubjectMismatch",
      "another node's name",
      { spec: { username: "system:node:n2" }, nodes: [n1, aNode("n2", "n2")] },
    ],
    ["SubjectMismatch", "an administrator's name", { openssl: { subject: "/O=system:nodes/CN=kubernetes-admin" } }],
    ["SubjectMismatch", "no common name", { openssl: { subject: "/O=system:nodes" } }],
    ["SubjectMismatch", "a name in other letters", { openssl: { subject: "/O=system:nodes/CN=system:node:N1" } }],
    ["SubjectMismatch", "no organization", { openssl: { subject: "/CN=system:node:n1" } }],
    ["SubjectMismatch", "the masters' group", { openssl: { subject: "/O=system:masters/CN=system:node:n1" } }],
    [
      "SubjectMismatch",
      "the masters' group besides",
      {
        openssl: { subject: "/O=system:nodes/O=system:masters/CN=system:node:n1" },
      },
    ],
    ["SubjectMismatch", "a further field", { openssl: { subject: "/OU=x/O=system:nodes/CN=system:node:n1" } }],
    ["MalformedRequest", "two common names", { openssl: { subject: "/O=system:nodes/CN=system:node:n1/CN=admin" } }],
    ["UsagesNotAllowed", "a client's usage", { spec: { usages: ["digital signature", "client auth"] } }],
    [
      "UsagesNotAllowed",
      "a client's usage besides",
      {
        spec: { usages: ["digital signature", "server auth", "client auth"] },
      },
    ],
    [
      "UsagesNotAllowed",
      "an authority's usage",
      { spec: { usages: ["digital signature", "server auth", "cert sign"] } },
    ],
    ["UsagesNotAllowed", "any usage", { spec: { usages: ["any"] } }],
    ["UsagesNotAllowed", "too few usages", { spec: { usages: ["server auth"] } }],
    ["UsagesNotAllowed", "no usages", { spec: { usages: [] } }],
    ["NamesMissing", "no names", { openssl: { names: "" } }],
    ["NamesNotAllowed", "an e-mail address", { openssl: { names: "DNS:n1,email:root@example.com" } }],
    ["NamesNotAllowed", "a URI", { openssl: { names: "DNS:n1,URI:spiffe://cluster.local/ns/x" } }],
    ["NamesNotAllowed", "a name of another kind", { openssl: { names: "DNS:n1,otherName:1.2.3.4;UTF8:x" } }],
    ["NamesNotAllowed", "an address as a name", { openssl: { names: "DNS:10.1.0.1" } }],
    [
      "NamesNotAllowed",
      "an address of a Service as a name",
      {
        openssl: { names: "DNS:10.96.0.1" },
        nodes: [aNode("n1", "n1", "10.96.0.1")],
      },
    ],
    ["NamesNotAllowed", "a wildcard", { openssl: { names: "DNS:*.n1" }, nodes: [aNode("n1", "*.n1")] }],
    ["NamesNotAllowed", "an odd name", { openssl: { names: "DNS:n1 n2" }, nodes: [aNode("n1", "n1 n2")] }],
    ["ExtensionsNotAllowed", "an authority", { openssl: { extensions: ["basicConstraints=CA:TRUE"] } }],
    ["ExtensionsNotAllowed", "what is not an authority", { openssl: { extensions: ["basicConstraints=CA:FALSE"] } }],
    ["ExtensionsNotAllowed", "usages of its own", { openssl: { extensions: ["extendedKeyUsage=clientAuth"] } }],
    ["ExtensionsNotAllowed", "an unknown extension", { openssl: { extensions: ["1.2.3.4=ASN1:UTF8String:x"] } }],
    ["MalformedRequest", "a short RSA key", { openssl: { key: ["rsa:1024"] } }],
    [
      "MalformedRequest",
      "a key on another curve",
      { openssl: { key: ["ec", "-pkeyopt", "ec_paramgen_curve:secp256k1"] } },
    ],
    [
      "MalformedRequest",
      "a key on a small curve",
      { openssl: { key: ["ec", "-pkeyopt", "ec_paramgen_curve:secp224r1"] } },
    ],
    ["MalformedRequest", "no request", { spec: { request: "" } }],
    ["MalformedRequest", "rubbish", { spec: { request: Buffer.from("hello").toString("base64") } }],
    [
      "NameReserved",
      "the API server's Service",
      {
        openssl: { names: "DNS:kubernetes.default.svc" },
        nodes: [aNode("n1", "kubernetes.default.svc")],
      },
    ],
    [
      "NameReserved",
      "the API server's short name",
      {
        openssl: { names: "DNS:n1,DNS:kubernetes" },
        nodes: [aNode("n1", "n1", "kubernetes")],
      },
    ],
    [
      "NameReserved",
      "some Service",
      {
        openssl: { names: "DNS:payments.shop.svc.cluster.local" },
        nodes: [aNode("n1", "payments.shop.svc.cluster.local")],
      },
    ],
    [
      "NameReserved",
      "the control plane's name",
      {
        openssl: { names: "DNS:blue.example.com" },
        nodes: [aNode("n1", "blue.example.com")],
      },
    ],
    [
      "NameReserved",
      "the control plane's address",
      {
        openssl: { names: "IP:192.0.2.10" },
        nodes: [aNode("n1", "192.0.2.10")],
      },
    ],
    [
      "NameReserved",
      "the control plane's IPv6 address in another spelling",
      {
        openssl: { names: "IP:2001:db8:0:0::10" },
        nodes: [aNode("n1", "2001:db8::10")],
      },
    ],
    [
      "NameReserved",
      "an address of a Service",
      {
        openssl: { names: "IP:10.96.0.1" },
        nodes: [aNode("n1", "10.96.0.1")],
      },
    ],
    [
      "NameReserved",
      "an address of a Service within IPv6",
      {
        openssl: { names: "IP:::ffff:10.96.0.1" },
        nodes: [aNode("n1", "10.96.0.1")],
      },
    ],
    ["NameReserved", "the machine itself", { openssl: { names: "IP:127.0.0.1" }, nodes: [aNode("n1", "127.0.0.1")] }],
    [
      "NameReserved",
      "the machine itself by name",
      {
        openssl: { names: "DNS:localhost" },
        nodes: [aNode("n1", "localhost")],
      },
    ],
    [
      "NameReserved",
      "a cloud's metadata service",
      {
        openssl: { names: "IP:169.254.169.254" },
        nodes: [aNode("n1", "169.254.169.254")],
      },
    ],
    ["AddressNotAllowed", "an address outside of the allowed networks", { rules: { allowedSubnets: ["10.2.0.0/16"] } }],
    [
      "AddressNotAllowed",
      "one of two addresses outside",
      {
        openssl: { names: "IP:10.1.0.1,IP:2001:db8:1::1" },
        rules: { allowedSubnets: ["10.1.0.0/16"] },
      },
    ],
    ["AddressUnknown", "another's address, after a while", { openssl: { names: "DNS:n1,IP:10.1.0.2" }, now: late }],
    ["AddressUnknown", "another's name, after a while", { openssl: { names: "DNS:n2" }, now: late }],
    ["AddressUnknown", "a longer name, after a while", { openssl: { names: "DNS:n1.example.com" }, now: late }],
    ["AddressUnknown", "a node without addresses, after a while", { nodes: [aNode("n1")], now: late }],
  ])("denies because of %s %s", async (reason, _what, row) => {
    const decision = await decide(row);
    expect(decision).toMatchObject({ verdict: "deny", reason });
    expect(decision.message).toMatch(/^[^\n]{10,500}$/);
  });

  it.each<[string, string, Row]>([
    ["NodeUnknown", "a node that is not there yet", { nodes: [] }],
    ["NodeUnknown", "a node that is long gone", { nodes: [], now: late }],
    ["NodeUnknown", "a node of which only others are there", { nodes: [aNode("n2", "n1", "10.1.0.1")] }],
    ["AddressUnknown", "an address that the node has not told yet", { nodes: [aNode("n1")] }],
    ["AddressUnknown", "one of two addresses", { openssl: { names: "IP:10.1.0.1,IP:10.1.0.9" } }],
    ["AddressContested", "an address that another node has too", { nodes: [n1, aNode("old", "old", "10.1.0.1")] }],
    ["AddressContested", "a name that another node says it has", { nodes: [n1, aNode("n2", "n1")] }],
    [
      "AddressContested",
      "the name of another node",
      {
        openssl: { names: "DNS:n2" },
        nodes: [aNode("n1", "n1", "n2"), aNode("n2", "10.1.0.2")],
      },
    ],
  ])("waits because of %s: %s", async (reason, _what, row) => {
    expect(await decide(row)).toMatchObject({ verdict: "wait", reason });
  });

  it.each<[string, Row]>([
    ["a client certificate of a kubelet", { spec: { signerName: "kubernetes.io/kube-apiserver-client-kubelet" } }],
    ["a client certificate", { spec: { signerName: "kubernetes.io/kube-apiserver-client" } }],
    ["somebody else's signer", { spec: { signerName: "example.com/kubelet-serving" } }],
    ["no signer", { spec: { signerName: "" } }],
    ["an approved request", { rest: { status: { conditions: [{ type: "Approved" }] } } }],
    ["a denied request", { rest: { status: { conditions: [{ type: "Denied" }] } } }],
    ["a failed request", { rest: { status: { conditions: [{ type: "Failed" }] } } }],
    ["an issued certificate", { rest: { status: { certificate: "LS0t" } } }],
    [
      "a request that is going",
      {
        rest: { metadata: { name: "csr-1", deletionTimestamp: "2026-01-01T00:00:01Z" } },
      },
    ],
  ])("does not touch %s", async (_what, row) => {
    expect(await decide(row)).toMatchObject({ verdict: "ignore" });
  });

  it("never approves a request of which a single bit has been changed", () => {
    const length = Buffer.from(good.replaceAll(/-----.*-----|\s/g, ""), "base64").length;
    fc.assert(
      fc.property(fc.nat({ max: length - 1 }), (at) => {
        const request = requestObject(changed(at));
        const decision = decideServingRequest({ request, nodes: [n1], rules, now: soon });
        expect(decision).toMatchObject({ verdict: "deny", reason: "MalformedRequest" });
      }),
    );
  });

  it("never approves a name that the node does not have, whatever nodes there are", () => {
    const names = fc.array(fc.constantFrom("n1", "n2", "10.1.0.1", "10.1.0.2", "10.96.0.1", "kubernetes"));
    const nodes = fc.array(fc.tuple(fc.constantFrom("n1", "n2", "n3"), names), { maxLength: 3 });
    fc.assert(
      fc.property(nodes, fc.date({ noInvalidDate: true }), (given, now) => {
        const known = given.map(([name, addresses]) => aNode(name, ...addresses));
        const decision = decideServingRequest({ request: requestObject(good), nodes: known, rules, now });
        const own = known.find(({ metadata }) => metadata.name === "n1");
        const hasAddress = own?.status?.addresses?.some(({ address }) => address === "10.1.0.1") === true;
        if (!hasAddress) expect(decision.verdict).not.toBe("approve");
      }),
    );
  });
});
