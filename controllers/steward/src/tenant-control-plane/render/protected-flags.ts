import type { ComponentName } from "../names.ts";
import { flagName } from "./flags.ts";

/** Flags that no user may give, because isolation rests on them or because Steward has to know what they are. */
interface Protection {
  readonly names: readonly string[];
  readonly prefixes: readonly string[];
}

/** Where to turn to instead, for flags that are fields of the spec. */
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
    // Each signer could otherwise be given keys of its own, and nodes would not know them.
    prefixes: ["requestheader-", "cluster-signing-k", "cluster-signing-legacy"],
  },
  "kube-scheduler": {
    names: [...serving, ...identity, ...trust, "leader-elect"],
    prefixes: ["requestheader-"],
  },
};

/** Why a user may not give an argument to a program, as the end of a sentence; undefined when it is allowed. */
export function argumentFault(component: ComponentName, argument: string): string | undefined {
  const name = flagName(argument);
  if (name === undefined) return `${JSON.stringify(argument)} is not a flag; write --name=value`;
  const { names, prefixes } = protections[component];
  if (!names.includes(name) && !prefixes.some((prefix) => name.startsWith(prefix))) return undefined;
  const field = fieldByFlag[name];
  const instead = field === undefined ? "leave it out" : `set ${field} instead`;
  return `--${name} of ${component} is set by Steward and cannot be given; ${instead}`;
}
