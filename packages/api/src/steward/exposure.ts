import { type CelRule, dnsLabel, int32, intOrString, listMap, withRules } from "@butler/resource";
import { z } from "zod";
import { hostname, hostnameWithPort, port } from "./network-names.ts";
import { additionalMetadata } from "./pod-shapes.ts";

/** How the Service of a control plane is reached. */
export const serviceType = z.enum(["ClusterIP", "NodePort", "LoadBalancer"]);

/** The `controllerType` field of an ingress. */
export const ingressControllerType = () =>
  z
    .enum(["haproxy", "nginx", "traefik", "generic"])
    .optional()
    .describe("Ingress controller whose TLS passthrough is set up; generic or empty sets up nothing by itself.");

// An address has the form of a DNS name, and clients that dial one send no server name to route by.
const notAnAddress = (host: string): CelRule => ({
  rule: `!isIP(${host})`,
  message: "must be a DNS name, because connections are told apart by it; an IP address goes into networkProfile",
});

/** The `hostname` field of an ingress. */
export const ingressHostname = () =>
  withRules(hostnameWithPort(), notAnAddress("self.split(':')[0]"), {
    rule: "!self.matches(':[0-9]{1,5}$') || self.matches(':0*([1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])$')",
    message: "must have a port from 1 to 65535 after the colon",
  }).describe("DNS name at which the API server is announced; may end in :port.");

/** The `hostname` field of a gateway. */
export const gatewayHostname = () =>
  withRules(hostname(), notAnAddress("self")).describe("DNS name at which the API server is announced.");

const parentRef = withRules(
  z.object({
    group: z.string().max(253).default("gateway.networking.k8s.io").describe("API group of the parent."),
    kind: z.string().min(1).max(63).default("Gateway").describe("Kind of the parent."),
    namespace: z.string().min(1).max(63).optional().describe("Namespace of the parent; when empty, the same one."),
    name: z.string().min(1).max(253).describe("Name of the parent."),
    sectionName: z.string().optional().describe("Must be left out: Steward names the listener of each route itself."),
    port: int32().optional().describe("Must be left out: Steward chooses the port of each route itself."),
  }),
  {
    rule: "!has(self.port) && !has(self.sectionName)",
    message: "port and sectionName must be left out, Steward sets them for each route",
  },
);

/** The `parentRefs` field of a gateway. */
export const gatewayParentRefs = () =>
  z
    .array(parentRef)
    .max(32)
    .optional()
    .describe(
      "Gateways, in the form of Gateway API, that the routes of the control plane attach to; when empty, Butler's own SNI " +
        "gateway leads clients to the control plane and no route is made.",
    );

const additionalPort = z.object({
  name: withRules(dnsLabel(), {
    rule: "!(self in ['kube-apiserver', 'konnectivity-server', 'steward-trustd'])",
    message: "kube-apiserver, konnectivity-server and steward-trustd are reserved for Steward's own ports",
  }).describe("Name of the port, unique in the Service."),
  port: port().describe("Port of the Service."),
  targetPort: intOrString().describe("Port of the pod, by number or by name."),
  protocol: z.enum(["TCP", "UDP", "SCTP"]).default("TCP").describe("Protocol of the port."),
  appProtocol: z.string().optional().describe("Application protocol, as core/v1 ServicePort has it."),
});

const metadataOf = (kind: string) =>
  additionalMetadata.optional().describe(`Labels and annotations that are added to the ${kind}.`);

/** The Service of a control plane. */
export const controlPlaneService = z.object({
  serviceType: serviceType.describe("How the Service is reached."),
  additionalMetadata: metadataOf("Service"),
  additionalPorts: listMap(additionalPort, "name")
    .max(64)
    .optional()
    .describe("Ports that the Service has beside Steward's own, for additional containers."),
});

/** The Ingress of a control plane. */
export const controlPlaneIngress = z.object({
  additionalMetadata: metadataOf("Ingress"),
  ingressClassName: z.string().optional().describe("Class of the Ingress; when empty, the default one."),
  hostname: ingressHostname(),
  controllerType: ingressControllerType(),
});

/** The Gateway API routes of a control plane, or its place behind Butler's own SNI gateway. */
export const controlPlaneGateway = z.object({
  additionalMetadata: metadataOf("routes"),
  parentRefs: gatewayParentRefs(),
  hostname: gatewayHostname(),
});
