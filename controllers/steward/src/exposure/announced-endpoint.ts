import { isIP } from "node:net";
import type { TenantControlPlane } from "@butler/api";
import { type Blocker, keyText, type KubeObject } from "@butler/resource";
import { type ExposureMode, exposureModeOf, sniGatewayPort } from "./exposure-mode.ts";
import type { Service } from "./kinds.ts";

/** The endpoint of a control plane. */
export interface KnownEndpoint {
  readonly kind: "known";
  /** A DNS name or an address, without brackets. */
  readonly host: string;
  readonly port: number;
  /** The address that the API server announces as its own; always an address. */
  readonly advertiseAddress: string;
  /** All further names and addresses of the control plane. */
  readonly alternatives: readonly string[];
}

/** Why the endpoint of a control plane is not known yet. */
export interface WaitingEndpoint extends Blocker {
  readonly kind: "waiting";
}

export type AnnouncedEndpoint = KnownEndpoint | WaitingEndpoint;

export interface EndpointSettings {
  /** The port of Butler's SNI gateway, if not the default. */
  readonly sniGatewayPort?: number;
}

/**
 * The endpoint of a control plane: the host of its ingress or gateway; otherwise `networkProfile.address`; otherwise
 * the address of its Service. The address, or that of the Service, is also what the API server advertises.
 */
export function announcedEndpoint(
  tcp: TenantControlPlane,
  service: KubeObject | undefined,
  settings: EndpointSettings = {},
): AnnouncedEndpoint {
  const mode = exposureModeOf(tcp);
  const entry = entryOf(tcp, service as Service | undefined, mode);
  if (entry.kind === "waiting") return entry;
  const { host, port } = hostAndPort(tcp, mode, { entry, ...settings });
  const alternatives = [...new Set([entry.host, ...entry.alternatives])].filter((name) => name !== host);
  return { kind: "known", host, port, advertiseAddress: entry.advertiseAddress, alternatives };
}

interface Entry {
  readonly kind: "found";
  readonly host: string;
  readonly advertiseAddress: string;
  readonly alternatives: readonly string[];
}

function hostAndPort(
  { spec }: TenantControlPlane,
  mode: ExposureMode,
  { entry, sniGatewayPort: gatewayPort = sniGatewayPort }: EndpointSettings & { readonly entry: Entry },
): { host: string; port: number } {
  const { port } = spec.networkProfile;
  switch (mode.kind) {
    case "ingress":
      return { host: mode.host, port: mode.port };
    case "gateway":
      // The route attaches to a listener with the control plane's port.
      return { host: mode.host, port };
    case "sniGateway":
      return { host: mode.host, port: gatewayPort };
    case "service":
      return { host: entry.host, port };
  }
}

/** The address given by the user, or else that of the Service. */
function entryOf(tcp: TenantControlPlane, service: Service | undefined, mode: ExposureMode): Entry | WaitingEndpoint {
  const { address = "" } = tcp.spec.networkProfile;
  const clusterAddresses = clusterAddressesOf(service);
  const balancers = loadBalancerHosts(service);
  const found = (host: string, advertiseAddress: string): Entry => {
    return { kind: "found", host, advertiseAddress, alternatives: [...clusterAddresses, ...balancers] };
  };
  if (isIP(address) !== 0) return found(address, address);
  const [clusterAddress] = clusterAddresses;
  if (clusterAddress === undefined) return waitingForService(tcp, service);
  if (address !== "") return found(address, clusterAddress);
  // Behind a separate host the load balancer is one of several entries, and its changes are not worth a restart.
  const isBalanced = tcp.spec.controlPlane.service.serviceType === "LoadBalancer" && mode.kind === "service";
  if (!isBalanced) return found(clusterAddress, clusterAddress);
  const ip = balancers.find((host) => isIP(host) !== 0);
  const host = ip ?? balancers[0];
  return host === undefined ? waitingForLoadBalancer(tcp) : found(host, ip ?? clusterAddress);
}

function clusterAddressesOf(service: Service | undefined): string[] {
  const { clusterIP = "", clusterIPs = [clusterIP] } = service?.spec ?? {};
  return clusterIPs.filter((address) => isIP(address) !== 0);
}

function loadBalancerHosts(service: Service | undefined): string[] {
  const ingress = service?.status?.loadBalancer?.ingress ?? [];
  return ingress.flatMap(({ ip = "", hostname = "" }) => [ip, hostname]).filter((host) => host !== "");
}

function waitingForService({ metadata }: TenantControlPlane, service: Service | undefined): WaitingEndpoint {
  const name = keyText(metadata);
  if (service === undefined) {
    return { kind: "waiting", reason: "WaitingForService", message: `waiting for Service ${name} to be created` };
  }
  const message = `waiting for Service ${name} to get a cluster IP`;
  return { kind: "waiting", reason: "WaitingForClusterAddress", message };
}

function waitingForLoadBalancer({ metadata, spec }: TenantControlPlane): WaitingEndpoint {
  const { loadBalancerClass } = spec.networkProfile;
  const who =
    loadBalancerClass === undefined ? "a load balancer controller" : `a controller for class ${loadBalancerClass}`;
  const message =
    `waiting for a load balancer address for Service ${keyText(metadata)}. Check that ${who} is running, ` +
    "or set networkProfile.address or another serviceType.";
  return { kind: "waiting", reason: "WaitingForLoadBalancer", message };
}
