import { allResources } from "@butler/api";
import { type Values, mergeValues } from "@butler/addons";
import { clusterApiGroup } from "@butler/api-external";
import { readList, type Session } from "@butler/cli-session";
import { findReleases, type Release } from "@butler/helm";
import { builtinKinds, type DynamicObject, isBeingDeleted, kindId, type KubeObject } from "@butler/resource";
import { isRecord, valueAt } from "@butler/std";
import type { LocalChart } from "./chart.ts";
import type { PreflightFacts, ReleaseOwner } from "./preflight.ts";
import { missingRights } from "./rights.ts";

/** What to install, and where. */
export interface Intention {
  readonly namespace: string;
  readonly chart: LocalChart;
  readonly values: Values;
}

const { CustomResourceDefinition, Namespace, Node, StorageClass } = builtinKinds;

/** Reads the facts for the preflight checks. */
export async function readPreflight(
  session: Session,
  { namespace, chart, values }: Intention,
): Promise<PreflightFacts> {
  const { client, transport, signal } = session;
  const [version, place, definitions, nodes, classes, releases, denied] = await Promise.all([
    transport.json<{ gitVersion: string }>({ method: "GET", path: "/version", signal, action: "get the version" }),
    client.find(Namespace, { name: namespace }, signal),
    readList(session, CustomResourceDefinition, { metadataOnly: true }),
    readList(session, Node, {}),
    readList(session, StorageClass, {}),
    findButler(session),
    missingRights(session, namespace),
  ]);
  const effective = effectiveValues(chart, values);
  const own = new Set(allResources.map(kindId));
  return {
    kubernetes: version.gitVersion,
    kubernetesRange: chart.metadata.kubeVersion,
    namespace: namespaceFacts(namespace, place),
    kinds: definitions
      .filter(({ metadata }) => own.has(metadata.name))
      .map((definition) => ({ name: definition.metadata.name, owner: helmOwner(definition) })),
    missingRights: denied,
    otherReleases: releases.filter((release) => release.namespace !== namespace).map(ownerOf),
    image: imageOf(effective, chart),
    nodeImages: nodes.flatMap(imagesOn),
    readyNodes: nodes.filter(isReadyNode).length,
    hasDefaultStorageClass: classes.some(isDefaultClass),
    needsDefaultStorageClass: needsDefaultClass(effective),
    hasClusterApi: definitions.some(({ metadata }) => metadata.name === `clusters.${clusterApiGroup}`),
    wantedProcesses: wantedProcesses(effective),
  };
}

/** Helm revisions of Butler in every namespace. */
export async function findButler({ client, signal }: Session): Promise<readonly Release[]> {
  const { releases } = await findReleases(client, { name: "butler", signal });
  return releases.filter(({ chart, status }) => chart.name === "butler" && status !== "uninstalled");
}

/** The values that the chart is rendered with: its defaults and the given ones. */
export function effectiveValues(chart: LocalChart, values: Values): Values {
  return mergeValues([
    { from: "definition", values: chart.values },
    { from: "addon", values },
  ]).values;
}

/** Butler's image, as the chart composes it. */
export function imageOf(values: Values, { metadata }: LocalChart): string {
  const text = (path: string): string => {
    const value = valueAt(values, path);
    return typeof value === "string" ? value : "";
  };
  const [repository, tag, digest] = [text("image.repository"), text("image.tag"), text("image.digest")];
  if (digest !== "") return `${repository}@${digest}`;
  return `${repository}:${tag || `v${metadata.appVersion ?? metadata.version}`}`;
}

/** Total replicas of Butler's components in the values. */
export function wantedProcesses(values: Values): number {
  return ["steward", "controller", "sniGateway", "localProvider", "server"].reduce((sum, role) => {
    const replicas = valueAt(values, `${role}.replicas`);
    const isOn = valueAt(values, `${role}.enabled`) !== false;
    return sum + (isOn && typeof replicas === "number" ? replicas : 0);
  }, 0);
}

function needsDefaultClass(values: Values): boolean {
  const store = "steward.defaultDataStore";
  const isNamed = (valueAt(values, `${store}.storage.storageClassName`) ?? "") !== "";
  return valueAt(values, `${store}.enabled`) !== false && !isNamed;
}

function namespaceFacts(name: string, found: KubeObject | undefined): PreflightFacts["namespace"] {
  const enforced = found?.metadata.labels?.["pod-security.kubernetes.io/enforce"];
  if (found === undefined) return { name, state: "absent", enforced };
  return { name, state: isBeingDeleted(found) ? "terminating" : "there", enforced };
}

function ownerOf({ name, namespace }: Release): ReleaseOwner {
  return { release: name, namespace };
}

function helmOwner({ metadata: { annotations = {} } }: KubeObject): ReleaseOwner | undefined {
  const release = annotations["meta.helm.sh/release-name"];
  if (release === undefined) return undefined;
  return { release, namespace: annotations["meta.helm.sh/release-namespace"] ?? "" };
}

function isReadyNode({ status }: DynamicObject): boolean {
  const conditions: unknown = isRecord(status) ? status["conditions"] : undefined;
  return (
    Array.isArray(conditions) &&
    conditions.some((each) => isRecord(each) && each["type"] === "Ready" && each["status"] === "True")
  );
}

function imagesOn({ status }: DynamicObject): string[] {
  const images: unknown = isRecord(status) ? status["images"] : undefined;
  if (!Array.isArray(images)) return [];
  return images.flatMap((image: unknown) =>
    isRecord(image) && Array.isArray(image["names"]) ? image["names"].map(String) : [],
  );
}

function isDefaultClass({ metadata: { annotations = {} } }: KubeObject): boolean {
  return annotations["storageclass.kubernetes.io/is-default-class"] === "true";
}
