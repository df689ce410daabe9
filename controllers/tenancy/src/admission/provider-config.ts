import { borrowsCredentials } from "@butler/access";
import {
  ButlerConfig,
  butlerConfigName,
  localScopeFault,
  machineImageFault,
  namespaces,
  ProviderConfig,
  Team,
  TenantCluster,
} from "@butler/api";
import { denied, deniedFor } from "@butler/controller";
import { admissionHandler, type AdmissionRequest, type Denial, type KubeClient, listAll } from "@butler/kube";
import { keyOf, keyText } from "@butler/resource";
import { deepEqual, nameSome } from "@butler/std";
import { clusterNames } from "../shared/index.ts";

/** The input for validating a provider. */
export interface ProviderConfigInput {
  readonly provider: ProviderConfig;
  readonly before: ProviderConfig | undefined;
  /** Whether the team that it is for exists. */
  readonly hasTeam: boolean;
  /** All clusters. */
  readonly clusters: readonly TenantCluster[];
  /** The settings of the platform; read only for local machines. */
  readonly config?: ButlerConfig | undefined;
}

/** Every reason to reject a provider or a change to it. */
export function decideProviderConfig(input: ProviderConfigInput): Denial[] {
  const { provider, before } = input;
  if (before !== undefined && deepEqual(before.spec, provider.spec)) return [];
  return [
    ...blockDenials(provider),
    ...scopeDenials(input),
    ...networkDenials(provider),
    ...credentialDenials(provider),
    ...localDenials(input),
    ...(before === undefined ? [] : changeDenials(input, before)),
  ];
}

const neededFields = {
  azure: ["subscriptionID", "resourceGroup"],
  aws: ["region"],
  gcp: ["projectID", "region"],
} as const;

function blockDenials({ spec }: ProviderConfig): Denial[] {
  const { provider } = spec;
  if (provider !== "azure" && provider !== "aws" && provider !== "gcp") return [];
  const block = spec[provider] as Readonly<Record<string, unknown>> | undefined;
  if (block === undefined) return denied("REQUIRED", `spec.${provider}`, `is required for provider ${provider}`);
  return neededFields[provider]
    .filter((field) => (block[field] ?? "") === "")
    .flatMap((field) => denied("REQUIRED", `spec.${provider}.${field}`, `is required for provider ${provider}`));
}

function scopeDenials({ provider: { spec, metadata }, hasTeam }: ProviderConfigInput): Denial[] {
  const { type = "platform", teamRef } = spec.scope ?? {};
  if (type !== "team") return [];
  if (teamRef === undefined) return denied("REQUIRED", "spec.scope.teamRef", "is required for scope team");
  if (!hasTeam) return denied("NOT_FOUND", "spec.scope.teamRef.name", `Team ${teamRef.name} not found`);
  const isOwn = metadata.namespace === namespaces.system || metadata.namespace === teamRef.name;
  if (isOwn) return [];
  return denied(
    "NOT_ALLOWED",
    "spec.scope.teamRef.name",
    `must be the team that owns namespace ${metadata.namespace ?? ""}`,
  );
}

function networkDenials({ spec: { network, provider } }: ProviderConfig): Denial[] {
  if (network?.mode !== "ipam") return [];
  const isCloud = provider in neededFields;
  const hasPools = (network.poolRefs ?? []).length > 0;
  return [
    ...(hasPools ? [] : denied("REQUIRED", "spec.network.poolRefs", "requires at least one NetworkPool in mode ipam")),
    ...(isCloud
      ? denied("NOT_ALLOWED", "spec.network.mode", `must be cloud: ${provider} allocates addresses itself`)
      : []),
  ];
}

function credentialDenials(provider: ProviderConfig): Denial[] {
  if (!borrowsCredentials(provider)) return [];
  const own = provider.metadata.namespace ?? "";
  const message = `must be omitted or ${own}: credentials in another namespace are not accessible`;
  return denied("NOT_ALLOWED", "spec.credentialsRef.namespace", message);
}

/** Machines that are pods of the management cluster are the platform's, and so are their images. */
function localDenials({ provider, config }: ProviderConfigInput): Denial[] {
  if (provider.spec.provider !== "local") return [];
  const fault = localScopeFault(provider);
  if (fault !== undefined) return denied("NOT_ALLOWED", "spec.provider", fault);
  const image = machineImageFault(provider.spec.local?.kindNodeImage, config);
  return deniedFor("NOT_ALLOWED", "spec.local.kindNodeImage", image);
}

function changeDenials({ provider, clusters }: ProviderConfigInput, before: ProviderConfig): Denial[] {
  const users = usersOf(before, clusters);
  if (users.length === 0) return [];
  const isOther = before.spec.provider !== provider.spec.provider;
  const team = provider.spec.scope?.type === "team" ? provider.spec.scope.teamRef?.name : undefined;
  const shutOut = team === undefined ? [] : users.filter(({ spec }) => spec.teamRef?.name !== team);
  const is = `is ${before.spec.provider} and cannot be changed while clusters use it`;
  const message = `would exclude clusters that use this ProviderConfig: ${nameSome(clusterNames(shutOut))}`;
  return [
    ...(isOther ? denied("IMMUTABLE", "spec.provider", `${is}: ${nameSome(clusterNames(users))}`) : []),
    ...(shutOut.length > 0 ? denied("IN_USE", "spec.scope", message) : []),
  ];
}

/** Every reason to reject the deletion of a provider: the clusters that use it. */
export function decideProviderConfigDeletion(provider: ProviderConfig, clusters: readonly TenantCluster[]): Denial[] {
  const users = usersOf(provider, clusters);
  if (users.length === 0) return [];
  return denied("IN_USE", "", `${users.length} cluster(s) use it: ${nameSome(clusterNames(users))}; delete them first`);
}

function usersOf(provider: ProviderConfig, clusters: readonly TenantCluster[]): TenantCluster[] {
  return clusters.filter(({ spec: { providerConfigRef } }) => {
    if (providerConfigRef === undefined) return false;
    const { name, namespace } = providerConfigRef;
    return keyText({ name, namespace: namespace || namespaces.system }) === keyText(keyOf(provider));
  });
}

/** Validates providers on create, update and delete. */
export function providerConfigAdmission(client: Pick<KubeClient, "find" | "list">) {
  return admissionHandler(ProviderConfig, { validate: (request, signal) => judge(request, client, signal) });
}

async function judge(
  { operation, object: provider, oldObject: before }: AdmissionRequest<ProviderConfig>,
  client: Pick<KubeClient, "find" | "list">,
  signal: AbortSignal,
): Promise<Denial[]> {
  if (provider !== undefined && before !== undefined && deepEqual(before.spec, provider.spec)) return [];
  const clusters: TenantCluster[] = [];
  if (before !== undefined) {
    for await (const cluster of listAll(client, TenantCluster, { signal })) clusters.push(cluster);
  }
  if (operation === "DELETE") return before === undefined ? [] : decideProviderConfigDeletion(before, clusters);
  if (provider === undefined) return [];
  const team = provider.spec.scope?.teamRef?.name;
  const hasTeam = team !== undefined && (await client.find(Team, { name: team }, signal)) !== undefined;
  const config = await configFor(provider, client, signal);
  return decideProviderConfig({ provider, before, hasTeam, clusters, config });
}

/** The settings of the platform, which only local machines depend on. */
async function configFor(
  { spec }: ProviderConfig,
  client: Pick<KubeClient, "find">,
  signal: AbortSignal,
): Promise<ButlerConfig | undefined> {
  return spec.provider === "local" ? client.find(ButlerConfig, { name: butlerConfigName }, signal) : undefined;
}
