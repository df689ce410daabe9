import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { applyCrds, type KubeClient } from "@butler/kube";
import type { Kind, KubeObject } from "@butler/resource";
import { smallCrd } from "@butler/testkit";
import { parse } from "yaml";
import { IPAddressPool, L2Advertisement } from "../kinds.ts";

const fileOf = ({ group, plural }: Kind): string =>
  fileURLToPath(new URL(`../../../../../../shared/crds/metallb/${group}_${plural}.yaml`, import.meta.url));

/** Whether the complete upstream CRDs of MetalLB are available, or only the part that our objects use. */
export const hasCompleteCrds = [IPAddressPool, L2Advertisement].every((kind) => existsSync(fileOf(kind)));

const texts = { type: "array", items: { type: "string" } };
const smallSpecs: Readonly<Record<string, object>> = {
  IPAddressPool: { type: "object", properties: { addresses: texts }, required: ["addresses"] },
  L2Advertisement: { type: "object", properties: { ipAddressPools: texts } },
};

/** Installs MetalLB's kinds in a tenant. */
export async function installMetalLbCrds(client: KubeClient): Promise<void> {
  await applyCrds(client, await Promise.all([IPAddressPool, L2Advertisement].map(crdOf)));
}

async function crdOf(kind: Kind): Promise<KubeObject> {
  if (hasCompleteCrds) return parse(await readFile(fileOf(kind), "utf8")) as KubeObject;
  return smallCrd(kind, { type: "object", properties: { spec: smallSpecs[kind.kind] } });
}
