import { cidr, int32, ipAddress, withRules } from "@butler/resource";
import { z } from "zod";
import { certSANs, hostname, port } from "./network-names.ts";
import { resourceRequirements, toleration } from "./pod-shapes.ts";

const text = (doc: string) => z.string().optional().describe(doc);
const resources = (of: string) => resourceRequirements.optional().describe(`CPU and memory of ${of}.`);
const extraArgs = (of: string) =>
  z.array(z.string()).optional().describe(`Further command-line flags of ${of}, each as --name=value.`);

const imageOverride = (of: string, tagWhenEmpty: string) =>
  z.object({
    imageRepository: text(`Repository of the ${of} image, without image name and tag; when empty, registry.k8s.io.`),
    imageTag: text(`Tag of the ${of} image; when empty, ${tagWhenEmpty}.`),
  });

const coreDNS = imageOverride("CoreDNS", "the one that suits the cluster's version");
const kubeProxy = imageOverride("kube-proxy", "the cluster's version").extend({
  conntrackMaxPerCore: int32()
    .min(0)
    .optional()
    .describe(
      "Tracked connections per CPU core of a node; 0 leaves the node's own limit, which nodes that may not change it need (such as LocalMachines); when empty, kube-proxy's default.",
    ),
});

const konnectivityServer = z.object({
  port: port().default(8132).describe("Port on which agents reach the server."),
  version: text("Tag of the server image; when empty, v0.<Kubernetes minor>.0."),
  image: z
    .string()
    .default("registry.k8s.io/kas-network-proxy/proxy-server")
    .describe("Image of the server, without tag."),
  resources: resources("the konnectivity server"),
  extraArgs: extraArgs("the konnectivity server"),
});

const konnectivityAgent = withRules(
  z.object({
    image: z
      .string()
      .default("registry.k8s.io/kas-network-proxy/proxy-agent")
      .describe("Image of the agent, without tag."),
    version: text("Tag of the agent image; when empty, v0.<Kubernetes minor>.0."),
    tolerations: z
      .array(toleration)
      .default([{ key: "CriticalAddonsOnly", operator: "Exists" }])
      .describe("Taints that the agents put up with."),
    extraArgs: extraArgs("the konnectivity agent"),
    hostNetwork: z.boolean().default(false).describe("Whether the agents use the network of their node."),
    mode: z
      .enum(["DaemonSet", "Deployment"])
      .default("DaemonSet")
      .describe("Whether an agent runs on every node or in a fixed number."),
    replicas: int32().min(0).optional().describe("Number of agents in mode Deployment."),
  }),
  {
    rule: "self.mode != 'DaemonSet' || !has(self.replicas) || self.replicas == 0",
    message: "must be 0 or left out when mode is DaemonSet",
    fieldPath: ".replicas",
  },
  {
    rule: "self.mode != 'Deployment' || !has(self.replicas) || self.replicas > 0",
    message: "must be above 0 or left out when mode is Deployment",
    fieldPath: ".replicas",
  },
);

const konnectivity = z.object({
  server: konnectivityServer.prefault({}).describe("The end of the tunnel beside the API server."),
  agent: konnectivityAgent.prefault({}).describe("The end of the tunnel in the tenant cluster."),
});

const tcpProxy = z.object({
  image: z.string().default("ghcr.io/butlerdotdev/steward-tcp-proxy:v0.2.0").describe("Image of the proxy, with tag."),
  resources: resources("each proxy"),
  hostAliases: z
    .array(
      z.object({
        ip: ipAddress().describe("Address that the names stand for."),
        hostnames: z.array(hostname()).max(16).optional().describe("Names of the address."),
      }),
    )
    .max(32)
    .optional()
    .describe("Names that the proxy resolves by itself, for the time before the cluster's DNS answers."),
  internalEndpoint: text("host:port at which the proxy reaches the API server; when empty, the announced endpoint."),
});

const workerBootstrap = withRules(
  z.object({
    provider: z.enum(["talos"]).describe("Operating system of the workers that need certificates to join."),
    talos: z
      .object({
        image: z.string().default("ghcr.io/butlerdotdev/steward-trustd").describe("Image of trustd, without tag."),
        imageTag: text("Tag of the trustd image; when empty, that of the running Steward."),
        port: port().default(50001).describe("Port on which workers reach trustd."),
        resources: resources("trustd"),
        certSANs: certSANs("trustd"),
      })
      .optional()
      .describe("Settings for Talos Linux workers; required when provider is talos."),
    csrApproval: z
      .object({
        autoApprove: z
          .boolean()
          .default(true)
          .describe("Whether requests for kubelet serving certificates are approved once they have been checked."),
      })
      .prefault({})
      .describe("What happens to certificate requests of the workers."),
    allowedSubnets: z
      .array(cidr("10.40.0.0/22"))
      .max(64)
      .optional()
      .describe("Networks that the addresses in a certificate request must lie in; when empty, any network."),
  }),
  {
    rule: "self.provider != 'talos' || has(self.talos)",
    message: "needed when provider is talos; {} takes the defaults",
    fieldPath: ".talos",
    reason: "FieldValueRequired",
  },
);

const addonFields = {
  coreDNS: coreDNS.optional().describe("The cluster's DNS server; not installed when absent."),
  kubeProxy: kubeProxy.optional().describe("The cluster's service proxy; not installed when absent."),
  konnectivity: konnectivity
    .optional()
    .describe("Tunnel by which the API server reaches nodes, pods and services; not installed when absent."),
  tcpProxy: tcpProxy
    .optional()
    .describe("Relay in the tenant cluster for the kubernetes Service behind SNI routing; not installed when absent."),
  workerBootstrap: workerBootstrap
    .optional()
    .describe("Certificates for workers whose operating system needs its own; not installed when absent."),
};

/** Add-ons that Steward itself installs with a control plane; an absent one is off. */
export const controlPlaneAddons = z.object(addonFields);

/** The same add-ons as a StewardControlPlane has them. */
export const clusterAddons = z.object({
  ...addonFields,
  coreDNS: coreDNS
    .extend({
      dnsServiceIPs: z
        .array(ipAddress("10.96.0.10"))
        .max(16)
        .optional()
        .describe("Addresses of the DNS Service; when empty, network.dnsServiceIPs, and else the tenth of the range."),
    })
    .optional()
    .describe("The cluster's DNS server; not installed when absent."),
});
