import { cidr, int32, ipAddress, withRules } from "@butler/resource";
import { z } from "zod";
import { certSANs, hostname, port } from "./network-names.ts";
import { resourceRequirements, toleration } from "./pod-shapes.ts";

const text = (doc: string) => z.string().optional().describe(doc);
const resources = (of: string) => resourceRequirements.optional().describe(`Resources for ${of}.`);
const extraArgs = (of: string) =>
  z.array(z.string()).optional().describe(`Additional command-line flags for ${of}, each as --name=value.`);

const imageOverride = (of: string, tagWhenEmpty: string) =>
  z.object({
    imageRepository: text(`Repository of the ${of} image, without the image name or tag. Defaults to registry.k8s.io.`),
    imageTag: text(`Tag of the ${of} image. Defaults to ${tagWhenEmpty}.`),
  });

const coreDNS = imageOverride("CoreDNS", "the tag for the cluster's version");
const kubeProxy = imageOverride("kube-proxy", "the cluster's version").extend({
  conntrackMaxPerCore: int32()
    .min(0)
    .optional()
    .describe(
      "Maximum number of tracked connections per CPU core of a node. 0 keeps the node's limit and is required on nodes that cannot change it, such as LocalMachines. Defaults to the kube-proxy default.",
    ),
});

const konnectivityServer = z.object({
  port: port().default(8132).describe("Port that agents connect to."),
  version: text("Tag of the server image. Defaults to v0.<Kubernetes minor>.0."),
  image: z
    .string()
    .default("registry.k8s.io/kas-network-proxy/proxy-server")
    .describe("Image of the server, without a tag."),
  resources: resources("the konnectivity server"),
  extraArgs: extraArgs("the konnectivity server"),
});

const konnectivityAgent = withRules(
  z.object({
    image: z
      .string()
      .default("registry.k8s.io/kas-network-proxy/proxy-agent")
      .describe("Image of the agent, without a tag."),
    version: text("Tag of the agent image. Defaults to v0.<Kubernetes minor>.0."),
    tolerations: z
      .array(toleration)
      .default([{ key: "CriticalAddonsOnly", operator: "Exists" }])
      .describe("Tolerations for the agents."),
    extraArgs: extraArgs("the konnectivity agent"),
    hostNetwork: z.boolean().default(false).describe("Whether the agents use the host network."),
    mode: z
      .enum(["DaemonSet", "Deployment"])
      .default("DaemonSet")
      .describe(
        "Workload kind for the agents: DaemonSet runs an agent on every node, Deployment a fixed number of agents.",
      ),
    replicas: int32().min(0).optional().describe("Number of agents. Used only if mode is Deployment."),
  }),
  {
    rule: "self.mode != 'DaemonSet' || !has(self.replicas) || self.replicas == 0",
    message: "must be 0 or unset when mode is DaemonSet",
    fieldPath: ".replicas",
  },
  {
    rule: "self.mode != 'Deployment' || !has(self.replicas) || self.replicas > 0",
    message: "must be greater than 0 or unset when mode is Deployment",
    fieldPath: ".replicas",
  },
);

const konnectivity = z.object({
  server: konnectivityServer.prefault({}).describe("Konnectivity server, which runs alongside the API server."),
  agent: konnectivityAgent.prefault({}).describe("Konnectivity agents in the tenant cluster."),
});

const tcpProxy = z.object({
  image: z
    .string()
    .default("ghcr.io/butlerdotdev/steward-tcp-proxy:v0.2.0")
    .describe("Image of the proxy, including the tag."),
  resources: resources("each proxy"),
  hostAliases: z
    .array(
      z.object({
        ip: ipAddress().describe("IP address of the host entry."),
        hostnames: z.array(hostname()).max(16).optional().describe("Hostnames for the IP address."),
      }),
    )
    .max(32)
    .optional()
    .describe("Host entries for the proxy, used until the cluster DNS is available."),
  internalEndpoint: text(
    "API server endpoint that the proxy connects to, as host:port. Defaults to the advertised endpoint.",
  ),
});

const workerBootstrap = withRules(
  z.object({
    provider: z.enum(["talos"]).describe("Operating system of the workers that require certificates to join."),
    talos: z
      .object({
        image: z.string().default("ghcr.io/butlerdotdev/steward-trustd").describe("trustd image, without a tag."),
        imageTag: text("Tag of the trustd image. Defaults to the tag of the running Steward."),
        port: port().default(50001).describe("Port that workers connect to."),
        resources: resources("trustd"),
        certSANs: certSANs("trustd"),
      })
      .optional()
      .describe("Settings for Talos Linux workers. Required if provider is talos."),
    csrApproval: z
      .object({
        autoApprove: z
          .boolean()
          .default(true)
          .describe("Whether to approve verified requests for kubelet serving certificates automatically."),
      })
      .prefault({})
      .describe("Approval of certificate signing requests from the workers."),
    allowedSubnets: z
      .array(cidr("10.40.0.0/22"))
      .max(64)
      .optional()
      .describe(
        "Networks that must contain the addresses in a certificate signing request. If empty, all networks are allowed.",
      ),
  }),
  {
    rule: "self.provider != 'talos' || has(self.talos)",
    message: "must be set when provider is talos; use {} for the defaults",
    fieldPath: ".talos",
    reason: "FieldValueRequired",
  },
);

const addonFields = {
  coreDNS: coreDNS.optional().describe("DNS server for the cluster. Not installed if unset."),
  kubeProxy: kubeProxy.optional().describe("Service proxy for the cluster. Not installed if unset."),
  konnectivity: konnectivity
    .optional()
    .describe("Tunnel from the API server to nodes, pods and Services. Not installed if unset."),
  tcpProxy: tcpProxy
    .optional()
    .describe(
      "TCP proxy that serves the kubernetes Service in the tenant cluster if the API server is exposed through SNI routing. Not installed if unset.",
    ),
  workerBootstrap: workerBootstrap
    .optional()
    .describe(
      "Service that issues certificates to workers whose operating system requires its own. Not installed if unset.",
    ),
};

/** Add-ons that Steward installs with a control plane. Unset add-ons are disabled. */
export const controlPlaneAddons = z.object(addonFields);

/** The same add-ons for a StewardControlPlane. */
export const clusterAddons = z.object({
  ...addonFields,
  coreDNS: coreDNS
    .extend({
      dnsServiceIPs: z
        .array(ipAddress("10.96.0.10"))
        .max(16)
        .optional()
        .describe(
          "IP addresses of the DNS Service. Defaults to network.dnsServiceIPs, or else to the tenth address of the Service CIDR.",
        ),
    })
    .optional()
    .describe("DNS server for the cluster. Not installed if unset."),
});
