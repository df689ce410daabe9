import type { ComponentName } from "../names.ts";
import { flagName } from "./flags.ts";

/** Flags that users may not set, because isolation depends on them or because Steward must know their values. */
interface Protection {
  readonly names: readonly string[];
  readonly prefixes: readonly string[];
}

/** The spec field to use instead of a flag. */
const fieldByFlag: Readonly<Record<string, string>> = {
  "secure-port": "networkProfile.port",
  "advertise-address": "networkProfile.address",
  "service-cluster-ip-range": "networkProfile.serviceCidr",
  "cluster-cidr": "networkProfile.podCidr",
};

const serving = [
  "bind-address",
  "secure-port",
  "cert-dir",
  "tls-cert-file",
  "tls-private-key-file",
  "tls-sni-cert-key",
];
const identity = ["kubeconfig", "authentication-kubeconfig", "authorization-kubeconfig", "master"];
const trust = ["client-ca-file"];

const protections: Readonly<Record<ComponentName, Protection>> = {
  "kube-apiserver": {
    names: [
      ...serving,
      ...trust,
      "advertise-address",
      "anonymous-auth",
      "authorization-config",
      "authorization-mode",
      "authorization-policy-file",
      "egress-selector-config-file",
      "endpoint-reconciler-type",
      "kubelet-client-certificate",
      "kubelet-client-key",
      "permit-address-sharing",
      "permit-port-sharing",
      "proxy-client-cert-file",
      "proxy-client-key-file",
      "service-account-key-file",
      "service-account-signing-endpoint",
      "service-account-signing-key-file",
      "service-cluster-ip-range",
      "storage-backend",
    ],
    prefixes: ["etcd-", "requestheader-"],
  },
  "kube-controller-manager": {
    names: [
      ...serving,
      ...identity,
      ...trust,
      "cluster-cidr",
      "cluster-name",
      "cluster-signing-cert-file",
      "cluster-signing-key-file",
      "leader-elect",
      "root-ca-file",
      "service-account-private-key-file",
      "service-cluster-ip-range",
      "use-service-account-credentials",
    ],
    // Otherwise each signer could get its own keys, which nodes would not trust.
    prefixes: ["requestheader-", "cluster-signing-k", "cluster-signing-legacy"],
  },
  "kube-scheduler": {
    names: [...serving, ...identity, ...trust, "leader-elect"],
    prefixes: ["requestheader-"],
  },
};

/** Why a user may not set an argument, as the end of a sentence; undefined when it is allowed. */
export function argumentFault(component: ComponentName, argument: string): string | undefined {
  const name = flagName(argument);
  if (name === undefined) return `${JSON.stringify(argument)} is not a flag; use --name=value`;
  const { names, prefixes } = protections[component];
  if (!names.includes(name) && !prefixes.some((prefix) => name.startsWith(prefix))) return undefined;
  const field = fieldByFlag[name];
  const instead = field === undefined ? "remove it" : `set ${field} instead`;
  return `--${name} of ${component} is managed by Steward and cannot be overridden; ${instead}`;
}
