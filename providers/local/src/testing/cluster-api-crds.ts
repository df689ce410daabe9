import { Cluster, Machine } from "@butler/api-external";
import type { KubeClient } from "@butler/kube";
import { builtinKinds, type Condition, isConditionTrue, type Kind, type KubeObject } from "@butler/resource";
import { sleep, systemClock } from "@butler/std";

/** CRDs that let Cluster API's kinds be stored without any of its checks. */
function looseCrd({ group, version, kind, plural, scope }: Kind): KubeObject {
  const openAPIV3Schema = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope,
      names: { kind, plural, singular: kind.toLowerCase() },
      versions: [{ name: version, served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  } as KubeObject;
}

/** Installs stand-ins for the CRDs of Cluster and Machine. */
export async function installClusterApiCrds(client: KubeClient): Promise<void> {
  const kinds = [Cluster, Machine];
  const definitions = builtinKinds.CustomResourceDefinition;
  for (const kind of kinds) await client.apply(definitions, looseCrd(kind), { fieldManager: "test" });
  for (const { plural, group } of kinds) {
    for (;;) {
      const { status } = (await client.get(definitions, { name: `${plural}.${group}` })) as { status?: unknown };
      if (isConditionTrue((status as { conditions?: Condition[] } | undefined)?.conditions, "Established")) break;
      await sleep(systemClock, 50);
    }
  }
}
