import { bootstrapGroup, clusterNameLabel, KubeadmConfigTemplate, MachineDeployment } from "@butler/api-external";
import {
  bootstrapSpec,
  type ClusterInput,
  machineLabels,
  type MachineProvider,
  type PoolInput,
} from "@butler/provider";
import { apiVersionOf, type KubeObject } from "@butler/resource";
import { deploymentName, poolLabel, templateName } from "../names.ts";

/** The objects of a pool of machines. */
export interface PoolObjects {
  readonly machineTemplate: KubeObject;
  readonly bootstrapTemplate: KubeadmConfigTemplate;
  readonly deployment: MachineDeployment;
}

/** Drain timeout: a pod that cannot be evicted blocks a machine's deletion for at most this long. */
const longestDrainSeconds = 600;

const deploymentNameLabel = "cluster.x-k8s.io/deployment-name";

/** The objects of one pool; its machines get the given version, which may be older than the control plane's. */
export function poolObjects(
  input: ClusterInput,
  pool: PoolInput,
  { provider, version }: { readonly provider: MachineProvider; readonly version: string },
): PoolObjects {
  const { cluster, namespace, annotations } = input;
  const clusterName = cluster.metadata.name;
  const labels = { ...input.labels, [poolLabel]: pool.name };
  const metadata = (name: string) => ({ name, namespace, labels, annotations: { ...annotations } });
  const machineSpec = provider.machineTemplateSpec(input, pool);
  const bootstrap = { template: { spec: bootstrapSpec(provider, { ...input, kubernetesVersion: version }, pool) } };
  const kind = provider.machineTemplateKind;
  const names = {
    machine: templateName(clusterName, pool.name, machineSpec),
    bootstrap: templateName(clusterName, pool.name, bootstrap),
  };
  return {
    machineTemplate: {
      apiVersion: apiVersionOf(kind),
      kind: kind.kind,
      metadata: metadata(names.machine),
      spec: machineSpec,
    } as KubeObject,
    bootstrapTemplate: {
      apiVersion: apiVersionOf(KubeadmConfigTemplate),
      kind: KubeadmConfigTemplate.kind,
      metadata: metadata(names.bootstrap),
      spec: bootstrap,
    },
    deployment: deployment({ clusterName, pool, version, labels, names, kind, metadata }),
  };
}

interface DeploymentInput {
  readonly clusterName: string;
  readonly pool: PoolInput;
  readonly version: string;
  readonly labels: Record<string, string>;
  readonly names: { readonly machine: string; readonly bootstrap: string };
  readonly kind: MachineProvider["machineTemplateKind"];
  readonly metadata: (name: string) => MachineDeployment["metadata"];
}

function deployment({ clusterName, pool, version, labels, names, kind, metadata }: DeploymentInput): MachineDeployment {
  const name = deploymentName(clusterName, pool.name);
  const matchLabels = { [clusterNameLabel]: clusterName, [deploymentNameLabel]: name };
  return {
    apiVersion: apiVersionOf(MachineDeployment),
    kind: MachineDeployment.kind,
    metadata: metadata(name),
    spec: {
      clusterName,
      replicas: pool.replicas,
      selector: { matchLabels },
      rollout: { strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } },
      template: {
        metadata: { labels: { ...machineLabels(pool.labels), ...labels, ...matchLabels } },
        spec: {
          clusterName,
          version,
          bootstrap: {
            configRef: { apiGroup: bootstrapGroup, kind: KubeadmConfigTemplate.kind, name: names.bootstrap },
          },
          infrastructureRef: { apiGroup: kind.group, kind: kind.kind, name: names.machine },
          deletion: { nodeDrainTimeoutSeconds: longestDrainSeconds },
        },
      },
    },
  };
}
