import type { Kind, KubeObject, ObjectKey } from "@butler/resource";
import { Unavailable } from "@butler/std";
import type { TenantListener } from "@butler/tenant-clients";
import { FakeClock } from "@butler/testkit";
import { beforeEach, describe, expect, it } from "vitest";
import { IPAddressPool, L2Advertisement, Service } from "./kinds.ts";
import { metalLbObjects } from "./metallb.ts";
import { aService } from "./testing/observed-objects.ts";
import { TenantWatches, type TenantWatchesOptions } from "./tenant-watches.ts";

/** The watched objects of a simulated tenant. */
interface Played {
  readonly kind: Kind;
  readonly onChange: () => void;
  isSynced: boolean;
  isStopped: boolean;
  problem: Error | undefined;
  objects: readonly KubeObject[];
}

/** Tenants whose state a test sets. */
class PlayedTenants {
  readonly followed: Played[] = [];
  listener: TenantListener = () => undefined;
  state = "reachable";

  follow = (_key: ObjectKey, { kind, onChange }: { kind: Kind; onChange: () => void }) => {
    const played: Played = { kind, onChange, isSynced: true, isStopped: false, problem: undefined, objects: [] };
    this.followed.push(played);
    const get = ({ name }: ObjectKey) => played.objects.find(({ metadata }) => metadata.name === name);
    const stop = (): Promise<void> => Promise.resolve(void (played.isStopped = true));
    return Object.assign(played, { list: () => played.objects, get, stop });
  };
  stateOf = (): string => this.state;
  clientFor = (): Promise<never> => Promise.reject(new Unavailable("no answer"));
  subscribe = (listener: TenantListener): (() => void) => {
    this.listener = listener;
    return () => undefined;
  };

  of(kind: Kind): Played {
    const played = this.followed.findLast((each) => each.kind.kind === kind.kind);
    if (played === undefined) throw new Error(`${kind.kind} is not followed`);
    return played;
  }
}

const cluster = { name: "shop", namespace: "payments" };
const kubeconfig = { name: "shop-kubeconfig", namespace: "shop-1" };
const tenant = { cluster, kubeconfig, hasMetalLb: false };
const never = new AbortController().signal;

let tenants: PlayedTenants;
let clock: FakeClock;
let watches: TenantWatches;
let changed: ObjectKey[];

beforeEach(() => {
  tenants = new PlayedTenants();
  clock = new FakeClock();
  watches = new TenantWatches({ tenants: tenants as unknown as TenantWatchesOptions["tenants"], clock });
  changed = [];
  watches.onChange((key) => changed.push(key));
});

describe("the view of a tenant", () => {
  it("is undefined before the first read, while the tenant is unreachable, and while it exceeds the cache limit", () => {
    expect(watches.read(tenant)?.services).toEqual([]);
    const services = tenants.of(Service);
    services.isSynced = false;
    expect(watches.read(tenant)).toBeUndefined();
    services.isSynced = true;
    services.problem = new Error("too many");
    expect(watches.read(tenant)).toBeUndefined();
    services.problem = undefined;
    tenants.state = "unreachable";
    expect(watches.read(tenant)).toBeUndefined();
    tenants.state = "reachable";
    expect(watches.read(tenant)).toBeDefined();
  });

  it("records since when Services have been waiting, until they are served or deleted", () => {
    watches.read(tenant);
    const services = tenants.of(Service);
    const since = (): number | undefined => watches.read(tenant)?.waitingSince.get("uid-of-a");
    services.objects = [aService("a")];
    const first = since();
    clock.advance(4_000);
    expect(since()).toBe(first);
    services.objects = [aService("a", { ip: "10.40.0.1" })];
    expect(since()).toBeUndefined();
    services.objects = [aService("a")];
    expect(since()).toBe((first ?? 0) + 4_000);
  });

  it("includes our own writes until the watch confirms them, for a limited time", () => {
    watches.read(tenant);
    const services = tenants.of(Service);
    services.objects = [aService("a")];
    const written = { ...aService("a", { ip: "10.40.0.1" }) };
    watches.noteWrite(cluster, Service, { ...written, metadata: { ...written.metadata, resourceVersion: "8" } });
    const isServed = (): boolean => watches.read(tenant)?.services[0]?.status !== undefined;
    expect(isServed()).toBe(true);
    const later = aService("a");
    services.objects = [{ ...later, metadata: { ...later.metadata, resourceVersion: "9" } }];
    expect(isServed()).toBe(false);
    services.objects = [aService("a")];
    watches.noteWrite(cluster, Service, { ...written, metadata: { ...written.metadata, resourceVersion: "8" } });
    clock.advance(5_000);
    expect(isServed()).toBe(false);
  });

  it("includes MetalLB's settings once both kinds are served, also after our own writes", () => {
    const withMetalLb = { ...tenant, hasMetalLb: true };
    watches.read(withMetalLb);
    tenants.of(L2Advertisement).isSynced = false;
    expect(watches.read(withMetalLb)?.metalLb).toBeUndefined();
    tenants.of(L2Advertisement).isSynced = true;
    expect(watches.read(withMetalLb)?.metalLb).toEqual({ pool: undefined, advertisement: undefined });
    const [pool] = metalLbObjects(["10.40.0.0/31"]);
    if (pool !== undefined)
      watches.noteWrite(cluster, IPAddressPool, { ...pool, metadata: { ...pool.metadata, resourceVersion: "8" } });
    expect(watches.read(withMetalLb)?.metalLb?.pool?.spec.addresses).toEqual(["10.40.0.0/31"]);
  });

  it("is undefined if a fresh read of the tenant fails", async () => {
    expect(await watches.look(tenant, never)).toBeUndefined();
    await expect(watches.look(tenant, AbortSignal.abort(new Error("over")))).rejects.toThrow("over");
  });
});

describe("watching", () => {
  it("reports changes of Services and of the tenant itself", () => {
    watches.read(tenant);
    tenants.of(Service).onChange();
    tenants.listener({ type: "reachable", key: kubeconfig });
    tenants.listener({ type: "reachable", key: { ...kubeconfig, namespace: "other" } });
    expect(changed).toEqual([cluster, cluster]);
  });

  it("restarts after a change of the kubeconfig, and ends when it is released", () => {
    watches.read(tenant);
    watches.read(tenant);
    expect(tenants.followed).toHaveLength(1);
    watches.read({ ...tenant, kubeconfig: { ...kubeconfig, namespace: "shop-2" } });
    expect(tenants.followed.map(({ isStopped }) => isStopped)).toEqual([true, false]);
    watches.release(cluster);
    expect(tenants.followed.map(({ isStopped }) => isStopped)).toEqual([true, true]);
    expect(watches.size).toBe(0);
  });

  it("does not loop after the kubeconfig is deleted", () => {
    watches.read(tenant);
    tenants.listener({ type: "gone", key: kubeconfig });
    for (let second = 0; second < 19; second++) {
      expect(watches.read(tenant)).toBeUndefined();
      clock.advance(1_000);
    }
    expect(tenants.followed).toHaveLength(1);
    clock.advance(1_000);
    expect(watches.read(tenant)).toBeDefined();
    expect(tenants.followed).toHaveLength(2);
  });
});
