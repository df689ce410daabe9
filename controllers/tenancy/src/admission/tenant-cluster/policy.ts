import type { ClusterCreationPolicy, ProviderConfig, TenantCluster } from "@butler/api";
import { denied } from "@butler/controller";
import type { Denial } from "@butler/kube";
import { environmentOf } from "./environment.ts";
import type { TenantClusterInput } from "./input.ts";
import { templatesOf } from "./provider.ts";

/** An option that a policy can restrict. */
export type PolicyOption = keyof ClusterCreationPolicy["spec"]["options"];

/** An effective value, and the field that sets it. */
interface Choice {
  readonly path: string;
  readonly value: string;
}

interface Subject {
  readonly cluster: TenantCluster;
  readonly provider: ProviderConfig;
}

/**
 * Validates a cluster against the policies. The effective value counts, wherever it comes from: an empty field
 * takes the provider's value, which is validated.
 */
export function policyDenials({ cluster, before, facts }: TenantClusterInput): Denial[] {
  const { provider, policies, team } = facts;
  if (provider === undefined) return [];
  const place = {
    team: team?.metadata.name,
    environment: environmentOf(cluster),
    provider: provider.spec.provider,
  };
  return (["image", "network", "cluster", "storageContainer"] as const).flatMap((option) => {
    const policy = decidingPolicy(policies, option, place);
    if (policy === undefined) return [];
    const known = before === undefined ? [] : choicesOf(option, { cluster: before, provider });
    const changed = choicesOf(option, { cluster, provider }).filter(
      ({ path, value }) => !known.some((each) => each.path === path && each.value === value),
    );
    return changed.flatMap((choice) => choiceDenials(choice, option, policy));
  });
}

/** The policy that applies to an option: of those with a rule for it, the one with the narrowest scope. */
export function decidingPolicy(
  policies: readonly ClusterCreationPolicy[],
  option: PolicyOption,
  { team, environment, provider }: { team: string | undefined; environment: string | undefined; provider: string },
): ClusterCreationPolicy | undefined {
  const fitting = policies.filter(({ spec: { options, targetProviders = [] } }) => {
    const isForProvider = targetProviders.length === 0 || targetProviders.some((each) => each === provider);
    return options[option] !== undefined && isForProvider;
  });
  return (
    fitting.find(({ spec: { scope } }) => {
      const both = scope.teamAndEnvironment;
      return both !== undefined && both.teamRef.name === team && both.environmentName === environment;
    }) ??
    fitting.find(({ spec: { scope } }) => scope.team !== undefined && scope.team.teamRef.name === team) ??
    fitting.find(({ spec: { scope } }) => scope.clusterWide !== undefined)
  );
}

function choiceDenials({ path, value }: Choice, option: PolicyOption, policy: ClusterCreationPolicy): Denial[] {
  const { mode, values = [] } = policy.spec.options[option] ?? {};
  if ((mode !== "pin" && mode !== "allowList") || values.includes(value)) return [];
  const is = value === "" ? `no ${option} is set` : `${option} ${value} is not allowed`;
  const message = `${is}; ClusterCreationPolicy ${policy.metadata.name} (${mode}) allows ${values.join(", ")}`;
  return denied("POLICY", path, message);
}

type Reader = (subject: Subject) => Choice[];
type Override = NonNullable<TenantCluster["spec"]["infrastructureOverride"]>;
type Block = "harvester" | "nutanix" | "proxmox" | "gcp";

/** One value for the whole cluster: the cluster's own, or else the provider's. */
function whole<B extends Block>(block: B, own: keyof NonNullable<Override[B]> & string, field: string = own): Reader {
  return ({ cluster, provider }) => {
    const override = cluster.spec.infrastructureOverride?.[block] as Readonly<Record<string, unknown>> | undefined;
    const given = provider.spec[block] as Readonly<Record<string, unknown>> | undefined;
    return [
      { path: `spec.infrastructureOverride.${block}.${own}`, value: textOf(override?.[own]) || textOf(given?.[field]) },
    ];
  };
}

/** One value for each pool: its own image, or else the one for the whole cluster. */
function ofPools(fallback: Reader): Reader {
  return (subject) => {
    const [common] = fallback(subject);
    const choices = templatesOf(subject.cluster).flatMap(({ path, template }) => {
      const own = template.os.imageRef ?? "";
      if (own !== "") return [{ path: `${path}.os.imageRef`, value: own }];
      return common === undefined ? [] : [common];
    });
    return [...new Map(choices.map((choice) => [choice.path, choice])).values()];
  };
}

/** Where each kind of infrastructure has the restricted options; options that it does not have are not restricted. */
const readers: Readonly<Partial<Record<string, Partial<Record<PolicyOption, Reader>>>>> = {
  harvester: { image: ofPools(whole("harvester", "imageName")), network: whole("harvester", "networkName") },
  nutanix: {
    image: ofPools(whole("nutanix", "imageUUID")),
    network: whole("nutanix", "subnetUUID"),
    cluster: whole("nutanix", "clusterUUID"),
    storageContainer: whole("nutanix", "storageContainerUUID"),
  },
  proxmox: { image: ofPools(whole("proxmox", "templateID")), storageContainer: whole("proxmox", "storage") },
  gcp: { image: ofPools(whole("gcp", "image")), network: whole("gcp", "subnetwork") },
};

function choicesOf(option: PolicyOption, subject: Subject): Choice[] {
  return readers[subject.provider.spec.provider]?.[option]?.(subject) ?? [];
}

function textOf(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}
