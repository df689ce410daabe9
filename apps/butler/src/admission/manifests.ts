import type { AdmissionHandler } from "@butler/kube";
import type { DynamicObject, Kind } from "@butler/resource";

/** Which server judges, and how it is reached. */
export interface WebhookPlace {
  /** Names the configurations and the Service. */
  readonly name: string;
  readonly namespace: string;
  /** Certificates of the authorities that the server's certificate may be signed by, in PEM form. */
  readonly authorities: string;
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

/** The configurations by which the API server asks about objects before it stores them; in doubt it refuses them. */
export function webhookConfigurations(handlers: readonly AdmissionHandler[], place: WebhookPlace): DynamicObject[] {
  const { mutating, validating } = webhookConfigurationKinds;
  const changes = (handler: AdmissionHandler): boolean => Object.hasOwn(handler, "mutate");
  const parts = [
    { kind: mutating, asked: handlers.filter(changes) },
    { kind: validating, asked: handlers.filter((handler) => !changes(handler)) },
  ];
  return parts
    .filter(({ asked }) => asked.length > 0)
    .map(({ kind, asked }) => ({
      apiVersion: `${kind.group}/${kind.version}`,
      kind: kind.kind,
      metadata: { name: place.name, labels: { "app.kubernetes.io/managed-by": "butler" } },
      webhooks: asked.map((handler) => webhook(handler, kind === validating, place)),
    }));
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
