import type { Blocker, DynamicObject } from "@butler/resource";
import type { AnnouncedEndpoint } from "../exposure/index.ts";
import type { SecretsPlan } from "./plan-secrets.ts";
import type { Rollout } from "./rollout.ts";
import type { TenantWork } from "./tenant-work.ts";

/** Facts that the plan of a control plane computes and reports in its status. */
export interface Facts {
  readonly endpoint: AnnouncedEndpoint;
  readonly secrets: SecretsPlan;
  /** The desired Deployment; undefined while it cannot be determined. */
  readonly deployment: DynamicObject | undefined;
  readonly rollout: Rollout;
  readonly tenant: TenantWork;
  /** Why an Ingress or gateway route cannot be created. */
  readonly exposureBlocker: Blocker | undefined;
  readonly now: Date;
}
