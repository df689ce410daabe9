import type { TenantAddon } from "@butler/api";
import { eventually } from "@butler/testkit";
import type { KubectlCalls } from "./kubectl-calls.ts";

type Status = NonNullable<TenantAddon["status"]>;

/** The settings of an add-on, except its cluster. */
export type AddonWish = Omit<TenantAddon["spec"], "clusterRef" | "driftPolicy"> & Partial<TenantAddon["spec"]>;

/** Without a running webhook, as after a crash, a change is denied; retries succeed. */
async function whenJudged(change: () => Promise<unknown>): Promise<void> {
  const unheard = await eventually(
    () =>
      change().then(
        () => "heard",
        (error: Error) => (error.message.includes("failed calling webhook") ? undefined : error),
      ),
    { timeoutMs: 60_000, intervalMs: 500, what: "the webhook for add-ons to respond" },
  );
  if (unheard instanceof Error) throw unheard;
}

/** The add-ons of one cluster, as its team uses them. */
export class TenantAddons {
  readonly #management: KubectlCalls;
  readonly #namespace: string;
  readonly #cluster: string;

  constructor(management: KubectlCalls, { namespace, cluster }: { namespace: string; cluster: string }) {
    this.#management = management;
    this.#namespace = namespace;
    this.#cluster = cluster;
  }

  /** Creates all of them at once. */
  async enable(wishes: Readonly<Record<string, AddonWish>>): Promise<void> {
    const addons = Object.entries(wishes).map(([name, wish]) => ({
      apiVersion: "butler.butlerlabs.dev/v1alpha1",
      kind: "TenantAddon",
      metadata: { name, namespace: this.#namespace },
      spec: { clusterRef: { name: this.#cluster }, ...wish },
    }));
    await whenJudged(() => this.#management.apply(addons));
  }

  async change(name: string, spec: object): Promise<void> {
    await whenJudged(() => this.#call("patch", name, "--type=merge", "-p", JSON.stringify({ spec })));
  }

  async remove(name: string): Promise<void> {
    await this.#call("delete", name, "--wait=false");
  }

  async isGone(name: string): Promise<boolean> {
    return (await this.#call("get", name, "--ignore-not-found", "-o", "name")) === "";
  }

  async status(name: string): Promise<Status> {
    return (JSON.parse(await this.#call("get", name, "-o", "json")) as TenantAddon).status ?? {};
  }

  /** Waits until an add-on reports the expected status for its latest spec. */
  until(name: string, isSo: (status: Status) => boolean, what: string): Promise<Status> {
    let last = "";
    return eventually(
      async () => {
        const { status, metadata } = JSON.parse(await this.#call("get", name, "-o", "json")) as TenantAddon;
        const { phase, message, lastAttempt, resources, conditions } = status ?? {};
        last = JSON.stringify({ phase, message, lastAttempt, resources, conditions });
        if (status === undefined || status.observedGeneration !== metadata.generation) return undefined;
        return isSo(status) ? status : undefined;
      },
      { timeoutMs: 180_000, intervalMs: 200, what: () => `${name}, ${what} (${last})` },
    );
  }

  #call(verb: string, name: string, ...rest: string[]): Promise<string> {
    return this.#management.run(verb, "tenantaddon", name, "-n", this.#namespace, ...rest);
  }
}
