import { IPAllocation } from "@butler/api";
import { type Plan, type PlannedEvent, removalOf } from "@butler/controller";
import type { ObjectKey } from "@butler/resource";
import { type Assignment, assignAddresses } from "./assign.ts";
import { useOf } from "./demand.ts";
import { planGrowth } from "./grow.ts";
import type { LoadBalancerCount } from "./load-balancer-metrics.ts";
import { isHandedOut, missingInMetalLb } from "./metallb.ts";
import { type Observed, servesItself, settingsOf, type TenantView } from "./observed.ts";
import { isServed } from "./services.ts";
import { planShrinking, type Shrinking, type UseNote } from "./shrink.ts";
import { type Block, blocksOf, usedIn } from "./stock.ts";

/** Assigns or removes the address of a tenant's Service, conditional on its version. */
export interface AssignAddress {
  readonly type: "assignAddress";
  readonly tenant: TenantPlace;
  readonly service: ObjectKey & { readonly resourceVersion: string };
  readonly address: string | undefined;
}

/** Configures MetalLB with exactly these blocks. */
export interface PublishBlocks {
  readonly type: "publishBlocks";
  readonly tenant: TenantPlace;
  readonly blocks: readonly string[];
}

/** Writes the annotation that records since when a claim's addresses are unused. */
export interface NoteUse extends ObjectKey {
  readonly type: "noteUse";
  readonly resourceVersion: string;
  readonly unusedSince: string | null;
}

/** A tenant: its cluster and kubeconfig Secret. */
export interface TenantPlace {
  readonly cluster: ObjectKey;
  readonly kubeconfig: ObjectKey;
}

export type LoadBalancerEffect = AssignAddress | PublishBlocks | NoteUse;

/** Requeue interval for a tenant that cannot be read, in addition to change notifications. */
const unreadDelayMs = 30_000;

/**
 * Decides about a tenant's load-balancer addresses: who gets which, whether there must be more of them and whether
 * there
 * can be fewer. A tenant that cannot be read keeps what it has.
 */
export function plan(observed: Observed, now: Date): Plan<LoadBalancerEffect> {
  const { tenant } = observed;
  if (tenant === undefined) return { finalizer: "none", requeueAfterMs: unreadDelayMs };
  const { blocks, assignments, use, shrinking } = weigh(observed, tenant, now);
  const growth = planGrowth(observed, use);
  const withdrawn = withdrawable(tenant, shrinking);
  const looks = [growth.nextLookMs, shrinking.nextLookMs].flatMap((time) => time ?? []);
  return {
    finalizer: "none",
    apply: growth.apply,
    remove: [...growth.remove, ...withdrawn.map(({ claim }) => removalOf(IPAllocation, claim))],
    effects: [
      ...assignments.map((assignment) => assign(observed, assignment)),
      ...publish(observed, tenant, without(blocks, shrinking.due)),
      ...shrinking.notes.map(noteUse),
    ],
    events: [...growth.events, ...withdrawn.map((block) => shrunk(block, observed))],
    requeueAfterMs: looks.length === 0 ? undefined : Math.max(0, Math.min(...looks) - now.getTime()),
  };
}

/** Whether addresses may be removed soon, which requires a fresh read. */
export function isAboutToShrink(observed: Observed, now: Date): boolean {
  return observed.tenant !== undefined && weigh(observed, observed.tenant, now).shrinking.due.length > 0;
}

/** A tenant's load balancers in numbers. */
export function countLoadBalancers(observed: Observed, tenant: TenantView, now: Date): LoadBalancerCount {
  const { blocks, use } = weigh(observed, tenant, now);
  const used = blocks.reduce((sum, block) => sum + usedIn(block, use.addresses), 0);
  const size = blocks.reduce((sum, block) => sum + block.size, 0);
  return { waiting: tenant.services.filter((service) => !isServed(service)).length, used, free: size - used };
}

function weigh(observed: Observed, tenant: TenantView, now: Date) {
  const blocks = blocksOf(observed.claims);
  const assignments = servesItself(observed) ? assignAddresses(tenant.services, blocks) : [];
  const use = useOf(observed, tenant, { blocks, assignments, now });
  return { blocks, assignments, use, shrinking: planShrinking(observed, use, now) };
}

/** Blocks to remove now: no address of them is in use or can still be assigned. */
function withdrawable({ isFresh, metalLb }: TenantView, { due }: Shrinking): Block[] {
  return isFresh ? due.filter(({ text }) => !isHandedOut(metalLb, text)) : [];
}

function publish(observed: Observed, { metalLb }: TenantView, blocks: readonly Block[]): PublishBlocks[] {
  if (metalLb === undefined) return [];
  const texts = blocks.map(({ text }) => text);
  const missing = missingInMetalLb(metalLb, texts);
  return missing === undefined ? [] : [{ type: "publishBlocks", tenant: placeOf(observed), blocks: missing }];
}

function assign(observed: Observed, { service, address }: Assignment): AssignAddress {
  const { name, namespace, resourceVersion = "" } = service.metadata;
  return { type: "assignAddress", tenant: placeOf(observed), service: { name, namespace, resourceVersion }, address };
}

function noteUse({ block, unusedSince }: UseNote): NoteUse {
  const { name, namespace, resourceVersion = "" } = block.claim.metadata;
  return { type: "noteUse", name, namespace, resourceVersion, unusedSince: unusedSince ?? null };
}

function shrunk({ claim, text }: Block, observed: Observed): PlannedEvent {
  const message = `deleting IPAllocation ${claim.metadata.name} (${text}): no Service has used it for ${settingsOf(observed).shrinkAfter}`;
  return { type: "Normal", reason: "LoadBalancerPoolShrunk", message };
}

function without(blocks: readonly Block[], left: readonly Block[]): Block[] {
  const names = new Set(left.map(({ claim }) => claim.metadata.name));
  return blocks.filter(({ claim }) => !names.has(claim.metadata.name));
}

function placeOf({ cluster, tenantKey }: Observed): TenantPlace {
  const { name, namespace } = cluster.metadata;
  return { cluster: { name, namespace }, kubeconfig: tenantKey };
}
