import { isIP } from "node:net";
import type { TenantControlPlane } from "@butler/api";
import { keyText, type KubeObject } from "@butler/resource";
import { type ExposureMode, exposureModeOf, sniGatewayPort } from "./exposure-mode.ts";
import type { Service } from "./kinds.ts";

/** Where clients reach a control plane. */
export interface KnownEndpoint {
  readonly kind: "known";
  /** A DNS name or an address, without brackets. */
  readonly host: string;
  readonly port: number;
  /** The address that the API server announces as its own; always an address. */
  readonly advertiseAddress: string;
  /** Every further name and address that leads to the control plane. */
  readonly alternatives: readonly string[];
}

/** Why it is not known yet where clients reach a control plane. */
export interface WaitingEndpoint {
  readonly kind: "waiting";
  /** One CamelCase word for a condition. */
  readonly reason: string;
  readonly message: string;
}

export type AnnouncedEndpoint = KnownEndpoint | WaitingEndpoint;

export interface EndpointSettings {
  /** The port of Butler's own SNI gateway, where it is not the usual one. */
  readonly sniGatewayPort?: number;
}

/**
 * Where clients reach a control plane: at the host of its ingress or gateway; else at `networkProfile.address`; else where
 * its Service is. The address, or else that of the Service, is also what the API server announces.
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
      // The listener that the route attaches to has the control plane's own port.
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
  // Behind a host of its own the load balancer is a way in among others, and not worth a restart when it comes or goes.
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
    return { kind: "waiting", reason: "WaitingForService", message: `The Service ${name} does not exist yet.` };
  }
  const message = `The Service ${name} has no cluster address yet.`;
  return { kind: "waiting", reason: "WaitingForClusterAddress", message };
}

function waitingForLoadBalancer({ metadata, spec }: TenantControlPlane): WaitingEndpoint {
  const { loadBalancerClass } = spec.networkProfile;
  const who = loadBalancerClass === undefined ? "A load-balancer controller" : `The class ${loadBalancerClass}`;
  const message =
    `The Service ${keyText(metadata)} waits for the address of a load balancer. ${who} has to give it one; ` +
    "otherwise set networkProfile.address or another serviceType.";
  return { kind: "waiting", reason: "WaitingForLoadBalancer", message };
}
