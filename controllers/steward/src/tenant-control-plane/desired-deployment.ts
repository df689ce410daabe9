import { digestOf } from "@butler/controller";
import type { DynamicObject } from "@butler/resource";
import type { AnnouncedEndpoint } from "../exposure/index.ts";
import type { Observed } from "./observed.ts";
import type { SecretsPlan } from "./plan-secrets.ts";
import {
  buildAuthenticationConfiguration,
  hasAuthenticationConfiguration,
} from "./render/authentication-configuration.ts";
import { buildDeployment } from "./render/workload.ts";
import { revisionAnnotation } from "./rollout.ts";
import { secretComponent, type SecretId } from "./secrets/secret-names.ts";

/** The Secrets that pods mount. The admin kubeconfig is not among them. */
const mountedSecrets = [
  "ca",
  "frontProxyCA",
  "sa",
  "apiServer",
  "apiServerKubeletClient",
  "frontProxyClient",
  "controllerManager",
  "scheduler",
  "dataStore",
] as const satisfies readonly SecretId[];

export interface DesiredDeployment {
  /** Undefined while something that the pods need is missing. */
  readonly deployment: DynamicObject | undefined;
  /** Identifies the desired pods. */
  readonly revision: string | undefined;
  readonly authorityDigest: string | undefined;
}

/** Renders the desired Deployment once everything that its pods mount exists. */
export function describeDeployment(
  observed: Observed,
  endpoint: AnnouncedEndpoint,
  secrets: SecretsPlan,
): DesiredDeployment {
  const { tcp, identity } = observed;
  const ca = observed.secrets.ca?.data;
  const authorityDigest = ca && digestOf(ca);
  const endpoints = storeEndpoints(observed);
  const isComplete = secrets.orders.length === 0 && secrets.blocker === undefined;
  if (!isComplete || endpoint.kind === "waiting" || endpoints.length === 0) {
    return { deployment: undefined, revision: undefined, authorityDigest };
  }
  const deployment = buildDeployment({
    tcp,
    advertiseAddress: endpoint.advertiseAddress,
    store: { endpoints, prefix: identity.prefix },
    hasAuthentication: hasAuthenticationConfiguration(tcp),
    checksums: checksumsOf(observed),
  });
  const { template } = deployment["spec"] as { template: object };
  const revision = digestOf(template);
  const annotations = { ...deployment.metadata.annotations, [revisionAnnotation]: revision };
  return {
    deployment: { ...deployment, metadata: { ...deployment.metadata, annotations } },
    revision,
    authorityDigest,
  };
}

/** The endpoints of the store. With a dedicated store that is not up yet, the first pods would only crash. */
function storeEndpoints({ store, deployment }: Observed): readonly string[] {
  const { endpoints = [], dedicated, blocker } = store.found ?? {};
  const isStarting = dedicated !== undefined && blocker !== undefined && deployment === undefined;
  return isStarting ? [] : endpoints;
}

/** Digests of all mounted content, so that only a change of content replaces the pods. */
function checksumsOf({ tcp, secrets }: Observed): Record<string, string> {
  const ofSecrets = mountedSecrets.map((id) => [secretComponent(id), digestOf(secrets[id]?.data ?? {})]);
  const configuration = hasAuthenticationConfiguration(tcp) ? buildAuthenticationConfiguration(tcp)["data"] : {};
  return {
    ...(Object.fromEntries(ofSecrets) as Record<string, string>),
    "authentication-configuration": digestOf(configuration),
  };
}
