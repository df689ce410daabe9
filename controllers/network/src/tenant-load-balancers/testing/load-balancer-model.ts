import { annotations, type IPAllocation, type NetworkPool } from "@butler/api";
import type { Plan } from "@butler/controller";
import { AddressSpace, chooseAddress, poolShapeOf } from "@butler/ipam";
import { formatIpAddress, type IpRange, parseIpRange } from "@butler/std";
import { rangeOf } from "../../shared/claims.ts";
import { allocatedStatus, aPool } from "../../testing/objects.ts";
import type { Service } from "../kinds.ts";
import type { Observed, TenantView } from "../observed.ts";
import { isAboutToShrink, type LoadBalancerEffect, plan } from "../plan.ts";
import { addressesOf, isServed } from "../services.ts";
import { anInitial, aService, metalLbWith, observedOf } from "./observed-objects.ts";

/** Properties of the modelled tenant. */
export interface LoadBalancerModelOptions {
  readonly hasMetalLb: boolean;
  readonly limit: number | undefined;
  readonly increment: number;
  /** Prefix length of each pool's network. */
  readonly pools: readonly number[];
}

const quarantineMs = 300_000;
const startMs = Date.parse("2026-01-01T12:00:00Z");

/**
 * A simulation of a tenant, its claims and their pools, with its own clock: everything that the plan's effects change.
 */
export class LoadBalancerModel {
  readonly #options: LoadBalancerModelOptions;
  readonly #given: Observed;
  readonly #pools: readonly NetworkPool[];
  nowMs = startMs;
  claims: IPAllocation[] = [anInitial("10.41.0.0", "10.41.0.1")];
  services: Service[] = [];
  published: readonly string[] = [];
  isReachable = true;
  /** Whether Services are created and served during a pass as well. */
  isBusy = false;
  /** Event counts. */
  grown = 0;
  shrunk = 0;
  created = 0;
  readonly faults: string[] = [];
  #stale: readonly Service[] | undefined;
  #waitingSince = new Map<string, number>();
  readonly #resting: { readonly range: IpRange; readonly untilMs: number }[] = [];

  constructor(options: LoadBalancerModelOptions) {
    const { hasMetalLb, limit, increment, pools } = options;
    this.#options = options;
    this.#pools = pools.map((_length, at) => aPool({ name: `pool-${at}` }));
    this.#given = observedOf({
      provider: hasMetalLb ? "harvester" : "local",
      loadBalancer: { growthIncrement: increment },
      ...(limit === undefined ? {} : { limit }),
    });
  }

  createService(): void {
    this.created += 1;
    this.services.push(aService(`s${String(this.created).padStart(4, "0")}`));
  }

  deleteService(at: number): void {
    if (this.services.length > 0) this.services.splice(at % this.services.length, 1);
  }

  /** The stale state that the watch shows until it catches up. */
  fallBehind(): void {
    // Addresses that Butler itself assigned, which it knows without the watch.
    if (this.#options.hasMetalLb) this.#stale = [...this.services];
  }

  catchUp(): void {
    this.#stale = undefined;
  }

  /** MetalLB assigns any of its addresses to a Service. */
  serveByMetalLb(choice: number): void {
    const waiting = this.services.filter((service) => !isServed(service));
    const ranges = this.published.map((text) => rangeOfText(text));
    const all = ranges.flatMap(listed);
    const taken = new Set(this.services.flatMap(addressesOf));
    const requested = all.filter((address) => !taken.has(address))[choice % Math.max(1, all.length - taken.size)];
    const service = waiting[choice % Math.max(1, waiting.length)];
    const address = requested === undefined ? undefined : chooseAddress({ ranges, taken, requested });
    if (service !== undefined && address !== undefined) this.#give(service, address);
  }

  /** Runs one pass of the controller; returns whether anything changed. */
  pass(): boolean {
    if (!this.isReachable) return this.#carryOut(plan({ ...this.#observed(), tenant: undefined }, this.now));
    const current = this.#view(false);
    const seen = { ...this.#observed(), tenant: { ...current, services: this.#stale ?? current.services } };
    const observed = isAboutToShrink(seen, this.now) ? { ...seen, tenant: this.#view(true) } : seen;
    return this.#carryOut(plan(observed, this.now));
  }

  /** Runs passes until nothing changes. */
  settle(): void {
    for (let passes = 0; this.pass(); passes++)
      if (passes > 50) throw new Error("the plans do not reach a steady state");
  }

  get now(): Date {
    return new Date(this.nowMs);
  }

  /** Addresses that could still be allocated to the cluster. */
  get available(): number {
    const limit = this.#options.limit ?? Number.POSITIVE_INFINITY;
    const free = this.#spaces().reduce((sum, { space }) => sum + Number(space.usage().available), 0);
    return Math.min(free, Math.max(0, limit - this.claimed));
  }

  /** The final state. */
  get summary(): string {
    const served = this.services.map(({ metadata, status }) => `${metadata.name}=${JSON.stringify(status)}`);
    const claims = this.claims.map(({ metadata, status }) => `${metadata.name}=${status?.startAddress}`);
    return [this.grown, this.shrunk, ...claims, ...served].join(" ");
  }

  get claimed(): number {
    return this.claims.reduce((sum, { spec, status }) => sum + (status?.allocatedCount ?? spec.count ?? 0), 0);
  }

  /** Invariants. */
  check(): void {
    const { limit } = this.#options;
    if (limit !== undefined && this.claimed > Math.max(limit, 2))
      this.faults.push(`${this.claimed} claimed of ${limit}`);
    const used = this.services.flatMap(addressesOf);
    if (new Set(used).size < used.length) this.faults.push(`an address is used twice: ${used.join()}`);
    const owned = new Set(this.claims.flatMap((claim) => listed(rangeOf(claim))));
    const lost = used.filter((address) => !owned.has(address));
    if (lost.length > 0) this.faults.push(`${lost.join()} are used and no longer the cluster's`);
  }

  #observed(): Omit<Observed, "tenant"> {
    const pools = this.#spaces().map(({ space }, at) => ({
      ...(this.#pools[at] ?? aPool()),
      status: { largestFreeBlock: Number(space.usage().largestFreeBlock) },
    }));
    return { ...this.#given, pools, claims: this.claims };
  }

  #view(isFresh: boolean): TenantView {
    const waiting = this.services.filter((service) => !isServed(service)).map(({ metadata }) => metadata.uid ?? "");
    this.#waitingSince = new Map(waiting.map((uid) => [uid, this.#waitingSince.get(uid) ?? this.nowMs]));
    const metalLb = this.#options.hasMetalLb ? metalLbWith(this.published) : undefined;
    return { services: [...this.services], waitingSince: this.#waitingSince, metalLb, isFresh };
  }

  #carryOut({ apply = [], remove = [], effects = [] }: Plan<LoadBalancerEffect>): boolean {
    for (const claim of apply as IPAllocation[]) {
      this.grown += 1;
      const { creationTimestamp = this.now.toISOString() } = claim.metadata;
      this.claims.push({ ...claim, metadata: { ...claim.metadata, creationTimestamp, uid: claim.metadata.name } });
    }
    for (const { name } of remove) this.#remove(name);
    if (remove.length > 0 && this.isBusy) this.#slipIn();
    for (const effect of effects) this.#perform(effect);
    return this.#serveClaims() || apply.length + remove.length + effects.length > 0;
  }

  #slipIn(): void {
    this.createService();
    for (let choice = 0; choice < 4; choice++) this.serveByMetalLb(this.services.length * 7 + choice);
    this.check();
  }

  #perform(effect: LoadBalancerEffect): void {
    if (effect.type === "publishBlocks") this.published = effect.blocks;
    if (effect.type === "assignAddress") {
      const service = this.services.find(({ metadata }) => metadata.name === effect.service.name);
      if (service !== undefined) this.#give(service, effect.address);
    }
    if (effect.type === "noteUse") {
      this.claims = this.claims.map((claim) =>
        claim.metadata.name === effect.name
          ? { ...claim, metadata: { ...claim.metadata, annotations: noteOf(effect.unusedSince) } }
          : claim,
      );
    }
  }

  #give({ metadata }: Service, ip: string | undefined): void {
    this.services = this.services.map((service) =>
      service.metadata.name === metadata.name ? aService(metadata.name, { ip }) : service,
    );
  }

  #remove(name: string): void {
    const claim = this.claims.find(({ metadata }) => metadata.name === name);
    const range = claim && rangeOf(claim);
    if (range !== undefined) {
      this.shrunk += 1;
      this.#resting.push({ range, untilMs: this.nowMs + quarantineMs });
    } else this.grown -= 1;
    this.claims = this.claims.filter(({ metadata }) => metadata.name !== name);
  }

  /** Simulates the pool controller. */
  #serveClaims(): boolean {
    let hasChanged = false;
    this.claims = this.claims.map((claim) => {
      if (rangeOf(claim) !== undefined) return claim;
      const space = this.#spaces().find(({ name }) => name === claim.spec.poolRef.name)?.space;
      const range = space?.allocate(BigInt(claim.spec.count ?? 1));
      if (range === undefined) return { ...claim, status: exhaustedStatus };
      hasChanged = true;
      const [first, last] = [listed(range)[0] ?? "", listed(range).at(-1) ?? ""];
      return { ...claim, status: allocatedStatus(first, last) };
    });
    return hasChanged;
  }

  #spaces(): { readonly name: string; readonly space: AddressSpace }[] {
    const resting = this.#resting.filter(({ untilMs }) => untilMs > this.nowMs).map(({ range }) => range);
    const taken = [...this.claims.flatMap((claim) => rangeOf(claim) ?? []), ...resting];
    return this.#options.pools.map((length, at) => {
      const shape = poolShapeOf({ cidr: `10.40.${at}.0/${length}`, ranges: [] });
      return { name: `pool-${at}`, space: AddressSpace.of(shape, taken) };
    });
  }
}

const exhaustedStatus: IPAllocation["status"] = {
  phase: "Pending",
  conditions: [
    {
      type: "Ready",
      status: "False",
      reason: "PoolExhausted",
      message: "",
      lastTransitionTime: "2026-01-01T00:00:00Z",
    },
  ],
};

function noteOf(unusedSince: string | null): Record<string, string> {
  return unusedSince === null ? {} : { [annotations.unusedSince]: unusedSince };
}

function rangeOfText(text: string): IpRange {
  const [first = "", last] = text.split("-");
  return last === undefined
    ? parseIpRange(text)
    : { ...parseIpRange(`${first}/32`), last: parseIpRange(`${last}/32`).last };
}

function listed(range: IpRange | undefined): string[] {
  if (range === undefined) return [];
  const { family, first, last } = range;
  return Array.from({ length: Number(last - first) + 1 }, (_none, at) =>
    formatIpAddress({ family, value: first + BigInt(at) }),
  );
}
