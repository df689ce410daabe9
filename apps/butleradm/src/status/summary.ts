import { allResources, clusterPhase, type NetworkPool } from "@butler/api";
import { deployedRevision, newestRevision } from "@butler/helm";
import { findCondition, isConditionTrue, keyText } from "@butler/resource";
import { isRecord } from "@butler/std";
import { type Certificate, certificatesOf } from "../platform/certificates.ts";
import { type Component, componentsOf, isComponentWell } from "../platform/components.ts";
import type { PlatformFacts, Unreadable } from "../platform/facts.ts";
import { type KindsState, kindsState } from "../platform/kinds.ts";

/** Summary of an installation. */
export interface Summary {
  readonly healthy: boolean;
  /** Why it is not healthy, as sentences. */
  readonly troubles: readonly string[];
  readonly namespace: string;
  readonly kubernetes: string;
  readonly release: { readonly version: string; readonly revision: number; readonly status: string } | undefined;
  readonly components: readonly Component[];
  readonly kinds: KindsState;
  readonly webhooks: readonly { readonly name: string; readonly kind: string; readonly asks: number }[];
  readonly clusters: { readonly total: number; readonly phases: Readonly<Record<string, number>> };
  readonly pools: readonly {
    readonly name: string;
    readonly used: string;
    readonly available: number | undefined;
    readonly state: string;
  }[];
  readonly dataStores: readonly { readonly name: string; readonly ready: boolean }[];
  readonly certificates: { readonly total: number; readonly first: Certificate | undefined };
  readonly unreadable: readonly Unreadable[];
}

/** Summarizes an installation. */
export function summarise(facts: PlatformFacts): Summary {
  const { namespace, kubernetes, history, unreadable } = facts;
  const newest = newestRevision(history);
  const running = deployedRevision(history) ?? newest;
  const certificates = certificatesOf(facts);
  const parts = {
    namespace,
    kubernetes,
    release:
      running === undefined
        ? undefined
        : { version: running.chart.version, revision: running.revision, status: newest?.status ?? running.status },
    components: componentsOf(facts),
    kinds: kindsState(allResources, facts.definitions),
    webhooks: facts.webhooks.map((configuration) => ({
      name: configuration.metadata.name,
      kind: configuration.kind,
      asks: Array.isArray(configuration["webhooks"]) ? configuration["webhooks"].length : 0,
    })),
    clusters: { total: facts.clusters.length, phases: phasesOf(facts) },
    pools: facts.pools.map(poolState),
    dataStores: facts.dataStores.map(({ metadata, status }) => ({
      name: metadata.name,
      ready: isRecord(status) && isConditionTrue(status.conditions, "Ready"),
    })),
    certificates: { total: certificates.length, first: certificates[0] },
    unreadable,
  };
  const troubles = problemsOf(parts);
  return { healthy: troubles.length === 0, troubles, ...parts };
}

function phasesOf({ clusters }: PlatformFacts): Record<string, number> {
  const phases: Record<string, number> = {};
  for (const phase of clusters.map(clusterPhase).sort()) phases[phase] = (phases[phase] ?? 0) + 1;
  return phases;
}

function poolState({ metadata, status }: NetworkPool): Summary["pools"][number] {
  const is = (type: string): boolean => findCondition(status?.conditions, type)?.status === "True";
  const state =
    ["CapacityExhausted", "CapacityCritical", "CapacityWarning"].find(is)?.replace("Capacity", "") ?? "Well";
  return { name: keyText(metadata), used: status?.used ?? "-", available: status?.availableIPs, state };
}

function problemsOf(parts: Omit<Summary, "healthy" | "troubles">): string[] {
  const { release, components, kinds, certificates, dataStores, namespace } = parts;
  if (release === undefined && components.length === 0) return [`Butler is not installed in namespace ${namespace}`];
  return [
    ...(release !== undefined && release.status !== "deployed"
      ? [`the latest Helm revision has status ${release.status}`]
      : []),
    ...components.filter((each) => !isComponentWell(each)).map(componentProblem),
    ...(kinds.missing.length > 0 ? [`${kinds.missing.length} of Butler's CRDs are missing`] : []),
    ...(kinds.notServed.length > 0 ? [`${kinds.notServed.length} of Butler's CRDs are not served`] : []),
    ...dataStores.filter(({ ready }) => !ready).map(({ name }) => `the DataStore ${name} is not ready`),
    ...(certificates.first !== undefined && certificates.first.daysLeft < 0
      ? [`a certificate has expired: ${certificates.first.what}`]
      : []),
  ];
}

/** What is wrong with a component, as a sentence. */
export function componentProblem({ name, wanted, ready, isUpToDate, isLed }: Component): string {
  if (ready < wanted) return `${name}: ${ready}/${wanted} replicas ready`;
  if (!isUpToDate) return `${name}: an older version is still running`;
  return isLed === false ? `${name}: no leader` : `${name} is healthy`;
}
