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
import { CommandLineHarness, openForTests } from "@butler/cli-kit/testing";
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

/** An API server with the namespaces of a platform, and butleradm, for the tests of a file. */
export function useHarness(name: string): CommandLineHarness {
  return openForTests(
    new CommandLineHarness({ name, main, resources, namespaces: ["butler-system", "payments", "search"] }),
  );
}
