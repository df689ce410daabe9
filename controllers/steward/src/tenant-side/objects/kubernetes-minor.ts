import { InvalidInput } from "@butler/std";

/** What differs between minor versions of Kubernetes in the tenant objects. */
interface MinorTraits {
  /** The CoreDNS that kubeadm of that minor installs. */
  readonly coreDNSTag: string;
  /** Whether the ports of CoreDNS' probes have names. */
  readonly hasNamedProbePorts: boolean;
}

const traitsByMinor: Readonly<Record<number, MinorTraits>> = {
  33: { coreDNSTag: "v1.12.0", hasNamedProbePorts: false },
  34: { coreDNSTag: "v1.12.1", hasNamedProbePorts: true },
  35: { coreDNSTag: "v1.13.1", hasNamedProbePorts: true },
  36: { coreDNSTag: "v1.14.2", hasNamedProbePorts: true },
};

const knownMinors = Object.keys(traitsByMinor).map(Number);
const oldestMinor = Math.min(...knownMinors);
const newestMinor = Math.max(...knownMinors);

/** The parsed version of a tenant's control plane. */
export interface TenantVersion {
  /** With the leading `v`. */
  readonly text: string;
  /** As an image tag. */
  readonly tag: string;
  readonly minor: number;
  readonly traits: MinorTraits;
}

/**
 * Parses a version; the leading `v` is optional. An unknown newer minor version is treated like the newest known one.
 */
export function parseTenantVersion(text: string): TenantVersion {
  const [, number, minorText] = /^v?(1\.(\d+)\.\d+(?:[-+][-+.\dA-Za-z]+)?)$/.exec(text) ?? [];
  const minor = Number(minorText);
  const traits = traitsByMinor[Math.min(minor, newestMinor)];
  if (number === undefined || traits === undefined) {
    throw new InvalidInput(`${JSON.stringify(text)} is not a supported Kubernetes version for tenants`, {
      hint: `Use a full version, v1.${oldestMinor} or later, such as v1.36.3.`,
    });
  }
  const version = `v${number}`;
  // A plus sign cannot be part of an image tag; upstream writes an underscore.
  return { text: version, tag: version.replaceAll("+", "_"), minor, traits };
}
