import {
  ButlerConfig,
  DataStore,
  LocalMachine,
  ProviderConfig,
  StewardControlPlane,
  Team,
  TenantCluster,
  TenantControlPlane,
} from "@butler/api";
import { CommandLineHarness, openForTests, programFile } from "@butler/cli-kit/testing";
import { fileURLToPath } from "node:url";
import { installClusterApiStandIns } from "./stand-in-crds.ts";

/** The file of the program. */
export const main = programFile("butlerctl", fileURLToPath(new URL("../main.ts", import.meta.url)));

const own = [TenantCluster, Team, ButlerConfig, ProviderConfig];
const made = [DataStore, StewardControlPlane, TenantControlPlane, LocalMachine];

/** A real API server with a team in it, and the real command line against it. */
class TeamHarness extends CommandLineHarness {
  constructor(name: string) {
    const namespaces = ["payments", "search", "butler-system", "butler-tenants"];
    super({ name, main, resources: [...own, ...made], namespaces });
  }

  /** Writes the status of a cluster as a controller would. */
  reportCluster(name: string, status: Readonly<Record<string, unknown>>): Promise<void> {
    return this.report(TenantCluster, { name, namespace: "payments" }, status);
  }

  override async open(): Promise<void> {
    await super.open();
    await installClusterApiStandIns(this.cluster.client);
    await this.create(Team, { name: "payments" }, { spec: teamSpec });
    await this.create(ProviderConfig, { name: "local", namespace: "butler-system" }, { spec: providerSpec });
  }
}

/** Starts the test environment of a file. */
export function useHarness(name: string): TeamHarness {
  return openForTests(new TeamHarness(name));
}

const teamSpec = {
  resourceLimits: { maxClusters: 4, maxCPUCores: "40", maxMemory: "96Gi" },
  environments: [{ name: "dev", limits: { maxClusters: 2 } }],
};
const providerSpec = { provider: "local", limits: { maxNodesPerTeam: 10 } };

/** A condition as a controller would write it. */
export function stated(type: string, status: string, message: string): Record<string, string> {
  return { type, status, reason: "Test", message, lastTransitionTime: "2026-11-15T12:00:00Z" };
}

/** The status of a cluster that is ready. */
export const ready = {
  phase: "Ready",
  observedGeneration: 1,
  workerNodesDesired: 2,
  workerNodesReady: 2,
  controlPlaneEndpoint: "10.40.1.100:6443",
  conditions: [stated("Ready", "True", "cluster is ready")],
};

/** Creates the cluster that most tests use. */
export const createBlue =
  "cluster create blue --team payments --environment dev --kubernetes-version 1.35.2 --provider local --workers 2 " +
  "--cpu 4 --memory 8Gi --disk 50Gi --os rocky:9.5";
