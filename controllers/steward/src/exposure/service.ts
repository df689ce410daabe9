import { isIP } from "node:net";
import type { TenantControlPlane } from "@butler/api";
import { apiVersionOf } from "@butler/resource";
import { InvalidInput } from "@butler/std";
import { nameLabel } from "../names.ts";
import { Service, type ServicePort } from "./kinds.ts";
import { metadataOf } from "./object-metadata.ts";

/** The API server port of the Service. */
export const apiServerPortName = "kube-apiserver";

/** Port names reserved for Steward, now or with an add-on. */
export const reservedPortNames: readonly string[] = [apiServerPortName, "konnectivity-server", "steward-trustd"];

/** The value of the component label of the Service. */
export const serviceComponent = "service";

type ServiceSpec = Service["spec"];

/** The Service of a control plane. Ports are identified by name; their order in the list has no meaning. */
export function planService(tcp: TenantControlPlane): Service {
  const { serviceType, additionalMetadata } = tcp.spec.controlPlane.service;
  return {
    apiVersion: apiVersionOf(Service),
    kind: Service.kind,
    metadata: metadataOf(tcp, { component: serviceComponent, additional: additionalMetadata }),
    spec: {
      type: serviceType,
      selector: { [nameLabel]: tcp.metadata.name },
      ports: [...portsByName(tcp).values()],
      ...loadBalancerFields(tcp),
      ...externalIPs(tcp),
    },
  };
}

/** The port of that name, at any position. */
export function portNamed({ spec }: Service, name: string): ServicePort | undefined {
  return spec.ports?.find((port) => port.name === name);
}

function portsByName(tcp: TenantControlPlane): Map<string, ServicePort> {
  const ports = new Map(ownPorts(tcp).map((port) => [port.name, port]));
  for (const { name, port, targetPort, protocol, appProtocol } of tcp.spec.controlPlane.service.additionalPorts ?? []) {
    if (reservedPortNames.includes(name) || ports.has(name)) {
      throw new InvalidInput(`the name of the additional port ${name} is already in use`, {
        hint: `choose another name in controlPlane.service.additionalPorts; Steward reserves ${reservedPortNames.join(", ")}`,
      });
    }
    ports.set(name, { name, port, targetPort, protocol, ...(appProtocol === undefined ? {} : { appProtocol }) });
  }
  return ports;
}

function ownPorts({ spec }: TenantControlPlane): ServicePort[] {
  const { port } = spec.networkProfile;
  const isNodePort = spec.controlPlane.service.serviceType === "NodePort";
  return [
    { name: apiServerPortName, port, targetPort: port, protocol: "TCP", ...(isNodePort ? { nodePort: port } : {}) },
  ];
}

function loadBalancerFields({ spec }: TenantControlPlane): ServiceSpec {
  if (spec.controlPlane.service.serviceType !== "LoadBalancer") return {};
  const { loadBalancerClass, loadBalancerSourceRanges = [] } = spec.networkProfile;
  return {
    ...(loadBalancerClass === undefined ? {} : { loadBalancerClass }),
    ...(loadBalancerSourceRanges.length === 0 ? {} : { loadBalancerSourceRanges }),
  };
}

function externalIPs({ spec }: TenantControlPlane): ServiceSpec {
  const { address = "", allowAddressAsExternalIP } = spec.networkProfile;
  const isLoadBalancer = spec.controlPlane.service.serviceType === "LoadBalancer";
  return allowAddressAsExternalIP && !isLoadBalancer && isIP(address) !== 0 ? { externalIPs: [address] } : {};
}
