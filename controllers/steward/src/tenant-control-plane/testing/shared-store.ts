import type { EtcdAdmin } from "@butler/etcd";
import type { TestCluster } from "@butler/testkit";
import { createStoreConnections } from "../../data-store/index.ts";
import { startStores, type StoreHarness } from "../../data-store/testing/store-harness.ts";
import { PlayedPods } from "./played-pods.ts";

/** A management cluster with the store `shared`, whose pods are simulated. */
export interface SharedStore {
  readonly cluster: TestCluster;
  readonly harness: StoreHarness;
  readonly endpoint: string;
  readonly admin: EtcdAdmin;
  readonly stop: () => Promise<void>;
}

/** Starts everything that control planes need, for the tests of a file. */
export async function startSharedStore(): Promise<SharedStore> {
  const { cluster, harness } = await startStores({ withControllerManager: true });
  const { endpoint } = await harness.startEtcd();
  await harness.createStore("shared", [endpoint]);
  const admin = await createStoreConnections({ client: cluster.client }).admin("shared");
  await admin.enableAuth();
  const playing = new AbortController();
  const played = new PlayedPods(cluster).play(playing.signal);
  const stop = async (): Promise<void> => {
    playing.abort();
    await played;
    admin.close();
    await harness.tidy();
    await cluster.stop();
  };
  return { cluster, harness, endpoint, admin, stop };
}
