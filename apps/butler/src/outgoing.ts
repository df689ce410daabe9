import { clusterNetworks, type KubeClient } from "@butler/kube";
import { InvalidInput, parseNetworkOrAddress } from "@butler/std";
import type { OutgoingRules } from "@butler/std/outgoing";

/** Flags of roles that connect to addresses from objects, such as repositories, issuers and webhooks. */
export const outgoingFlags = {
  /** Comma-separated networks, addresses, host names and domains (`.svc`) that remain allowed. */
  "outgoing-allow": { type: "string", multiple: true },
  /** Comma-separated networks of pods and Services that the cluster itself does not tell. */
  "cluster-network": { type: "string", multiple: true },
} as const;

interface OutgoingValues {
  readonly "outgoing-allow"?: readonly string[] | undefined;
  readonly "cluster-network"?: readonly string[] | undefined;
}

/** The rules of these flags. Throws InvalidInput for what is neither a network nor a name. */
export function outgoingRules(values: OutgoingValues, client: Pick<KubeClient, "list">): OutgoingRules {
  const allowed = listOf(values["outgoing-allow"]);
  const known = listOf(values["cluster-network"]);
  for (const text of known) parseNetworkOrAddress(text);
  for (const text of allowed) requireException(text);
  return { allowed, clusterNetworks: clusterNetworks({ client, known }) };
}

function requireException(text: string): void {
  if (/[/:]/.test(text)) parseNetworkOrAddress(text);
  else if (!/^\.?[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/i.test(text)) {
    throw new InvalidInput(`--outgoing-allow ${JSON.stringify(text)} is invalid`, {
      hint: "Use a CIDR such as 10.1.0.0/16, an IP address, a hostname, or a domain such as .example.com.",
    });
  }
}

function listOf(texts: readonly string[] | undefined): string[] {
  return (texts ?? []).flatMap((text) => text.split(",")).flatMap((text) => text.trim() || []);
}
