import type { CertificateRequestFacts } from "@butler/pki";
import { isBeingDeleted } from "@butler/resource";
import { InvalidInput, type IpAddress, parseIpAddress, parseIpRange, rangeContains } from "@butler/std";
import { isReservedAddress, isReservedName, isSameAddress, type ReservedNames } from "./reserved-names.ts";
import {
  type CertificateRequestObject,
  factsOf,
  isDecided,
  type NodeObject,
  requestingNode,
  servingSigner,
} from "./serving-request.ts";

/** What a tenant's owner and its control plane say about requests. */
export interface ApprovalRules extends ReservedNames {
  /** Networks that the addresses in a request must lie in; any network when empty. */
  readonly allowedSubnets?: readonly string[] | undefined;
}

/** A request, what is known of the nodes it speaks about, and the rules. */
export interface ServingRequestInput {
  readonly request: CertificateRequestObject;
  /** The Node of the sender, and other Nodes that have one of the names or addresses asked for. */
  readonly nodes: readonly NodeObject[];
  readonly rules: ApprovalRules;
  readonly now: Date;
}

/**
 * `deny` is for what no later fact can make right; the kubelet sees it and asks anew. `wait` is for what may come right
 * by itself, and leaves the request to a person otherwise. `ignore` is for what is not ours to decide.
 */
export interface Decision {
  readonly verdict: "approve" | "deny" | "wait" | "ignore";
  readonly reason: string;
  readonly message: string;
}

/** A kubelet tells its addresses to its Node about when it asks for a certificate: for so long a missing one may come. */
const addressGraceMs = 120_000;

const requiredUsages = ["digital signature", "server auth"];
/** Only RSA keys need it, and Kubernetes leaves it to the kubelet. */
const optionalUsage = "key encipherment";
const nodesGroup = "system:nodes";
const hostname = /^[a-z\d]([-a-z\d]{0,61}[a-z\d])?(\.[a-z\d]([-a-z\d]{0,61}[a-z\d])?)*$/i;

/** Everything that a check may look at. */
interface Case extends ServingRequestInput {
  readonly facts: CertificateRequestFacts;
  readonly nodeName: string;
  readonly addresses: readonly { readonly text: string; readonly address: IpAddress }[];
}

type Check = (the: Case) => Decision | undefined;

/** Decides about a request for a kubelet's serving certificate. */
export function decideServingRequest(input: ServingRequestInput): Decision {
  const { request } = input;
  if (request.spec?.signerName !== servingSigner) return ignore("OtherSigner", "the request is for another signer");
  if (isDecided(request) || isBeingDeleted(request)) return ignore("Decided", "the request is settled already");
  const nodeName = requestingNode(request);
  if (nodeName === undefined || request.spec.groups?.includes(nodesGroup) !== true) {
    return deny("RequesterIsNoNode", `${quote(request.spec.username)} is not a node`);
  }
  // A request that is not signed by its own key, or whose key is weak, cannot even be read.
  const facts = factsOf(request);
  if (facts instanceof InvalidInput) return deny("MalformedRequest", facts.message);
  const addresses = facts.ipAddresses.flatMap((text) => {
    const address = parseIpAddress(text);
    return address === undefined ? [] : [{ text, address }];
  });
  const the = { ...input, facts, nodeName, addresses };
  for (const check of checks) {
    const finding = check(the);
    if (finding !== undefined) return finding;
  }
  const names = [...facts.dnsNames, ...facts.ipAddresses].join(", ");
  return decision("approve", { reason: "NodeIdentityVerified", message: `node ${nodeName} may serve as ${names}` });
}

const subjectDiffers: Check = ({ facts, request }) => {
  const username = request.spec?.username ?? "";
  if (facts.commonName !== username) {
    return deny(
      "SubjectMismatch",
      `the common name ${quote(facts.commonName)} is not the requester ${quote(username)}`,
    );
  }
  if (facts.organizations.length !== 1 || facts.organizations[0] !== nodesGroup) {
    return deny("SubjectMismatch", `the organizations are ${quote(facts.organizations)} and not just ${nodesGroup}`);
  }
  if (facts.otherSubjectFields.length > 0) {
    return deny("SubjectMismatch", `the subject has the further fields ${quote(facts.otherSubjectFields)}`);
  }
  return undefined;
};

const usagesDiffer: Check = ({ request }) => {
  const usages = request.spec?.usages ?? [];
  const others = usages.filter((usage) => usage !== optionalUsage && !requiredUsages.includes(usage));
  if (others.length === 0 && requiredUsages.every((usage) => usages.includes(usage))) return undefined;
  return deny("UsagesNotAllowed", `the usages are ${quote(usages)} and not ${requiredUsages.join(", ")}`);
};

const namesAreOfOtherKinds: Check = ({ facts }) => {
  if (facts.emailAddresses.length + facts.uris.length + facts.otherNames > 0) {
    return deny("NamesNotAllowed", "there are alternative names besides DNS names and IP addresses");
  }
  if (facts.dnsNames.length + facts.ipAddresses.length === 0) {
    return deny("NamesMissing", "there is neither a DNS name nor an IP address");
  }
  // An address written as a name would pass by all that is asked of addresses.
  const odd = facts.dnsNames.find((name) => !hostname.test(name) || parseIpAddress(name) !== undefined);
  return odd === undefined ? undefined : deny("NamesNotAllowed", `${quote(odd)} is not a DNS name`);
};

const extensionsAreForeign: Check = ({ facts }) =>
  facts.otherExtensions.length === 0
    ? undefined
    : deny("ExtensionsNotAllowed", `the extensions ${quote(facts.otherExtensions)} are asked for`);

const namesAreReserved: Check = ({ facts, addresses, rules }) => {
  const name =
    facts.dnsNames.find((candidate) => isReservedName(candidate, rules)) ??
    addresses.find(({ address }) => isReservedAddress(address, rules))?.text;
  return name === undefined ? undefined : deny("NameReserved", `no node may serve as ${quote(name)}`);
};

const addressesAreOutside: Check = ({ addresses, rules: { allowedSubnets = [] } }) => {
  const ranges = allowedSubnets.map(parseIpRange);
  const outside = addresses.find(({ address }) => !ranges.some((range) => rangeContains(range, address)));
  if (ranges.length === 0 || outside === undefined) return undefined;
  return deny("AddressNotAllowed", `${outside.text} lies outside of ${allowedSubnets.join(", ")}`);
};

const nodeIsUnknown: Check = ({ nodes, nodeName }) =>
  nodes.some(({ metadata }) => metadata.name === nodeName)
    ? undefined
    : wait("NodeUnknown", `there is no node ${quote(nodeName)} yet`);

const namesAreForeign: Check = (the) => {
  const node = the.nodes.find(({ metadata }) => metadata.name === the.nodeName);
  const name =
    the.facts.dnsNames.find((candidate) => !hasName(node, candidate)) ??
    the.addresses.find(({ address }) => !hasAddress(node, address))?.text;
  if (name === undefined) return undefined;
  const message = `${quote(name)} is not among the addresses of node ${the.nodeName}`;
  const createdAtMs = Date.parse(the.request.metadata.creationTimestamp ?? "");
  const isFresh = the.now.getTime() - createdAtMs < addressGraceMs;
  return isFresh ? wait("AddressUnknown", message) : deny("AddressUnknown", message);
};

/** A replaced machine may have the address of its predecessor, whose Node goes soon: that is worth waiting for. */
const namesAreContested: Check = ({ nodes, nodeName, facts, addresses }) => {
  for (const other of nodes.filter(({ metadata }) => metadata.name !== nodeName)) {
    const name =
      facts.dnsNames.find((candidate) => hasName(other, candidate)) ??
      addresses.find(({ address }) => hasAddress(other, address))?.text;
    if (name !== undefined) return wait("AddressContested", `node ${other.metadata.name} has ${quote(name)} too`);
  }
  return undefined;
};

const checks: readonly Check[] = [
  subjectDiffers,
  usagesDiffer,
  namesAreOfOtherKinds,
  extensionsAreForeign,
  namesAreReserved,
  addressesAreOutside,
  nodeIsUnknown,
  namesAreForeign,
  namesAreContested,
];

/** Whether a node is known by a DNS name. */
function hasName(node: NodeObject | undefined, name: string): boolean {
  const known = [node?.metadata.name, ...(node?.status?.addresses ?? []).map(({ address }) => address)];
  return known.some((one) => one?.toLowerCase() === name.toLowerCase());
}

function hasAddress(node: NodeObject | undefined, address: IpAddress): boolean {
  return (node?.status?.addresses ?? []).some((one) => isSameAddress(parseIpAddress(one.address), address));
}

/** Whether a node has one of the names or addresses that a request asks for. */
export function isConcerned(node: NodeObject, { dnsNames, ipAddresses }: CertificateRequestFacts): boolean {
  if (dnsNames.some((name) => hasName(node, name))) return true;
  return ipAddresses.some((text) => {
    const address = parseIpAddress(text);
    return address !== undefined && hasAddress(node, address);
  });
}

function decision(verdict: Decision["verdict"], { reason, message }: Omit<Decision, "verdict">): Decision {
  return { verdict, reason, message: message.slice(0, 500) };
}

const ignore = (reason: string, message: string): Decision => decision("ignore", { reason, message });
const deny = (reason: string, message: string): Decision => decision("deny", { reason, message });
const wait = (reason: string, message: string): Decision => decision("wait", { reason, message });

/** What strangers wrote is shown as a text of one line. */
function quote(text: unknown): string {
  return JSON.stringify(text) ?? "nothing";
}
