import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { KubeadmConfigTemplate } from "@butler/api-external";
import { moduleDirectory } from "@butler/engine";
import { applyCrds, type KubeClient } from "@butler/kube";
import { KubevirtCluster, KubevirtMachineTemplate } from "@butler/provider-harvester";
import { NutanixCluster, NutanixMachineTemplate } from "@butler/provider-nutanix";
import type { Kind, KubeObject } from "@butler/resource";
import { smallCrd } from "@butler/testkit";
import { parse } from "yaml";
import { smallSchemas } from "./small-schemas.ts";

/** KubeVirt's virtual machines, which CAPK creates on Harvester. */
export const VirtualMachine = {
  group: "kubevirt.io",
  version: "v1",
  kind: "VirtualMachine",
  plural: "virtualmachines",
  scope: "Namespaced",
} as const satisfies Kind;

const sharedCrds = fileURLToPath(new URL("../../../../../shared/crds/", import.meta.url));
const folders = new Map<Kind, string>([
  [KubevirtCluster, "cluster-api-provider-kubevirt"],
  [KubevirtMachineTemplate, "cluster-api-provider-kubevirt"],
  [NutanixCluster, "cluster-api-provider-nutanix"],
  [NutanixMachineTemplate, "cluster-api-provider-nutanix"],
  [VirtualMachine, "kubevirt"],
]);

const clusterApi = await moduleDirectory("sigs.k8s.io/cluster-api").catch(() => undefined);
const clusterApiCrds = join(clusterApi ?? "", "bootstrap/kubeadm/config/crd/bases");

const fileOf = (kind: Kind): string => {
  const folder = folders.get(kind);
  return join(folder === undefined ? clusterApiCrds : join(sharedCrds, folder), `${kind.group}_${kind.plural}.yaml`);
};

/** Whether the complete upstream CRD of a kind is available, or only the small schema in this folder. */
export const hasCompleteCrd = (kind: Kind): boolean => existsSync(fileOf(kind));

/** All kinds of machine objects. */
export const machineKinds: readonly Kind[] = [
  KubevirtCluster,
  KubevirtMachineTemplate,
  NutanixCluster,
  NutanixMachineTemplate,
  KubeadmConfigTemplate,
];

/** Installs the kinds and waits until they are served. */
export async function installMachineCrds(client: KubeClient): Promise<void> {
  const kinds = [...machineKinds, ...(hasCompleteCrd(VirtualMachine) ? [VirtualMachine] : [])];
  await applyCrds(client, await Promise.all(kinds.map(crdOf)));
}

async function crdOf(kind: Kind): Promise<KubeObject> {
  if (!hasCompleteCrd(kind)) {
    return smallCrd(kind, { type: "object", properties: { spec: smallSchemas[kind.kind] } });
  }
  const crd = parse(await readFile(fileOf(kind), "utf8")) as KubeObject & { spec: { conversion?: unknown } };
  // Objects are written in the storage version, so no conversion webhook is needed.
  const { conversion: _conversion, ...spec } = crd.spec;
  return { ...crd, spec } as KubeObject;
}
