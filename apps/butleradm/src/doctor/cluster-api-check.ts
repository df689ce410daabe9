import { bootstrapGroup, Cluster, clusterApiGroup } from "@butler/api-external";
import type { DynamicObject } from "@butler/resource";
import { isRecord } from "@butler/std";
import semver from "semver";
import { type CheckResult, fine } from "../platform/check-result.ts";
import { versionOf } from "../platform/components.ts";
import type { DoctorFacts } from "../platform/facts.ts";

/** The first version with the API that Butler writes. */
const oldestSupported = "1.11.0";
const check = "cluster-api";

/** Whether a supported version of Cluster API is installed. */
export function clusterApiCheck({ definitions, providers }: DoctorFacts): CheckResult[] {
  const clusters = definitions.find(({ metadata }) => metadata.name === `clusters.${clusterApiGroup}`);
  if (clusters === undefined) {
    const remedy = "Install Cluster API with its kubeadm bootstrap provider; tenant clusters stay pending until then.";
    return [{ check, severity: "fault", says: "Cluster API is not installed", remedy }];
  }
  if (!servedVersions(clusters).includes(Cluster.version)) {
    const says = `Cluster API does not serve ${Cluster.version}, which Butler requires`;
    return [{ check, severity: "fault", says, remedy: `Upgrade Cluster API to ${oldestSupported} or newer.` }];
  }
  const bootstrap = definitions.some(({ metadata }) => metadata.name === `kubeadmconfigtemplates.${bootstrapGroup}`);
  const found = providers.map(providerState);
  return [
    ...(bootstrap
      ? []
      : [
          {
            check,
            severity: "fault" as const,
            says: "Cluster API's kubeadm bootstrap provider is not installed",
            remedy: "Install the provider, which generates bootstrap data for machines.",
          },
        ]),
    ...found.filter(({ version }) => isTooOld(version)).map(tooOld),
    ...found.filter(({ isAvailable }) => !isAvailable).map(notAvailable),
    fine(check, `Cluster API serves ${Cluster.version}${versionsText(found)}`),
  ];
}

interface ProviderState {
  readonly name: string;
  readonly namespace: string;
  readonly deployment: string;
  readonly version: string;
  readonly isAvailable: boolean;
}

function providerState(deployment: DynamicObject): ProviderState {
  const { name, namespace = "", labels = {} } = deployment.metadata;
  const spec = isRecord(deployment["spec"]) ? deployment["spec"] : {};
  const status = isRecord(deployment["status"]) ? deployment["status"] : {};
  const template = isRecord(spec["template"]) && isRecord(spec["template"]["spec"]) ? spec["template"]["spec"] : {};
  const [container] = Array.isArray(template["containers"]) ? template["containers"].filter(isRecord) : [];
  const [wanted, available] = [spec["replicas"] ?? 1, status["availableReplicas"] ?? 0];
  return {
    name: labels["cluster.x-k8s.io/provider"] ?? name,
    namespace,
    deployment: name,
    version: versionOf(container?.["image"]),
    isAvailable: Number(available) >= Number(wanted),
  };
}

function isTooOld(version: string): boolean {
  const parsed = semver.parse(version);
  return parsed !== null && parsed.major === 1 && semver.lt(parsed, oldestSupported);
}

function tooOld({ name, version }: ProviderState): CheckResult {
  const says = `${name} ${version} is older than ${oldestSupported}`;
  return { check, severity: "warning", says, remedy: `Upgrade it to ${oldestSupported} or newer.` };
}

function notAvailable({ name, namespace, deployment }: ProviderState): CheckResult {
  const remedy = `Check its pods: kubectl describe deployment/${deployment} -n ${namespace}`;
  return { check, severity: "fault", says: `${name} is not ready`, remedy };
}

function versionsText(found: readonly ProviderState[]): string {
  const versions = found.filter(({ version }) => version !== "").map(({ name, version }) => `${name} ${version}`);
  return versions.length === 0 ? "" : ` (${versions.join(", ")})`;
}

function servedVersions({ spec }: DynamicObject): string[] {
  const versions: unknown = isRecord(spec) ? spec["versions"] : undefined;
  if (!Array.isArray(versions)) return [];
  return versions
    .filter((each) => isRecord(each) && each["served"] === true)
    .map((each: { name?: unknown }) => String(each.name));
}
