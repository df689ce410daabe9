import { clusterPhase } from "@butler/api";
import type { KubeObject } from "@butler/resource";
import { type ClusterFacts, recentWarnings } from "./facts.ts";
import { because, type Check, type Diagnosis, type Link, stuck } from "./diagnosis.ts";

const silentWebhook = /failed calling webhook "([^"]+)"/;
const silentConversion = /conversion webhook for (.+?) failed/;
const denyingWebhook = /admission webhook "([^"]+)" denied the request/;

/** A webhook does not respond, or rejects an object that belongs to the cluster. */
export const webhookInTheWay: Check = (facts) => {
  if (clusterPhase(facts.cluster) === "Ready") return undefined;
  for (const { text, link } of [...unreadableKinds(facts), ...unmetConditions(facts), ...warnings(facts)]) {
    const silent = (silentWebhook.exec(text) ?? silentConversion.exec(text))?.[1];
    if (silent !== undefined) return silence(facts, silent, { text, link });
    const denying = denyingWebhook.exec(text)?.[1];
    if (denying !== undefined) return denial(facts, denying, { text, link });
  }
  return undefined;
};

/** A message, and the object that reported it. */
interface Said {
  readonly text: string;
  readonly link: Link;
}

function silence(facts: ClusterFacts, webhook: string, { text, link }: Said): Diagnosis {
  return stuck(facts, {
    reason: "WebhookDoesNotAnswer",
    message: `${facts.cluster.metadata.name} is blocked because the webhook ${webhook} does not respond${because(text.slice(0, 400))}.`,
    remedy:
      "Ask a platform administrator to restore the Service behind the webhook: kubectl get validatingwebhookconfigurations,mutatingwebhookconfigurations",
    links: [link],
  });
}

function denial(facts: ClusterFacts, webhook: string, { text, link }: Said): Diagnosis {
  return stuck(facts, {
    reason: "WebhookDenies",
    message: `${facts.cluster.metadata.name} is blocked because the webhook ${webhook} rejects one of its objects${because(text.slice(0, 400))}.`,
    remedy: "Change the object so that the webhook accepts it.",
    links: [link],
  });
}

function unreadableKinds({ cluster, unreadable }: ClusterFacts): Said[] {
  return unreadable.map(({ what, why }) => ({ text: why, link: [cluster, `${what} cannot be read`] }));
}

function unmetConditions(facts: ClusterFacts): Said[] {
  const { cluster, capiCluster, controlPlane, tenantControlPlane, machineDeployments } = facts;
  const objects = [cluster, capiCluster, controlPlane, tenantControlPlane, ...machineDeployments];
  return objects.flatMap((object) =>
    (object?.status?.conditions ?? [])
      .filter(({ status }) => status !== "True")
      .map(({ type, status, message }) => ({ text: message, link: [object, `${type}=${status}`] })),
  );
}

function warnings(facts: ClusterFacts): Said[] {
  return recentWarnings(facts).map(({ message, reason, object: { kind, name } }) => {
    const object: KubeObject = { apiVersion: "", kind, metadata: { name } };
    return { text: message, link: [object, reason] };
  });
}
