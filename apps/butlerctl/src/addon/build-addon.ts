import { type Values, wantedRelease, judgeDependencies } from "@butler/addons";
import { TenantAddon } from "@butler/api";
import { UsageError } from "@butler/cli-kit";
import { type InputOf, parseObject } from "@butler/resource";
import { InvalidInput } from "@butler/std";
import type { AddonFacts } from "./facts.ts";
import { addonObjectName, requireDefinition } from "./find-addon.ts";

/** Options of a new add-on. */
export interface NewAddonOptions {
  readonly version?: string | undefined;
  /** A chart that is not in the catalog. */
  readonly repository?: string | undefined;
  readonly chart?: string | undefined;
  readonly into?: string | undefined;
  readonly credentials?: string | undefined;
  readonly values: Values;
}

/** An add-on as it is sent to the API server. */
export type NewAddon = InputOf<typeof TenantAddon>;

/** The add-on that the options describe: from the catalog, or with its own chart. */
export function buildAddon(facts: AddonFacts, name: string, options: NewAddonOptions): NewAddon {
  const { metadata } = facts.cluster;
  const { version, values } = options;
  return {
    apiVersion: TenantAddon.apiVersion,
    kind: TenantAddon.kind,
    metadata: { name: addonObjectName(metadata.name, name), namespace: metadata.namespace },
    spec: {
      clusterRef: { name: metadata.name },
      ...sourceOf(facts, name, options),
      ...(version === undefined ? {} : { version }),
      ...(Object.keys(values).length === 0 ? {} : { values }),
    },
  };
}

function sourceOf(facts: AddonFacts, name: string, options: NewAddonOptions): Pick<NewAddon["spec"], "addon" | "helm"> {
  const { repository, chart, into, credentials } = options;
  if (repository === undefined) {
    if ((chart ?? into ?? credentials) !== undefined) {
      throw new UsageError("--chart, --into and --credentials require --repository", {
        hint: "These options are for charts that are not in the catalog. Add --repository, or omit them.",
      });
    }
    return { addon: requireDefinition(facts.definitions, name).metadata.name };
  }
  return {
    helm: {
      repository,
      chart: chart ?? name,
      ...(into === undefined ? {} : { namespace: into }),
      ...(credentials === undefined ? {} : { credentialsRef: { name: credentials } }),
    },
  };
}

/**
 * Checks an add-on before it is sent: throws when it can never work, and returns sentences about what it waits for.
 * Uses the same rules as the controllers; what cannot be checked here is left to them.
 */
export function checkAddon(facts: AddonFacts, wish: NewAddon | TenantAddon): readonly string[] {
  const addon = parseObject(TenantAddon, wish);
  const { cluster, team, providerType, definitions } = facts;
  const definition = definitions.find(({ metadata }) => metadata.name === addon.spec.addon);
  const result = wantedRelease({ addon, definition, cluster, team, providerType });
  const title = addon.spec.addon || addon.metadata.name;
  // Values of the infrastructure are unknown while the infrastructure is.
  const isUnsure = "fault" in result && result.fault.reason === "InvalidValues" && providerType === undefined;
  if ("fault" in result && !isUnsure) {
    throw new InvalidInput(`cannot install ${title} on ${cluster.metadata.name}: ${result.fault.message}`, {
      hint: addon.spec.addon
        ? `Show its values and requirements with: butlerctl addon catalog ${addon.spec.addon}`
        : "Nothing was changed.",
    });
  }
  const verdict = judgeDependencies(addon, facts);
  if (verdict.state === "impossible") throw new InvalidInput(`${title} ${verdict.message}`);
  return verdict.state === "waiting" ? [`${title}: ${verdict.message}.`] : [];
}
