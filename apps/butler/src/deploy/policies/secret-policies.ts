import { isComponent, isMadeByButler, isOfButler, serverNamespaces } from "./identities.ts";
import { listOf, objectName, type PolicyInput } from "./policy.ts";

/** The beginnings of the names of Secrets in Butler's namespace that one component alone writes. */
const ownSecrets = {
  server: [
    "butler-audit-anchor",
    "butler-audit-webhook-key",
    "butler-cli-device-",
    "butler-cli-login-",
    "butler-device-key",
    "butler-live-key",
    "butler-password-",
    "butler-server-signing-keys",
    "butler-session-",
    "butler-setup-token",
    "butler-terminal-",
  ],
  controller: ["butler-controller-webhook"],
  steward: ["butler-steward-webhook"],
} as const;

/** The next upgrade or rollback applies what is in a release, with the permissions of its user. */
const releases = "sh.helm.release.v1.";

const powerfulTypes = ["kubernetes.io/service-account-token", "bootstrap.kubernetes.io/token"];

/** Secrets that no component of Butler may write. */
export function secretPolicies(namespace: string): PolicyInput[] {
  const isUser = isOfButler(namespace);
  const isOwnPlace =
    `request.namespace in ${listOf([namespace, ...serverNamespaces])} || ` + isMadeByButler("namespaceObject");
  const startsWith = (prefixes: readonly string[]): string =>
    prefixes.map((prefix) => `variables.name.startsWith('${prefix}')`).join(" || ");
  const owners = Object.entries(ownSecrets).map(
    ([component, prefixes]) => `(!(${startsWith(prefixes)}) || ${isComponent(namespace, component)})`,
  );
  return [
    {
      name: "token-secrets",
      rules: [{ groups: [""], resources: ["secrets"], operations: ["CREATE", "UPDATE"] }],
      when: { "powerful-type": `object.?type.orValue('') in ${listOf(powerfulTypes)}` },
      validations: [
        {
          expression: `!(${isUser}) && (request.operation == 'UPDATE' || !(${isOwnPlace}))`,
          message: "Secrets with ServiceAccount or bootstrap tokens are not allowed here; use kubectl create token.",
        },
      ],
    },
    {
      name: "own-secrets",
      rules: [{ groups: [""], resources: ["secrets"], operations: ["CREATE", "UPDATE", "DELETE"] }],
      namespaces: [namespace],
      when: { "user-of-butler": isUser },
      variables: { name: objectName },
      validations: [
        { expression: owners.join(" && "), message: "Only the component that owns this Secret may write it." },
        {
          expression: `!variables.name.startsWith('${releases}')`,
          message: "Only Helm may write the Secrets of Butler's releases.",
        },
        {
          expression: `!(${isComponent(namespace, "server")}) || ${startsWith(ownSecrets.server)}`,
          message: "Butler's server may only write its own Secrets.",
        },
      ],
    },
  ];
}
