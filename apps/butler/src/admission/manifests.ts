import { digestOf, type PolicyRule } from "@butler/controller";
import type { AdmissionHandler } from "@butler/kube";
import { apiVersionOf, builtinKinds, type DynamicObject, type Kind, type KubeObject } from "@butler/resource";
import { ownerReference } from "./owner.ts";

/** The admission server, and how the API server reaches it. */
export interface WebhookPlace {
  /** Names the configurations and the Service. */
  readonly name: string;
  readonly namespace: string;
  /** CA certificates for the server's certificate, in PEM format. */
  readonly authorities: string;
  /** Owner of the configurations: a cluster-scoped object that exists for the lifetime of an installation. */
  readonly owner: KubeObject;
}

/** The port of every admission server process. */
export const admissionPort = 9443;

/** The kinds of the webhook configurations. */
export const webhookConfigurationKinds = {
  mutating: configurationKind("MutatingWebhookConfiguration", "mutatingwebhookconfigurations"),
  validating: configurationKind("ValidatingWebhookConfiguration", "validatingwebhookconfigurations"),
} as const;

function configurationKind(kind: string, plural: string): Kind {
  return { group: "admissionregistration.k8s.io", version: "v1", kind, plural, scope: "Cluster" };
}

/** The annotation with a digest of a configuration's webhooks: processes of another version register other webhooks. */
export const askedAnnotation = "admission.butler.butlerlabs.dev/asked";

/**
 * The configurations as installed: without webhooks, because only the processes know them, and only once they can serve
 * them. They are installed so that they are deleted with the installation.
 */
export function emptyConfigurations(name: string): DynamicObject[] {
  const labels = { "app.kubernetes.io/managed-by": "butler" };
  return Object.values(webhookConfigurationKinds).map((kind) => ({
    apiVersion: apiVersionOf(kind),
    kind: kind.kind,
    metadata: { name, labels },
  }));
}

/** The permissions of an admission server on its own certificate and configurations, and on no others. */
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
 * The webhook configurations by which the API server calls this server before it stores objects; they fail closed.
 * Labels are left to the installer.
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
      // The digest excludes the CA bundle, which is the same for processes of every version.
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
    // Admission may reserve quota for accepted requests, and never for a dry run.
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

/** The Service through which the API server reaches the admission server. */
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
