import { deepFreeze } from "@butler/std";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { aNode, opensslRequest, requestObject } from "../testing/certificate-requests.ts";
import { hostileRequests, late, n1, type RequestRow, rules, soon } from "../testing/hostile-requests.ts";
import { type Decision, decideServingRequest } from "./decide-serving-request.ts";

let good: string;

beforeAll(async () => {
  good = await opensslRequest();
});

async function decide(row: RequestRow): Promise<Decision> {
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
  it.each<[string, RequestRow]>([
    ["a kubelet's own request", {}],
    ["an IPv6 address in another spelling", { openssl: { names: "IP:2001:0db8:0001:0:0:0:0:1" } }],
    ["only a DNS name", { openssl: { names: "DNS:n1" } }],
    ["a name in another case", { openssl: { names: "DNS:N1" } }],
    ["only an address", { openssl: { names: "IP:10.1.0.1" } }],
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
    ["a node among others", { nodes: [aNode("n2", "n2", "10.1.0.2"), n1] }],
    ["a node after a long wait", { now: late }],
    ["no rules at all", { rules: {} }],
  ])("approves %s", async (_what, row) => {
    expect(await decide(row)).toMatchObject({ verdict: "approve", reason: "NodeIdentityVerified" });
  });

  it.each(hostileRequests)("denies because of %s %s", async (reason, _what, row) => {
    const decision = await decide(row);
    expect(decision).toMatchObject({ verdict: "deny", reason });
    expect(decision.message).toMatch(/^[^\n]{10,500}$/);
  });

  it.each<[string, string, RequestRow]>([
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

  it.each<[string, RequestRow]>([
    ["a client certificate of a kubelet", { spec: { signerName: "kubernetes.io/kube-apiserver-client-kubelet" } }],
    ["a client certificate", { spec: { signerName: "kubernetes.io/kube-apiserver-client" } }],
    ["another signer", { spec: { signerName: "example.com/kubelet-serving" } }],
    ["no signer", { spec: { signerName: "" } }],
    ["an approved request", { rest: { status: { conditions: [{ type: "Approved" }] } } }],
    ["a denied request", { rest: { status: { conditions: [{ type: "Denied" }] } } }],
    ["a failed request", { rest: { status: { conditions: [{ type: "Failed" }] } } }],
    ["an issued certificate", { rest: { status: { certificate: "LS0t" } } }],
    [
      "a request that is being deleted",
      {
        rest: { metadata: { name: "csr-1", deletionTimestamp: "2026-01-01T00:00:01Z" } },
      },
    ],
  ])("ignores %s", async (_what, row) => {
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

  it("never approves a name that the node does not have, for any set of nodes", () => {
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
