import { Cluster, Machine, MachineDeployment } from "@butler/api-external";
import { applyCrds, type KubeClient } from "@butler/kube";
import { type Kind, kindId, type KubeObject } from "@butler/resource";

const openSchema = { type: "object", "x-kubernetes-preserve-unknown-fields": true };

/** A CRD that accepts any object: these tests do not depend on Cluster API's validation. */
function looseCrd({ group, version, kind, plural, scope }: Kind): KubeObject & Record<string, unknown> {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: kindId({ group, plural }) },
    spec: {
      group,
      scope,
      names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          schema: { openAPIV3Schema: openSchema },
          subresources: { status: {} },
        },
      ],
    },
  };
}

/** Installs Cluster API's kinds on the API server. */
export function installClusterApiStandIns(client: KubeClient): Promise<void> {
  return applyCrds(client, [Cluster, Machine, MachineDeployment].map(looseCrd));
}
