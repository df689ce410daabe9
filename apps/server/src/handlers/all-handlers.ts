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
import type { HandlerContext } from "./handler-context.ts";

/** The server's own handlers. Sign-in, sessions, the audit log and live channels add theirs. */
export function allHandlers(context: HandlerContext): Handler[] {
  return [
    ...systemHandlers(context),
    ...clusterHandlers(context),
    ...clusterDetailHandlers(context),
    ...teamHandlers(context),
    ...memberHandlers(context),
    ...addonHandlers(context),
    ...catalogHandlers(context),
    ...infrastructureHandlers(context),
    ...providerChangeHandlers(context),
    ...userHandlers(context),
    ...platformHandlers(context),
    ...hostingHandlers(context),
    ...certificateHandlers(context),
    ...identityProviderHandlers(context),
  ];
}
