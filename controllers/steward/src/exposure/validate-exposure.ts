import { isIP } from "node:net";
import type { TenantControlPlane } from "@butler/api";
import { hostFault, splitHost } from "./exposure-mode.ts";
import { apiServerPortName, reservedPortNames } from "./service.ts";

export interface ExposureRules {
  /** The node port range of the management cluster. */
  readonly nodePortRange?: { readonly first: number; readonly last: number };
}

const defaultNodePortRange = { first: 30_000, last: 32_767 };

/**
 * Validates the exposure of a control plane; each message starts with the field. The CRD enforces most of it; this
 * covers clusters with older CRDs, and rules that CRDs cannot express.
 */
export function validateExposure(tcp: TenantControlPlane, rules: ExposureRules = {}): string[] {
  return [
    ...hostFaults(tcp),
    ...parentFaults(tcp),
    ...portFaults(tcp),
    ...addressFaults(tcp, rules),
    ...balancerFaults(tcp),
  ];
}

const under = (path: string, fault: string | undefined): string[] =>
  fault === undefined ? [] : [`spec.${path} ${fault}`];

function hostFaults({ spec }: TenantControlPlane): string[] {
  const { ingress, gateway } = spec.controlPlane;
  if (ingress !== undefined && gateway !== undefined) {
    return under("controlPlane", "sets both ingress and gateway, which are mutually exclusive; set one of them");
  }
  if (gateway !== undefined) return under("controlPlane.gateway.hostname", hostFault(gateway.hostname));
  if (ingress === undefined) return [];
  const { host, port } = splitHost(ingress.hostname);
  const isPort = port === undefined || (Number.isInteger(port) && port >= 1 && port <= 65_535);
  return [
    ...under("controlPlane.ingress.hostname", hostFault(host)),
    ...under("controlPlane.ingress.hostname", isPort ? undefined : "must have a port from 1 to 65535 after the colon"),
  ];
}

function parentFaults({ spec, metadata }: TenantControlPlane): string[] {
  const parents = spec.controlPlane.gateway?.parentRefs ?? [];
  const ids = parents.map(({ group, kind, namespace = metadata.namespace, name }) =>
    JSON.stringify([group, kind, namespace, name]),
  );
  const hasTwice = new Set(ids).size < ids.length;
  const isNarrowed = parents.some(({ port, sectionName }) => port !== undefined || sectionName !== undefined);
  const path = "controlPlane.gateway.parentRefs";
  return [
    ...under(path, hasTwice ? "lists the same parent twice; list each parent once" : undefined),
    ...under(path, isNarrowed ? "must not set port or sectionName; Steward sets them for each route" : undefined),
  ];
}

function portFaults({ spec }: TenantControlPlane): string[] {
  const names = new Set<string>();
  const numbers = new Map([[`TCP ${spec.networkProfile.port}`, apiServerPortName]]);
  const faults: string[] = [];
  for (const { name, port, protocol } of spec.controlPlane.service.additionalPorts ?? []) {
    const path = `controlPlane.service.additionalPorts[${name}]`;
    if (reservedPortNames.includes(name)) faults.push(...under(path, "has a name that is reserved for Steward"));
    if (names.has(name)) faults.push(...under(path, "has a duplicate name; port names must be unique"));
    names.add(name);
    const number = `${protocol} ${port}`;
    const holder = numbers.get(number);
    if (holder !== undefined) faults.push(...under(path, `has the port ${number}, which is already used by ${holder}`));
    else numbers.set(number, name);
  }
  return faults;
}

function addressFaults(
  { spec }: TenantControlPlane,
  { nodePortRange = defaultNodePortRange }: ExposureRules,
): string[] {
  const { port, address = "", allowAddressAsExternalIP } = spec.networkProfile;
  const { first, last } = nodePortRange;
  const isOutside = spec.controlPlane.service.serviceType === "NodePort" && (port < first || port > last);
  const isWithoutAddress = allowAddressAsExternalIP && isIP(address) === 0;
  return [
    ...under(
      "networkProfile.port",
      isOutside ? `is ${port} but must be between ${first} and ${last} with serviceType NodePort` : undefined,
    ),
    ...under(
      "networkProfile.allowAddressAsExternalIP",
      isWithoutAddress ? "requires networkProfile.address to be an IP address" : undefined,
    ),
  ];
}

function balancerFaults({ spec }: TenantControlPlane): string[] {
  const { loadBalancerClass, loadBalancerSourceRanges = [] } = spec.networkProfile;
  if (spec.controlPlane.service.serviceType === "LoadBalancer") return [];
  const fault = "may only be set when serviceType is LoadBalancer";
  return [
    ...under("networkProfile.loadBalancerClass", loadBalancerClass === undefined ? undefined : fault),
    ...under("networkProfile.loadBalancerSourceRanges", loadBalancerSourceRanges.length === 0 ? undefined : fault),
  ];
}
