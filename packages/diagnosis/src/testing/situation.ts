import { DataStore, StewardControlPlane, TenantControlPlane } from "@butler/api";
import { deepFreeze } from "@butler/std";
import { expect, it } from "vitest";
import type { ClusterFacts } from "../facts.ts";
import type { Diagnosis } from "../diagnosis.ts";
import { why } from "../why.ts";
import {
  aCluster,
  aDeployment,
  aMachine,
  anInfrastructureMachine,
  anObject,
  condition,
  secondsAgo,
  someFacts,
} from "./some-facts.ts";

/** The metadata of an object that has been terminating for two minutes. */
export const going = { deletionTimestamp: secondsAgo(120) };

/** A cluster that has been terminating for two minutes. */
export function aLeavingCluster(conditions: readonly string[] = []): ClusterFacts["cluster"] {
  return aCluster({ metadata: { ...going, finalizers: ["butler.butlerlabs.dev/tenantcluster"] }, conditions });
}

/** The control plane as Cluster API sees it. */
export function aControlPlane(status: Record<string, unknown> = {}): ClusterFacts["controlPlane"] {
  return anObject(StewardControlPlane, {}, { spec: {}, status }) as unknown as ClusterFacts["controlPlane"];
}

/** The control plane as Steward runs it. */
export function aTenantControlPlane(conditions: readonly string[], metadata = {}): ClusterFacts["tenantControlPlane"] {
  const status = {
    conditions: conditions.map(condition),
    kubernetesResources: { version: { status: "Provisioning" } },
  };
  return anObject(TenantControlPlane, metadata, { spec: {}, status }) as unknown as ClusterFacts["tenantControlPlane"];
}

/** The DataStore of the control plane. */
export function aDataStore(...conditions: string[]): ClusterFacts["dataStore"] {
  const body = { spec: {}, status: { conditions: conditions.map(condition) } };
  return anObject(DataStore, { name: "default", namespace: undefined }, body) as unknown as ClusterFacts["dataStore"];
}

/** The provider of the cluster. */
export function aProvider(...conditions: string[]): ClusterFacts["provider"] {
  const { provider } = someFacts();
  return provider && { ...provider, status: { conditions: conditions.map(condition) } };
}

/** A machine with its infrastructure machine. */
export function aMachineWith(
  infrastructure: Record<string, unknown>,
  machine: Record<string, unknown> = {},
): Partial<ClusterFacts> {
  return {
    machineDeployments: [aDeployment()],
    machines: [aMachine(machine)],
    infrastructureMachines: [anInfrastructureMachine(infrastructure)],
  };
}

/** A state of a cluster, and the diagnosis expected for it. */
export interface Situation {
  readonly name: string;
  readonly facts: Partial<ClusterFacts>;
  readonly cause: string;
  readonly state: Diagnosis["state"];
  /** Text that the sentence must contain. */
  readonly says: string | RegExp;
  /** Text that the next step must contain. */
  readonly next?: string | RegExp;
  /** The last object of the chain. */
  readonly ends?: string | RegExp;
}

/** Tests the diagnosis of each situation. */
export function itExplains(situations: readonly Situation[]): void {
  it.each(situations)("$name", ({ facts, cause, state, says, next = "", ends = "" }) => {
    const { sentence, nextStep, chain, ...found } = why(deepFreeze(someFacts(facts)));
    expect(found).toEqual({ cause, state });
    expect(sentence).toMatch(says);
    expect(nextStep).toMatch(next);
    expect(chain.at(-1)).toMatch(ends);
    // Every diagnosis has a sentence with a full stop, a next step, and a chain that starts with the cluster.
    expect(sentence).toMatch(/[^.]\.$/);
    expect(`${sentence}${nextStep}`).not.toMatch(/undefined|\p{Cc}/u);
    expect(nextStep.length).toBeGreaterThan(10);
    expect(chain[0]).toMatch(/^TenantCluster payments\/blue: /);
  });
}
