import { type CelRule, dnsLabel, int32, intOrString, listMap, withRules } from "@butler/resource";
import { z } from "zod";
import { hostname, hostnameWithPort, port } from "./network-names.ts";
import { additionalMetadata } from "./pod-shapes.ts";

/** Type of a control plane's Service. */
export const serviceType = z.enum(["ClusterIP", "NodePort", "LoadBalancer"]);

/** The `controllerType` field of an ingress. */
export const ingressControllerType = () =>
  z
    .enum(["haproxy", "nginx", "traefik", "generic"])
    .optional()
    .describe("Ingress controller to configure TLS passthrough for. If generic or empty, nothing is configured.");

// An IP address also matches the pattern of a DNS name, and clients that connect to one send no server name.
const notAnAddress = (host: string): CelRule => ({
  rule: `!isIP(${host})`,
  message:
    "must be a DNS name, because connections are routed by server name; set an IP address in networkProfile instead",
});

/** The `hostname` field of an ingress. */
export const ingressHostname = () =>
  withRules(hostnameWithPort(), notAnAddress("self.split(':')[0]"), {
    rule: "!self.matches(':[0-9]{1,5}$') || self.matches(':0*([1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])$')",
    message: "must have a port from 1 to 65535 after the colon",
  }).describe("Advertised DNS name of the API server, optionally with :port.");

/** The `hostname` field of a gateway. */
export const gatewayHostname = () =>
  withRules(hostname(), notAnAddress("self")).describe("Advertised DNS name of the API server.");

const parentRef = withRules(
  z.object({
    group: z.string().max(253).default("gateway.networking.k8s.io").describe("API group of the parent."),
    kind: z.string().min(1).max(63).default("Gateway").describe("Kind of the parent."),
    namespace: z
      .string()
      .min(1)
      .max(63)
      .optional()
      .describe("Namespace of the parent. Defaults to the namespace of this object."),
    name: z.string().min(1).max(253).describe("Name of the parent."),
    sectionName: z.string().optional().describe("Must be unset: Steward sets the listener of each route."),
    port: int32().optional().describe("Must be unset: Steward sets the port of each route."),
  }),
  {
    rule: "!has(self.port) && !has(self.sectionName)",
    message: "port and sectionName must be unset: Steward sets them for each route",
  },
);

/** The `parentRefs` field of a gateway. */
export const gatewayParentRefs = () =>
  z
    .array(parentRef)
    .max(32)
    .optional()
    .describe(
      "Gateways that the routes of the control plane attach to, as Gateway API ParentReference. If empty, " +
        "Butler's own SNI gateway routes clients to the control plane and no route is created.",
    );

const additionalPort = z.object({
  name: withRules(dnsLabel(), {
    rule: "!(self in ['kube-apiserver', 'konnectivity-server', 'steward-trustd'])",
    message: "kube-apiserver, konnectivity-server and steward-trustd are reserved for Steward's own ports",
  }).describe("Name of the port. Must be unique in the Service."),
  port: port().describe("Port of the Service."),
  targetPort: intOrString().describe("Number or name of the pod's port."),
  protocol: z.enum(["TCP", "UDP", "SCTP"]).default("TCP").describe("Protocol of the port."),
  appProtocol: z.string().optional().describe("Application protocol, as in core/v1 ServicePort."),
});

const metadataOf = (kind: string) =>
  additionalMetadata.optional().describe(`Labels and annotations to add to the ${kind}.`);

/** The Service of a control plane. */
export const controlPlaneService = z.object({
  serviceType: serviceType.describe("Type of the Service."),
  additionalMetadata: metadataOf("Service"),
  additionalPorts: listMap(additionalPort, "name")
    .max(64)
    .optional()
    .describe("Additional Service ports, for additional containers."),
});

/** The Ingress of a control plane. */
export const controlPlaneIngress = z.object({
  additionalMetadata: metadataOf("Ingress"),
  ingressClassName: z.string().optional().describe("Class of the Ingress. Defaults to the default IngressClass."),
  hostname: ingressHostname(),
  controllerType: ingressControllerType(),
});

/** The Gateway API routes of a control plane, or its hostname on Butler's own SNI gateway. */
export const controlPlaneGateway = z.object({
  additionalMetadata: metadataOf("routes"),
  parentRefs: gatewayParentRefs(),
  hostname: gatewayHostname(),
});
