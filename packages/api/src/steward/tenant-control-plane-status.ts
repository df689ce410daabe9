import { conditions, int32, observedGeneration, openObject, openShape, time } from "@butler/resource";
import { z } from "zod";

const text = (doc: string) => z.string().optional().describe(doc);
const count = (doc: string) => int32().optional().describe(doc);
const enabled = () => z.boolean().optional().describe("Whether the add-on is installed.");
const lastUpdate = () => time().optional().describe("Time of the last change to the content.");
const checksum = () => text("Checksum of the content.");
const notAfter = () => time().optional().describe("Expiration time of the certificate.");

const certificate = (of: string) =>
  z
    .object({
      secretName: text("Name of the Secret."),
      lastUpdate: lastUpdate(),
      checksum: checksum(),
      notAfter: notAfter(),
    })
    .optional()
    .describe(`${of}.`);

const madeObject = (of: string) =>
  openShape({
    name: text("Name of the object."),
    namespace: text("Namespace of the object."),
    lastUpdate: lastUpdate(),
    checksum: checksum(),
  })
    .optional()
    .describe(`${of}.`);

const storage = z.object({
  driver: text("Driver of the DataStore in use."),
  dataStoreName: text("DataStore in use."),
  config: z
    .object({ secretName: text("Name of the Secret."), checksum: checksum() })
    .optional()
    .describe("Secret with the connection data."),
  setup: z
    .object({
      schema: text("Database, bucket or key prefix in the store."),
      user: text("User in the store."),
      lastUpdate: lastUpdate(),
      checksum: checksum(),
    })
    .optional()
    .describe("Schema and user created in the store."),
  certificate: certificate("Client certificate for the store"),
});

const certificates = z.object({
  ca: certificate("Certificate authority of the cluster"),
  apiServer: certificate("Serving certificate of kube-apiserver"),
  apiServerKubeletClient: certificate("Client certificate that kube-apiserver presents to kubelets"),
  frontProxyCA: certificate("Certificate authority for the aggregation layer"),
  frontProxyClient: certificate("Client certificate for the aggregation layer"),
  sa: certificate("Signing keys for service account tokens"),
  etcd: openObject()
    .optional()
    .describe("Certificates for the control plane's dedicated etcd, by purpose. Unset if etcd is shared."),
});

const kubeconfig = z.object({
  admin: certificate("Kubeconfig for administrators"),
  controllerManager: certificate("Kubeconfig for kube-controller-manager"),
  scheduler: certificate("Kubeconfig for kube-scheduler"),
});

const deployment = openShape({
  name: text("Name of the Deployment."),
  namespace: text("Namespace of the Deployment."),
  selector: text("Label selector for the pods, for autoscalers."),
  lastUpdate: lastUpdate(),
  observedGeneration: observedGeneration(),
  replicas: count("Total number of pods."),
  updatedReplicas: count("Number of pods with the current template."),
  readyReplicas: count("Number of ready pods."),
  availableReplicas: count("Number of available pods, ready for at least minReadySeconds."),
  unavailableReplicas: count("Number of unavailable pods."),
});

const service = openShape({
  name: text("Name of the Service."),
  namespace: text("Namespace of the Service."),
  port: count("Port of the Service."),
});

const gateway = openShape({
  routeRef: z
    .object({ name: text("Name of the route.") })
    .optional()
    .describe("Reference to the route."),
  accessPoints: z
    .array(
      z.object({
        type: text("Type of the access point: Hostname or IPAddress."),
        value: text("Hostname or IP address of the access point."),
        port: count("Port of the access point."),
        urls: z.array(z.string()).optional().describe("URLs of the access point."),
      }),
    )
    .optional()
    .describe("Endpoints of the route."),
});

const kubernetesResources = z.object({
  version: z
    .object({
      version: text("Kubernetes version that is currently running."),
      status: z
        .enum([
          "Unknown",
          "Provisioning",
          "CertificateAuthorityRotating",
          "Upgrading",
          "Migrating",
          "Ready",
          "NotReady",
          "Sleeping",
          "WriteLimited",
        ])
        .default("Provisioning")
        .describe("Current phase of the control plane."),
    })
    .optional()
    .describe("Running version and current phase of the control plane."),
  deployment: deployment.optional().describe("Deployment and its status."),
  service: service.optional().describe("Service and its status."),
  ingress: openShape({ name: text("Name of the Ingress."), namespace: text("Namespace of the Ingress.") })
    .optional()
    .describe("Ingress and its status."),
  gateway: gateway.optional().describe("Gateway API route for the API server and its status."),
});

const addons = z.object({
  coreDNS: z.object({ enabled: enabled(), lastUpdate: lastUpdate() }).optional().describe("CoreDNS."),
  kubeProxy: z.object({ enabled: enabled(), lastUpdate: lastUpdate() }).optional().describe("kube-proxy."),
  konnectivity: z
    .object({
      enabled: enabled(),
      configMap: madeObject("Egress configuration for the API server"),
      certificate: certificate("Serving certificate of the konnectivity server"),
      kubeconfig: certificate("Kubeconfig for the konnectivity server"),
      sa: madeObject("ServiceAccount for the agents"),
      clusterrolebinding: madeObject("ClusterRoleBinding that allows the server to review tokens"),
      agent: openShape({
        name: text("Name of the object."),
        namespace: text("Namespace of the object."),
        mode: text("DaemonSet or Deployment."),
        lastUpdate: lastUpdate(),
      })
        .optional()
        .describe("DaemonSet or Deployment that runs the agents."),
      service: service.optional().describe("Service that agents connect to."),
      gateway: gateway.optional().describe("Route that agents connect to."),
    })
    .optional()
    .describe("Tunnel to nodes, pods and Services."),
  tcpProxy: z
    .object({
      enabled: enabled(),
      deployment: madeObject("Proxy Deployment"),
      service: madeObject("Proxy Service"),
      serviceAccount: madeObject("Proxy ServiceAccount"),
      clusterRole: madeObject("Proxy ClusterRole"),
      clusterRoleBinding: madeObject("Proxy ClusterRoleBinding"),
    })
    .optional()
    .describe("TCP proxy for the kubernetes Service."),
  workerBootstrap: z
    .object({
      enabled: enabled(),
      provider: text("Operating system of the workers."),
      credentials: certificate("Keys, certificates and token for trustd"),
      endpoint: text("trustd endpoint that workers connect to, as host:port."),
      service: service.optional().describe("Service that workers connect to."),
    })
    .optional()
    .describe("Certificates for workers."),
});

/** Status of a control plane. */
export const tenantControlPlaneStatus = z.object({
  conditions: conditions(
    "Ready",
    "Available",
    "CertificatesReady",
    "DataStoreReady",
    "EndpointReady",
    "AddonsReady",
    "Paused",
    "Deleting",
  ),
  observedGeneration: observedGeneration(),
  controlPlaneEndpoint: text("Endpoint of the API server, as host:port."),
  storage: storage.optional().describe("DataStore in use, and the schema and user created in it."),
  certificates: certificates.optional().describe("Certificates and keys for the control plane."),
  kubeconfig: kubeconfig.optional().describe("Kubeconfigs for the control plane."),
  kubernetesResources: kubernetesResources.optional().describe("Objects that run and expose the control plane."),
  kubeadmconfig: z
    .object({ configmapName: text("Name of the ConfigMap."), lastUpdate: lastUpdate(), checksum: checksum() })
    .optional()
    .describe("ConfigMap with the kubeadm configuration."),
  kubeadmPhase: z
    .object({
      bootstrapToken: z
        .object({ lastUpdate: lastUpdate(), checksum: checksum() })
        .optional()
        .describe("Bootstrap token for joining nodes."),
    })
    .optional()
    .describe("kubeadm phases completed in the tenant cluster."),
  addons: addons.optional().describe("Add-ons installed by Steward."),
});
