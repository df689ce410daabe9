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

/** The approval rules of a tenant. */
export interface ApprovalRules extends ReservedNames {
  /** Subnets that requested addresses must be in; any subnet when empty. */
  readonly allowedSubnets?: readonly string[] | undefined;
}

/** A request, its nodes, and the rules. */
export interface ServingRequestInput {
  readonly request: CertificateRequestObject;
  /** The Node of the requester, and other Nodes that have one of the requested names or addresses. */
  readonly nodes: readonly NodeObject[];
  readonly rules: ApprovalRules;
  readonly now: Date;
}

/**
 * `deny` is for what no later fact can fix; the kubelet sees it and sends a new request. `wait` is for what may resolve
 * on its own, and leaves the request to a person otherwise. `ignore` is for what is not ours to decide.
 */
export interface Decision {
  readonly verdict: "approve" | "deny" | "wait" | "ignore";
  readonly reason: string;
  readonly message: string;
}

/**
 * A kubelet sets its Node addresses at about the time of its certificate request: a missing one may appear within this
 * time.
 */
const addressGraceMs = 120_000;

const requiredUsages = ["digital signature", "server auth"];
/** Only RSA keys need it, and Kubernetes makes it optional. */
const optionalUsage = "key encipherment";
const nodesGroup = "system:nodes";
const hostname = /^[a-z\d]([-a-z\d]{0,61}[a-z\d])?(\.[a-z\d]([-a-z\d]{0,61}[a-z\d])?)*$/i;

/** The input of a check. */
interface Case extends ServingRequestInput {
  readonly facts: CertificateRequestFacts;
  readonly nodeName: string;
  readonly addresses: readonly { readonly text: string; readonly address: IpAddress }[];
}

type Check = (the: Case) => Decision | undefined;

/** Decides on a kubelet serving certificate request. */
export function decideServingRequest(input: ServingRequestInput): Decision {
  const { request } = input;
  if (request.spec?.signerName !== servingSigner) return ignore("OtherSigner", "the request is for another signer");
  if (isDecided(request) || isBeingDeleted(request))
    return ignore("Decided", "the request is already approved or denied");
  const nodeName = requestingNode(request);
  if (nodeName === undefined || request.spec.groups?.includes(nodesGroup) !== true) {
    return deny("RequesterIsNoNode", `${quote(request.spec.username)} is not a node`);
  }
  // A request that is not signed by its own key, or has a weak key, is already rejected when read.
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
  return decision("approve", { reason: "NodeIdentityVerified", message: `verified node ${nodeName} for ${names}` });
}

const subjectDiffers: Check = ({ facts, request }) => {
  const username = request.spec?.username ?? "";
  if (facts.commonName !== username) {
    return deny(
      "SubjectMismatch",
      `common name ${quote(facts.commonName)} does not match the requester ${quote(username)}`,
    );
  }
  if (facts.organizations.length !== 1 || facts.organizations[0] !== nodesGroup) {
    return deny("SubjectMismatch", `organizations must be ${nodesGroup} only, got ${quote(facts.organizations)}`);
  }
  if (facts.otherSubjectFields.length > 0) {
    return deny("SubjectMismatch", `the subject has additional fields: ${quote(facts.otherSubjectFields)}`);
  }
  return undefined;
};

const usagesDiffer: Check = ({ request }) => {
  const usages = request.spec?.usages ?? [];
  const others = usages.filter((usage) => usage !== optionalUsage && !requiredUsages.includes(usage));
  if (others.length === 0 && requiredUsages.every((usage) => usages.includes(usage))) return undefined;
  return deny("UsagesNotAllowed", `usages must be ${requiredUsages.join(", ")}, got ${quote(usages)}`);
};

const namesAreOfOtherKinds: Check = ({ facts }) => {
  if (facts.emailAddresses.length + facts.uris.length + facts.otherNames > 0) {
    return deny("NamesNotAllowed", "subject alternative names must be DNS names or IP addresses");
  }
  if (facts.dnsNames.length + facts.ipAddresses.length === 0) {
    return deny("NamesMissing", "at least one DNS name or IP address is required");
  }
  // An address given as a DNS name would bypass all address checks.
  const odd = facts.dnsNames.find((name) => !hostname.test(name) || parseIpAddress(name) !== undefined);
  return odd === undefined ? undefined : deny("NamesNotAllowed", `${quote(odd)} is not a DNS name`);
};

const extensionsAreForeign: Check = ({ facts }) =>
  facts.otherExtensions.length === 0
    ? undefined
    : deny("ExtensionsNotAllowed", `extensions not allowed: ${quote(facts.otherExtensions)}`);

const namesAreReserved: Check = ({ facts, addresses, rules }) => {
  const name =
    facts.dnsNames.find((candidate) => isReservedName(candidate, rules)) ??
    addresses.find(({ address }) => isReservedAddress(address, rules))?.text;
  return name === undefined
    ? undefined
    : deny("NameReserved", `${quote(name)} is reserved and cannot be used by a node`);
};

const addressesAreOutside: Check = ({ addresses, rules: { allowedSubnets = [] } }) => {
  const ranges = allowedSubnets.map(parseIpRange);
  const outside = addresses.find(({ address }) => !ranges.some((range) => rangeContains(range, address)));
  if (ranges.length === 0 || outside === undefined) return undefined;
  return deny("AddressNotAllowed", `${outside.text} is outside the allowed subnets ${allowedSubnets.join(", ")}`);
};

const nodeIsUnknown: Check = ({ nodes, nodeName }) =>
  nodes.some(({ metadata }) => metadata.name === nodeName)
    ? undefined
    : wait("NodeUnknown", `node ${quote(nodeName)} does not exist yet`);

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

/** A replaced machine may have the address of its predecessor, whose Node is deleted soon: wait for that. */
const namesAreContested: Check = ({ nodes, nodeName, facts, addresses }) => {
  for (const other of nodes.filter(({ metadata }) => metadata.name !== nodeName)) {
    const name =
      facts.dnsNames.find((candidate) => hasName(other, candidate)) ??
      addresses.find(({ address }) => hasAddress(other, address))?.text;
    if (name !== undefined) return wait("AddressContested", `node ${other.metadata.name} also has ${quote(name)}`);
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

/** Whether a node has a DNS name. */
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

/** Untrusted input is shown as a quoted single line. */
function quote(text: unknown): string {
  return JSON.stringify(text) ?? "nothing";
}
