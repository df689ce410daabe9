import { allResources, AuditSegment, TenantCluster } from "@butler/api";
import { Cluster, Machine, MachineDeployment, MachineSet, Pod } from "@butler/api-external";
import type { Session } from "@butler/cli-session";
import { readPodLog } from "@butler/kube";
import { builtinKinds, type DynamicObject, type Kind, kindId, keyText, type KubeObject } from "@butler/resource";
import { describeError, isRecord } from "@butler/std";
import { diagnose } from "../doctor/diagnose.ts";
import { readDoctor } from "../doctor/read-doctor.ts";
import { type Look, webhookKinds } from "../platform/read-platform.ts";
import { TolerantReader } from "../platform/tolerant-reader.ts";
import { summarise } from "../status/summary.ts";
import type { BundleContents, ContainerLog } from "./bundle-files.ts";
import { secretValuesIn } from "./known-secrets.ts";

const { CustomResourceDefinition, Deployment, Event, Lease, Namespace, Node, Secret, Service, StatefulSet } =
  builtinKinds;

/** Audit records are excluded, because support does not need to know what users did. */
const everywhere: readonly Kind[] = [
  ...allResources.filter((resource) => resource !== AuditSegment),
  Cluster,
  Machine,
  MachineDeployment,
  MachineSet,
  ...webhookKinds,
  Node,
];
const inside: readonly Kind[] = [Deployment, StatefulSet, Pod, Service, Lease, Event];

/** Limits per log. */
export interface LogLimits {
  readonly lines: number;
  readonly bytes: number;
}

/** Reads the contents of a bundle. */
export async function collectBundle(
  session: Session,
  look: Look & { readonly kubeconfig: string },
  limits: LogLimits,
): Promise<BundleContents> {
  const facts = await readDoctor(session, look);
  const reader = new TolerantReader(session);
  const places = [look.namespace, ...facts.clusters.flatMap(({ status }) => status?.tenantNamespace ?? [])];
  const objects: Record<string, KubeObject[]> = {};
  for (const kind of everywhere) objects[kindId(kind)] = await reader.list(kind);
  for (const kind of inside) {
    const lists = await Promise.all(places.map((namespace) => reader.list(kind, { namespace })));
    objects[kindId(kind)] = lists.flat();
  }
  const definitions = await reader.list(CustomResourceDefinition, { metadataOnly: true });
  objects[kindId(CustomResourceDefinition)] = definitions;
  objects[kindId(Namespace)] = await reader.list(Namespace);
  const fieldSelector = `involvedObject.kind=${TenantCluster.kind}`;
  objects["events-of-clusters"] = await reader.list(Event, { fieldSelector });
  const pods = (objects[kindId(Pod)] ?? []) as unknown as Pod[];
  const secrets = await reader.list(Secret);
  const logs = await readLogs(session, pods, limits);
  return {
    madeAt: look.now,
    summary: summarise(facts),
    results: diagnose(facts),
    objects: Object.fromEntries(Object.entries(objects).filter(([, list]) => list.length > 0)),
    logs: logs.filter((log): log is ContainerLog => typeof log !== "string"),
    notes: [
      ...[...facts.unreadable, ...reader.unreadable].map(({ what, why }) => `${what}: ${why}`),
      ...logs.filter((log) => typeof log === "string"),
    ],
    secretValues: [...secrets.flatMap(valuesOf), ...credentialsIn(look.kubeconfig)],
  };
}

/** Helm release Secrets are skipped: their content does not appear elsewhere. */
function valuesOf(secret: DynamicObject): string[] {
  if (secret["type"] === "helm.sh/release.v1" || !isRecord(secret["data"])) return [];
  return secretValuesIn(secret["data"]);
}

function credentialsIn(kubeconfig: string): string[] {
  const config: unknown = JSON.parse(kubeconfig);
  const users: unknown = isRecord(config) ? config["users"] : undefined;
  if (!Array.isArray(users)) return [];
  return users.flatMap((entry: unknown) => {
    const user = isRecord(entry) && isRecord(entry["user"]) ? entry["user"] : {};
    return ["token", "password", "client-key-data"].flatMap((key) =>
      typeof user[key] === "string" ? [user[key]] : [],
    );
  });
}

async function readLogs(session: Session, pods: readonly Pod[], limits: LogLimits): Promise<(ContainerLog | string)[]> {
  const logs: (ContainerLog | string)[] = [];
  for (const pod of pods) {
    for (const { name, restartCount = 0 } of containersOf(pod)) {
      for (const isPrevious of restartCount > 0 ? [false, true] : [false]) {
        logs.push(await readLog(session, { pod, container: name, isPrevious }, limits));
      }
    }
  }
  return logs;
}

function containersOf({ spec, status }: Pod): { readonly name: string; readonly restartCount?: number }[] {
  const known = status?.containerStatuses ?? [];
  return spec.containers.map(({ name }) => known.find((each) => each.name === name) ?? { name });
}

async function readLog(
  { transport, signal }: Session,
  { pod, container, isPrevious }: { readonly pod: Pod; readonly container: string; readonly isPrevious: boolean },
  { lines, bytes }: LogLimits,
): Promise<ContainerLog | string> {
  const { name, namespace = "" } = pod.metadata;
  try {
    const query = { container, previous: isPrevious, tailLines: lines, limitBytes: bytes, timestamps: true, signal };
    const text = await readPodLog(transport, { name, namespace }, query);
    return { namespace, pod: name, container, isPrevious, text };
  } catch (error) {
    signal.throwIfAborted();
    return `log of ${keyText(pod.metadata)}: ${describeError(error)}`;
  }
}
