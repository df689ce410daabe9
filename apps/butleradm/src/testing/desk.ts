import {
  ButlerConfig,
  IdentityProvider,
  IPAllocation,
  NetworkPool,
  ProviderConfig,
  Team,
  TenantCluster,
  User,
} from "@butler/api";
import { Desk, openForTests } from "@butler/cli-kit/testing";
import { main } from "./run-butleradm.ts";

const resources = [
  ButlerConfig,
  IdentityProvider,
  IPAllocation,
  NetworkPool,
  ProviderConfig,
  Team,
  TenantCluster,
  User,
];

/** For the tests of a file: an API server with the namespaces of a platform, and butleradm. */
export function useDesk(name: string): Desk {
  return openForTests(new Desk({ name, main, resources, namespaces: ["butler-system", "payments", "search"] }));
}
