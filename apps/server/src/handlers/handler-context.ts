import type { ApiClient, KubeClient } from "@butler/kube";
import type { ObjectKey } from "@butler/resource";
import type { Clock } from "@butler/std";
import type { ServerState } from "../state/state.ts";

/** Dependencies of the handlers. */
export interface HandlerContext {
  readonly state: ServerState;
  /** With the server's own permissions: for changes that users may request but cannot make themselves. */
  readonly client: ApiClient;
  /** Clients of tenants, by the key of the Secret with their kubeconfig. */
  readonly tenants: { clientFor(key: ObjectKey, signal: AbortSignal): Promise<KubeClient> };
  readonly clock: Clock;
  readonly version: string;
  /** The console's address, for links; without a slash at the end. */
  readonly publicUrl: string;
  readonly isReady: () => boolean;
}
