import { allResources } from "@butler/api";
import { type ControlPlane, startControlPlane } from "@butler/engine";
import { connect, type ConnectedClient, installCrds, loadKubeConfig } from "@butler/kube";
import { eventually } from "../eventually.ts";
import { noteStarted } from "../tally.ts";
import { AdminToken } from "./admin-token.ts";
import { isPristine, listsToAwait, planReset, type ResetPlan } from "./plan-reset.ts";
import { StoreKeys, type StoredValue } from "./store-keys.ts";

/** The properties that distinguish API servers of the pool. */
export interface PlaneFlavour {
  readonly withControllerManager: boolean;
  /** Whether it serves Butler's CRDs. */
  readonly withKinds: boolean;
}

interface Listed {
  readonly items: readonly { readonly metadata: { readonly name: string; readonly namespace?: string } }[];
}

/** An API server that can be reset by restoring the initial contents of its store. */
export class PooledPlane {
  readonly controlPlane: ControlPlane;
  readonly #connected: ConnectedClient;
  readonly #store: StoreKeys;
  readonly #token: AdminToken;
  readonly #baseline = new Map<string, StoredValue>();

  private constructor(controlPlane: ControlPlane, token: AdminToken) {
    this.#token = token;
    this.controlPlane = controlPlane;
    this.#connected = connect(loadKubeConfig(controlPlane.kubeconfigPath), { userAgent: "butler-test-pool" });
    this.#store = new StoreKeys(controlPlane.store);
  }

  static async start({ withControllerManager, withKinds }: PlaneFlavour): Promise<PooledPlane> {
    noteStarted("API server", "shared");
    const token = await AdminToken.create();
    const components = { "kube-apiserver": token.apiServer };
    const controlPlane = await startControlPlane({ name: "shared", withControllerManager, components });
    await token.replaceCertificateIn(controlPlane.kubeconfigPath);
    const plane = new PooledPlane(controlPlane, token);
    try {
      if (withKinds) await installCrds(plane.#connected.client, allResources);
      await plane.#takeBaseline();
      return plane;
    } catch (error) {
      await plane.stop();
      throw error;
    }
  }

  /** Resets the API server to its initial state. */
  async reset(): Promise<void> {
    await eventually(
      async () => {
        const plan = await this.#differences();
        if (isPristine(plan)) return true;
        await this.#carryOut(plan);
        return false;
      },
      { intervalMs: 50, what: "a clean API server" },
    );
  }

  /** Whether a client has written since the reset. */
  async isPristine(): Promise<boolean> {
    return isPristine(await this.#differences());
  }

  async stop(): Promise<void> {
    this.#store.close();
    await this.#connected.close();
    await this.controlPlane.stop();
    await this.#token.remove();
  }

  async #differences(): Promise<ResetPlan> {
    return planReset(this.#baseline, await this.#store.keys());
  }

  /** The contents of the store once the programs have written everything they write on their own. */
  async #takeBaseline(): Promise<void> {
    await eventually(
      async () => {
        this.#baseline.clear();
        for (const stored of await this.#store.values()) this.#baseline.set(stored.key, stored);
        await new Promise((resolve) => setTimeout(resolve, 300));
        return this.isPristine();
      },
      { intervalMs: 0, what: "an API server at rest" },
    );
  }

  async #carryOut(plan: ResetPlan): Promise<void> {
    const waiting = [...plan.remove];
    // Sent in order, but concurrently: the store processes them in the order of arrival.
    while (waiting.length > 0) await Promise.all(waiting.splice(0, 8).map((key) => this.#store.remove(key)));
    for (const { key, value } of plan.restore) {
      this.#baseline.set(key, { key, value, version: await this.#store.put(key, value) });
    }
    for (const { path, names } of listsToAwait(plan)) {
      const isGone = async (): Promise<boolean> => {
        // From the cache that the API server's own decisions use.
        const { items } = await this.#connected.transport.json<Listed>({
          method: "GET",
          path: `${path}?resourceVersion=0`,
          action: "look at what is left",
        });
        return !items.some(({ metadata }) => names.has(keyOf(metadata)));
      };
      await eventually(isGone, { what: `the end of ${[...names].join(", ")}` });
    }
  }
}

function keyOf({ namespace, name }: Listed["items"][number]["metadata"]): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}
