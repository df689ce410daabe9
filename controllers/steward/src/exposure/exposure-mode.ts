import { isIP } from "node:net";
import type { TenantControlPlane } from "@butler/api";
import { InvalidInput } from "@butler/std";

/** The port of Butler's SNI gateway, for every tenant. */
export const sniGatewayPort = 6443;

/** The default port of an Ingress host. */
const defaultIngressPort = 443;

type Settings = TenantControlPlane["spec"]["controlPlane"];
type GatewaySettings = NonNullable<Settings["gateway"]>;

/** How a control plane is exposed outside the management cluster. */
export type ExposureMode =
  /** By the Service itself. */
  | { readonly kind: "service" }
  /** By an ingress controller that passes TLS through. */
  | {
      readonly kind: "ingress";
      readonly host: string;
      readonly port: number;
      readonly settings: NonNullable<Settings["ingress"]>;
    }
  /** By a Gateway that Butler does not run. */
  | {
      readonly kind: "gateway";
      readonly host: string;
      readonly settings: GatewaySettings;
      readonly parentRefs: NonNullable<GatewaySettings["parentRefs"]>;
    }
  /** By Butler's own gateway. */
  | { readonly kind: "sniGateway"; readonly host: string };

/** The exposure mode of a control plane. Throws InvalidInput where the host cannot be used to route connections. */
export function exposureModeOf({ spec }: TenantControlPlane): ExposureMode {
  const { ingress, gateway } = spec.controlPlane;
  if (ingress !== undefined) {
    const { host, port = defaultIngressPort } = splitHost(ingress.hostname);
    return { kind: "ingress", host: requireHost(host), port, settings: ingress };
  }
  if (gateway === undefined) return { kind: "service" };
  const host = requireHost(gateway.hostname);
  const { parentRefs = [] } = gateway;
  if (parentRefs.length === 0) return { kind: "sniGateway", host };
  return { kind: "gateway", host, settings: gateway, parentRefs };
}

/** The hostname that a control plane claims exclusively; undefined when there is none or it is invalid. */
export function claimedHostOf({ spec }: TenantControlPlane): string | undefined {
  const { ingress, gateway } = spec.controlPlane;
  const host = ingress === undefined ? gateway?.hostname : splitHost(ingress.hostname).host;
  return host === undefined || hostFault(host) !== undefined ? undefined : host;
}

/** Parses `host:port`; the port is undefined when there is none. */
export function splitHost(text = ""): { readonly host: string; readonly port: number | undefined } {
  const colon = text.lastIndexOf(":");
  if (colon < 0) return { host: text, port: undefined };
  return { host: text.slice(0, colon), port: Number(text.slice(colon + 1)) };
}

const dnsName = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

/** Why a text cannot be the server name of one control plane, as the end of a sentence; undefined when it can. */
export function hostFault(host: string | undefined): string | undefined {
  if (host === undefined || host === "") return "is required: clients connect to this DNS name";
  if (host.includes("*")) return `must identify one control plane; the wildcard ${JSON.stringify(host)} is not allowed`;
  if (isIP(host) !== 0) return `must be a DNS name; clients that connect to the IP address ${host} send no server name`;
  if (host.length > 253 || !dnsName.test(host)) {
    return `must be a lowercase DNS name, such as blue.k8s.example.com; got ${JSON.stringify(host)}`;
  }
  return undefined;
}

/**
 * The CRD rejects such hosts; an object that bypassed it must not reach a routing rule, where the text is interpreted.
 */
function requireHost(host: string): string {
  const fault = hostFault(host);
  if (fault === undefined) return host;
  throw new InvalidInput(`the control plane's hostname ${fault}`, {
    hint: "set controlPlane.ingress.hostname or controlPlane.gateway.hostname to a DNS name that is unique to this control plane",
  });
}
