import type { Handler } from "../http/handler.ts";
import { addonHandlers } from "./addons.ts";
import { catalogHandlers } from "./catalog.ts";
import { certificateHandlers } from "./certificates.ts";
import { clusterDetailHandlers } from "./cluster-details.ts";
import { clusterHandlers } from "./clusters.ts";
import { hostingHandlers } from "./hosting.ts";
import { identityProviderHandlers } from "./identity-providers.ts";
import { infrastructureHandlers } from "./infrastructure.ts";
import { memberHandlers } from "./members.ts";
import { platformHandlers } from "./platform.ts";
import { providerChangeHandlers } from "./provider-changes.ts";
import { systemHandlers } from "./system.ts";
import { teamHandlers } from "./teams.ts";
import { userHandlers } from "./users.ts";
import type { World } from "./world.ts";

/** Everything that the server itself does. Sign-in, sessions, the audit log and live channels bring handlers of their own. */
export function allHandlers(world: World): Handler[] {
  return [
    ...systemHandlers(world),
    ...clusterHandlers(world),
    ...clusterDetailHandlers(world),
    ...teamHandlers(world),
    ...memberHandlers(world),
    ...addonHandlers(world),
    ...catalogHandlers(world),
    ...infrastructureHandlers(world),
    ...providerChangeHandlers(world),
    ...userHandlers(world),
    ...platformHandlers(world),
    ...hostingHandlers(world),
    ...certificateHandlers(world),
    ...identityProviderHandlers(world),
  ];
}
