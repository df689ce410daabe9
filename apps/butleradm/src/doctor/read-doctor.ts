import { allResources, clusterPhase, ManagementAddon, Team, TenantAddon } from "@butler/api";
import type { Session } from "@butler/cli-session";
import { builtinKinds, isBeingDeleted, keyText, type DynamicObject, type KubeObject } from "@butler/resource";
import { describeError, isRecord } from "@butler/std";
import { readFacts, why } from "@butler/diagnosis";
import type { DoctorFacts, PlatformFacts } from "../platform/facts.ts";
import { type Look, readPlatform } from "../platform/read-platform.ts";
import { TolerantReader } from "../platform/tolerant-reader.ts";

const { Deployment, Namespace } = builtinKinds;

/** Reads the facts for all checks. */
export async function readDoctor(session: Session, look: Look): Promise<DoctorFacts> {
  const platform = await readPlatform(session, look);
  const reader = new TolerantReader(session);
  const [namespaces, providers, teams, addons, leaving, webhookAnswers, causes] = await Promise.all([
    reader.list(Namespace, { labelSelector: "app.kubernetes.io/managed-by=butler" }),
    reader.list(Deployment, { labelSelector: "cluster.x-k8s.io/provider" }),
    reader.list(Team, { metadataOnly: true }),
    Promise.all([reader.list(TenantAddon), reader.list(ManagementAddon)]),
    readLeaving(reader),
    askWebhooks(session, platform),
    readCauses(session, platform),
  ]);
  return {
    ...platform,
    namespaces,
    providers,
    teams: teams.map(({ metadata }) => metadata.name),
    failedAddons: addons.flat().flatMap(failureOf),
    leaving: [...leaving, ...namespaces.filter(isBeingDeleted)],
    webhookAnswers,
    causes,
    unreadable: [...platform.unreadable, ...reader.unreadable],
  };
}

async function readLeaving(reader: TolerantReader): Promise<KubeObject[]> {
  const lists = await Promise.all(allResources.map((resource) => reader.list(resource, { metadataOnly: true })));
  return lists.flat().filter(isBeingDeleted);
}

function failureOf({ kind, metadata, status }: TenantAddon | ManagementAddon): { what: string; message: string }[] {
  if (status?.phase !== "Failed") return [];
  return [{ what: `${kind} ${keyText(metadata)}`, message: status.message ?? "" }];
}

/** Maximum clusters to analyze: each takes a dozen requests. */
const mostClusters = 20;

async function readCauses(session: Session, { clusters, now }: PlatformFacts): Promise<DoctorFacts["causes"]> {
  const causes: Record<string, DoctorFacts["causes"][string]> = {};
  // Sequentially, so that the doctor does not overload the API server.
  for (const cluster of clusters.filter((each) => clusterPhase(each) !== "Ready").slice(0, mostClusters)) {
    const { sentence, nextStep, state } = why(await readFacts(session, cluster, now));
    causes[keyText(cluster.metadata)] = { sentence, nextStep, isStuck: state === "stuck" };
  }
  return causes;
}

/** Calls each webhook through the API server with a dry run. */
async function askWebhooks(
  session: Session,
  { webhooks, namespace }: PlatformFacts,
): Promise<DoctorFacts["webhookAnswers"]> {
  const answers: Record<string, string | undefined> = {};
  for (const configuration of webhooks) {
    const resource = judgedResource(configuration);
    if (resource === undefined) continue;
    const answer = await tryObject(session, resource, namespace);
    const { name } = configuration.metadata;
    answers[name] = answers[name] ?? answer;
  }
  return answers;
}

function judgedResource({ webhooks }: DynamicObject): (typeof allResources)[number] | undefined {
  if (!Array.isArray(webhooks)) return undefined;
  const names = new Set(webhooks.map((webhook: unknown) => (isRecord(webhook) ? String(webhook["name"]) : "")));
  return allResources.find(({ plural, group }) => names.has(`${plural}.${group}`));
}

/** Why the API server could not call the webhook; undefined when the webhook has answered, allowed or denied. */
async function tryObject(
  { client, signal }: Session,
  resource: (typeof allResources)[number],
  namespace: string,
): Promise<string | undefined> {
  const metadata = { name: "butler-doctor-probe", ...(resource.scope === "Namespaced" ? { namespace } : {}) };
  const object = { ...resource.example, apiVersion: resource.apiVersion, kind: resource.kind, metadata };
  try {
    await client.create(resource, object, { dryRun: true, signal });
    return undefined;
  } catch (error) {
    signal.throwIfAborted();
    const text = describeError(error);
    return text.includes("failed calling webhook")
      ? text.replace(/^.*?failed calling webhook/, "failed calling webhook")
      : undefined;
  }
}
