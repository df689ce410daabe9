import type { ApiClient, KubeClient } from "@butler/kube";
import type { ObjectKey } from "@butler/resource";
import type { Clock } from "@butler/std";
import type { ServerState } from "../state/state.ts";

/** What handlers work with. */
export interface World {
  readonly state: ServerState;
  /** With the server's own rights: for what a person may ask for and cannot do themselves. */
  readonly client: ApiClient;
  /** Clients of tenants, by the key of the Secret with their kubeconfig. */
  readonly tenants: { clientFor(key: ObjectKey, signal: AbortSignal): Promise<KubeClient> };
  readonly clock: Clock;
  readonly version: string;
  /** The console's address, for links; without a slash at the end. */
  readonly publicUrl: string;
  readonly isReady: () => boolean;
}
