import { labels, managedByButler } from "@butler/api";
import { apiVersionOf, isBeingDeleted } from "@butler/resource";
import { deepEqual } from "@butler/std";
import { IPAddressPool, L2Advertisement } from "./kinds.ts";

/** The pool that MetalLB uses by default. */
export const metalLbPoolName = "default-pool";
const advertisementName = "default";

/** Namespace of MetalLB's settings. */
export const metalLbNamespace = "metallb-system";

/** Butler's MetalLB settings in a tenant. */
export interface MetalLbView {
  readonly pool: IPAddressPool | undefined;
  readonly advertisement: L2Advertisement | undefined;
}

/** The MetalLB objects for a list of blocks; none without blocks, because MetalLB rejects an empty pool. */
export function metalLbObjects(blocks: readonly string[]): (IPAddressPool | L2Advertisement)[] {
  if (blocks.length === 0) return [];
  const metadataOf = (name: string) => ({
    name,
    namespace: metalLbNamespace,
    labels: { [labels.managedBy]: managedByButler },
  });
  return [
    {
      apiVersion: apiVersionOf(IPAddressPool),
      kind: IPAddressPool.kind,
      metadata: metadataOf(metalLbPoolName),
      spec: { addresses: blocks },
    },
    {
      apiVersion: apiVersionOf(L2Advertisement),
      kind: L2Advertisement.kind,
      metadata: metadataOf(advertisementName),
      spec: { ipAddressPools: [metalLbPoolName] },
    },
  ];
}

/** Writes required to configure MetalLB with exactly these blocks; undefined if it is up to date. */
export function missingInMetalLb(view: MetalLbView, blocks: readonly string[]): readonly string[] | undefined {
  const present = view.pool?.spec.addresses ?? [];
  if (blocks.length === 0) return isOurs(view.pool) || isOurs(view.advertisement) ? blocks : undefined;
  const isAdvertised = deepEqual(view.advertisement?.spec?.ipAddressPools, [metalLbPoolName]);
  const isInPlace = view.pool !== undefined && deepEqual(present, blocks) && isAdvertised;
  return isInPlace ? undefined : blocks;
}

/** Whether MetalLB can still assign addresses of a block. */
export function isHandedOut(view: MetalLbView | undefined, block: string): boolean {
  return view?.pool?.spec.addresses.includes(block) === true;
}

/** Which of MetalLB's objects are ours to read, by name. */
export const metalLbNames = { pool: metalLbPoolName, advertisement: advertisementName } as const;

function isOurs(object: IPAddressPool | L2Advertisement | undefined): boolean {
  return object?.metadata.labels?.[labels.managedBy] === managedByButler && !isBeingDeleted(object);
}
