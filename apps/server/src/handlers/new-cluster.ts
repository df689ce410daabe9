import { annotations, type ButlerConfig, labels, namespaces, type Team, TenantCluster } from "@butler/api";
import type { NewCluster } from "@butler/contract";
import { type InputOf, parseKeyText } from "@butler/resource";
import { isRecord } from "@butler/std";
import { RouteProblem } from "../http/problem.ts";

/** Context of a new cluster, besides the request. */
export interface NewClusterFacts {
  readonly team: Team | undefined;
  readonly config: ButlerConfig | undefined;
  /** Email address of the calling user. */
  readonly creator: string;
}

/**
 * The requested cluster. Its namespace is that of its team: a cluster cannot be created among those of another team.
 */
export function buildNewCluster(asked: NewCluster, facts: NewClusterFacts): InputOf<typeof TenantCluster> {
  const { team, creator } = facts;
  const namespace = namespaceOf(asked, facts);
  requireOwnLabels(asked.labels);
  const environment = asked.environment === undefined ? {} : { [labels.environment]: asked.environment };
  return {
    apiVersion: TenantCluster.apiVersion,
    kind: TenantCluster.kind,
    metadata: {
      name: asked.name,
      namespace,
      labels: { ...asked.labels, ...environment },
      annotations: { [annotations.creatorEmail]: creator.toLowerCase() },
    },
    spec: merged(asked.spec ?? {}, specOf(asked, team)),
  };
}

/** Labels in these domains are reserved: Butler, Cluster API and their controllers use them to find related objects. */
const reservedLabel = /^(([^/]*\.)?butlerlabs\.dev|([^/]*\.)?x-k8s\.io)\/|^app\.kubernetes\.io\/managed-by$/i;

function requireOwnLabels(given: NewCluster["labels"]): void {
  const reserved = Object.keys(given ?? {}).find((key) => reservedLabel.test(key));
  if (reserved === undefined) return;
  const message = `the label ${reserved} is reserved`;
  throw new RouteProblem("INVALID", message, {
    hint: "To set the environment, use the environment field.",
    causes: [{ field: `labels.${reserved}`, reason: "RESERVED", message }],
  });
}

function namespaceOf({ namespace }: NewCluster, { team, config }: NewClusterFacts): string {
  const wanted =
    team === undefined
      ? (config?.spec.defaultNamespace ?? namespaces.tenants)
      : (team.status?.namespace ?? team.metadata.name);
  if (namespace === undefined || namespace === wanted) return wanted;
  const whose = team === undefined ? "without a team" : `of team ${team.metadata.name}`;
  const message = `clusters ${whose} must be in namespace ${wanted}, not ${namespace}`;
  throw new RouteProblem("INVALID", message, {
    hint: "Omit the namespace.",
    causes: [{ field: "namespace", reason: "NOT_ALLOWED", message }],
  });
}

type Parts = Readonly<Record<string, unknown>>;

function specOf(asked: NewCluster, team: Team | undefined): Parts {
  const { loadBalancerStart: start, loadBalancerEnd: end } = asked;
  return without({
    kubernetesVersion: asked.kubernetesVersion,
    // The team is the one that the caller was authorized for.
    teamRef: team === undefined ? null : { name: team.metadata.name },
    providerConfigRef: providerOf(asked.providerConfigRef),
    workers: without({
      replicas: asked.workerReplicas,
      machineTemplate: without({
        cpu: asked.workerCPU,
        memory: asked.workerMemory,
        diskSize: asked.workerDiskSize,
        os: asked.osType === undefined ? undefined : { type: asked.osType },
      }),
    }),
    networking: without({ loadBalancerPool: start && end ? { start, end } : undefined }),
    workspaces: asked.workspacesEnabled === undefined ? undefined : { enabled: asked.workspacesEnabled },
    timeServers: asked.timeServers,
  });
}

function providerOf(reference: NewCluster["providerConfigRef"]): Parts | undefined {
  if (typeof reference !== "string") return reference;
  const { name, namespace } = parseKeyText(reference);
  return without({ name, namespace });
}

/** Deep-merges fields; null removes a field. */
function merged(base: Parts, over: Parts): Record<string, unknown> {
  const result: Record<string, unknown> = { ...base };
  for (const [name, value] of Object.entries(over)) {
    const before = result[name];
    if (value === null) delete result[name];
    else result[name] = isRecord(value) && isRecord(before) ? merged(before, value) : value;
  }
  return result;
}

/** Removes undefined fields and empty objects. */
function without(parts: Parts): Record<string, unknown> {
  const isSet = (value: unknown): boolean =>
    value !== undefined && !(isRecord(value) && Object.keys(value).length === 0);
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => isSet(value)));
}
