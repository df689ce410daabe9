import type { ApprovalRules } from "../approval/decide-serving-request.ts";
import type { CertificateRequestObject, NodeObject } from "../approval/serving-request.ts";
import { aNode, type OpensslRequest } from "./certificate-requests.ts";

/** The tenant's rules for these cases. */
export const rules: ApprovalRules = {
  serviceCidr: "10.96.0.0/16",
  controlPlaneNames: ["blue.example.com", "192.0.2.10", "2001:db8::10"],
};

/** A time shortly after the requests were created, and one after their waiting period. */
export const soon = new Date("2026-01-01T00:00:10Z");
export const late = new Date("2026-01-01T00:10:00Z");

/** The node that sends the requests. */
export const n1 = aNode("n1", "n1", "10.1.0.1", "2001:db8:1::1");

/** Differences from a valid request of node `n1`. */
export interface RequestRow {
  readonly openssl?: OpensslRequest;
  readonly spec?: CertificateRequestObject["spec"];
  readonly rest?: Partial<CertificateRequestObject>;
  readonly nodes?: readonly NodeObject[];
  readonly rules?: ApprovalRules;
  readonly now?: Date;
}

/** The reason to deny, what is asked for, and how. */
export const hostileRequests: readonly (readonly [string, string, RequestRow])[] = [
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
  ["RequesterIsNoNode", "a node whose name is a path", { spec: { username: "system:node:.." } }],
  ["RequesterIsNoNode", "a node whose name cannot be one", { spec: { username: "system:node:N1/x" } }],
  ["SubjectMismatch", "another node's name", { spec: { username: "system:node:n2" }, nodes: [n1, aNode("n2", "n2")] }],
  ["SubjectMismatch", "an administrator's name", { openssl: { subject: "/O=system:nodes/CN=kubernetes-admin" } }],
  ["SubjectMismatch", "no common name", { openssl: { subject: "/O=system:nodes" } }],
  ["SubjectMismatch", "a name in another case", { openssl: { subject: "/O=system:nodes/CN=system:node:N1" } }],
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
  ["UsagesNotAllowed", "an authority's usage", { spec: { usages: ["digital signature", "server auth", "cert sign"] } }],
  ["UsagesNotAllowed", "any usage", { spec: { usages: ["any"] } }],
  ["UsagesNotAllowed", "too few usages", { spec: { usages: ["server auth"] } }],
  ["UsagesNotAllowed", "no usages", { spec: { usages: [] } }],
  ["NamesMissing", "no names", { openssl: { names: "" } }],
  ["NamesNotAllowed", "an email address", { openssl: { names: "DNS:n1,email:root@example.com" } }],
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
];
