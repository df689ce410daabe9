import { annotations, type ButlerConfig, labels, namespaces, type Team, TenantCluster } from "@butler/api";
import type { NewCluster } from "@butler/contract";
import { type InputOf, parseKeyText } from "@butler/resource";
import { isRecord } from "@butler/std";
import { RouteProblem } from "../http/problem.ts";

/** What a new cluster is made from, besides what was asked for. */
export interface NewClusterFacts {
  readonly team: Team | undefined;
  readonly config: ButlerConfig | undefined;
  /** E-mail address of whoever asks. */
  readonly creator: string;
}

/** The cluster that is asked for. It lies where its team's clusters lie: nobody puts one among those of others. */
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

/** By labels of these domains Butler, Cluster API and their controllers know what belongs to what. */
const reservedLabel = /^(([^/]*\.)?butlerlabs\.dev|([^/]*\.)?x-k8s\.io)\/|^app\.kubernetes\.io\/managed-by$/i;

function requireOwnLabels(given: NewCluster["labels"]): void {
  const reserved = Object.keys(given ?? {}).find((key) => reservedLabel.test(key));
  if (reserved === undefined) return;
  const message = `the label ${reserved} is not given by hand`;
  throw new RouteProblem("INVALID", message, {
    hint: "An environment is given in the field environment.",
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
  const message = `clusters ${whose} are made in namespace ${wanted}, not in ${namespace}`;
  throw new RouteProblem("INVALID", message, {
    hint: "Leave the namespace out.",
    causes: [{ field: "namespace", reason: "NOT_ALLOWED", message }],
  });
}

type Parts = Readonly<Record<string, unknown>>;

function specOf(asked: NewCluster, team: Team | undefined): Parts {
  const { loadBalancerStart: start, loadBalancerEnd: end } = asked;
  return without({
    kubernetesVersion: asked.kubernetesVersion,
    // The team is decided by whom the caller was found to be allowed to make clusters for.
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

/** Lays fields over others, part by part; null takes a field away. */
function merged(base: Parts, over: Parts): Record<string, unknown> {
  const result: Record<string, unknown> = { ...base };
  for (const [name, value] of Object.entries(over)) {
    const before = result[name];
    if (value === null) delete result[name];
    else result[name] = isRecord(value) && isRecord(before) ? merged(before, value) : value;
  }
  return result;
}

/** Leaves out what is not set, and parts that nothing is set in. */
function without(parts: Parts): Record<string, unknown> {
  const isSet = (value: unknown): boolean =>
    value !== undefined && !(isRecord(value) && Object.keys(value).length === 0);
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => isSet(value)));
}
