import { liveRoutes } from "./live/ticket.ts";
import type { Route } from "./route.ts";
import { addonRoutes } from "./routes/addons.ts";
import { authAccountRoutes } from "./routes/auth-account.ts";
import { authRoutes } from "./routes/auth.ts";
import { auditRoutes } from "./routes/audit.ts";
import { catalogRoutes } from "./routes/catalog.ts";
import { certificateRoutes } from "./routes/certificates.ts";
import { clusterRoutes } from "./routes/clusters.ts";
import { deviceRoutes } from "./routes/device.ts";
import { hostingRoutes } from "./routes/hosting.ts";
import { identityProviderRoutes } from "./routes/identity-providers.ts";
import { infrastructureRoutes } from "./routes/infrastructure.ts";
import { memberRoutes } from "./routes/members.ts";
import { platformRoutes } from "./routes/platform.ts";
import { providerRoutes } from "./routes/providers.ts";
import { systemRoutes } from "./routes/system.ts";
import { teamRoutes } from "./routes/teams.ts";
import { terminalRoutes } from "./routes/terminal.ts";
import { userRoutes } from "./routes/users.ts";

/** Every route of the server. One that is not here is not served. */
export const allRoutes: readonly Route[] = [
  ...systemRoutes,
  ...authRoutes,
  ...authAccountRoutes,
  ...clusterRoutes,
  ...addonRoutes,
  ...catalogRoutes,
  ...certificateRoutes,
  ...teamRoutes,
  ...memberRoutes,
  ...userRoutes,
  ...infrastructureRoutes,
  ...providerRoutes,
  ...identityProviderRoutes,
  ...platformRoutes,
  ...hostingRoutes,
  ...auditRoutes,
  ...liveRoutes,
  ...deviceRoutes,
  ...terminalRoutes,
];
