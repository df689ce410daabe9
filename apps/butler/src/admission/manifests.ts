import { digestOf, type PolicyRule } from "@butler/controller";
import type { AdmissionHandler } from "@butler/kube";
import { apiVersionOf, builtinKinds, type DynamicObject, type Kind, type KubeObject } from "@butler/resource";
import { ownerReference } from "./owner.ts";

/** Which server judges, and how it is reached. */
export interface WebhookPlace {
  /** Names the configurations and the Service. */
  readonly name: string;
  readonly namespace: string;
  /** Certificates of the authorities that the server's certificate may be signed by, in PEM form. */
  readonly authorities: string;
  /** With what the configurations go: an object of the whole cluster that an installation has from its start to its end. */
  readonly owner: KubeObject;
}

/** The port at which every process that judges listens. */
export const admissionPort = 9443;

/** The kinds of the configurations. */
export const webhookConfigurationKinds = {
  mutating: configurationKind("MutatingWebhookConfiguration", "mutatingwebhookconfigurations"),
  validating: configurationKind("ValidatingWebhookConfiguration", "validatingwebhookconfigurations"),
} as const;

function configurationKind(kind: string, plural: string): Kind {
  return { group: "admissionregistration.k8s.io", version: "v1", kind, plural, scope: "Cluster" };
}

/** The annotation that says what a configuration asks about: processes of another version ask about something else. */
export const askedAnnotation = "admission.butler.butlerlabs.dev/asked";

/**
 * The configurations as an installation brings them: with nothing in them, because what is to be asked is known to those
 * who answer, and only once they can. They are there so that they go with the installation.
 */
export function emptyConfigurations(name: string): DynamicObject[] {
  const labels = { "app.kubernetes.io/managed-by": "butler" };
  return Object.values(webhookConfigurationKinds).map((kind) => ({
    apiVersion: apiVersionOf(kind),
    kind: kind.kind,
    metadata: { name, labels },
  }));
}

/** What a server that judges needs to do with its own certificate and configurations, and with no others. */
export function admissionPermissions(name: string): PolicyRule[] {
  const configurations = {
    apiGroups: [webhookConfigurationKinds.mutating.group],
    resources: Object.values(webhookConfigurationKinds).map(({ plural }) => plural),
  };
  const { ClusterRole, Service } = builtinKinds;
  const own = { resourceNames: [name] };
  return [
    { apiGroups: [""], resources: ["secrets"], verbs: ["create", "get", "update"] },
    { ...configurations, verbs: ["create", "get", "list", "patch", "watch"], ...own },
    { apiGroups: [ClusterRole.group], resources: [ClusterRole.plural], verbs: ["get"], ...own },
    { apiGroups: [Service.group], resources: [Service.plural], verbs: ["get"], ...own },
  ];
}

/**
 * The configurations by which the API server asks about objects before it stores them; in doubt it refuses them. Labels
 * are left to whoever installs.
 */
export function webhookConfigurations(handlers: readonly AdmissionHandler[], place: WebhookPlace): DynamicObject[] {
  const { mutating, validating } = webhookConfigurationKinds;
  const changes = (handler: AdmissionHandler): boolean => Object.hasOwn(handler, "mutate");
  const parts = [
    { kind: mutating, asked: handlers.filter(changes) },
    { kind: validating, asked: handlers.filter((handler) => !changes(handler)) },
  ];
  return parts
    .filter(({ asked }) => asked.length > 0)
    .map(({ kind, asked }) => {
      const webhooks = asked.map((handler) => webhook(handler, kind === validating, place));
      // Not of the authorities, which are the same for processes of every version.
      const digest = digestOf(
        asked.map((handler) => webhook(handler, kind === validating, { ...place, authorities: "" })),
      );
      return {
        apiVersion: apiVersionOf(kind),
        kind: kind.kind,
        metadata: {
          name: place.name,
          annotations: { [askedAnnotation]: digest },
          ownerReferences: [ownerReference(place.owner)],
        },
        webhooks,
      };
    });
}

function webhook({ path, kind }: AdmissionHandler, isValidating: boolean, place: WebhookPlace): object {
  const { name, namespace, authorities } = place;
  return {
    name: `${kind.plural}.${kind.group}`,
    admissionReviewVersions: ["v1"],
    // Room may be set aside for what is let in, and never for who only asks.
    sideEffects: "NoneOnDryRun",
    failurePolicy: "Fail",
    matchPolicy: "Equivalent",
    timeoutSeconds: 10,
    clientConfig: {
      service: { name, namespace, path, port: 443 },
      caBundle: Buffer.from(authorities).toString("base64"),
    },
    rules: [
      {
        apiGroups: [kind.group],
        apiVersions: [kind.version],
        resources: [kind.plural],
        operations: isValidating ? ["CREATE", "UPDATE", "DELETE"] : ["CREATE", "UPDATE"],
        scope: kind.scope === "Cluster" ? "Cluster" : "Namespaced",
      },
    ],
  };
}

/** The Service through which the API server reaches those who judge. */
export function admissionServiceObject(
  { name, namespace }: Pick<WebhookPlace, "name" | "namespace">,
  selector: Readonly<Record<string, string>>,
): DynamicObject {
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name, namespace, labels: { "app.kubernetes.io/managed-by": "butler" } },
    spec: { selector, ports: [{ name: "admission", port: 443, targetPort: admissionPort }] },
  };
}
