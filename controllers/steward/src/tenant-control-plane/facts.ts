import type { DynamicObject } from "@butler/resource";
import type { AnnouncedEndpoint } from "../exposure/index.ts";
import type { Trouble } from "./observed.ts";
import type { SecretsPlan } from "./plan-secrets.ts";
import type { Rollout } from "./rollout.ts";
import type { TenantWork } from "./tenant-work.ts";

/** What is found about a control plane on the way to a decision, and told in its status. */
export interface Facts {
  readonly endpoint: AnnouncedEndpoint;
  readonly secrets: SecretsPlan;
  /** The Deployment as it should be; undefined while that cannot be said. */
  readonly deployment: DynamicObject | undefined;
  readonly rollout: Rollout;
  readonly tenant: TenantWork;
  /** Why something in front of the Service cannot be made. */
  readonly exposureTrouble: Trouble | undefined;
  readonly now: Date;
}
