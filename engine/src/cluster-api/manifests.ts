import { InvalidInput } from "@butler/std";
import type { CertificatePair } from "@butler/pki";

/** The common fields of Kubernetes objects. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly [field: string]: unknown;
}

/** The Secret with the serving certificate of a manager's webhooks. */
export interface CertificateSecret {
  readonly name: string;
  readonly namespace: string;
  /** The DNS names by which the API server calls the manager. */
  readonly dnsNames: readonly string[];
}

/** A Secret of this kind with its certificate. */
export interface FilledSecret extends CertificateSecret {
  readonly pair: CertificatePair;
}

/** Settings for upstream's manifests. */
export interface ManifestSettings {
  /** The image that replaces any upstream image whose name ends in the key. */
  readonly images: Readonly<Record<string, string>>;
  /** The CAs that the API server trusts when it calls webhooks, in PEM format. */
  readonly authorities: string;
  readonly secrets: readonly FilledSecret[];
  /** Values of upstream's `${NAME:=default}` where the default is unsuitable. */
  readonly variables?: Readonly<Record<string, string>>;
}

interface Container {
  readonly name: string;
  readonly image: string;
  readonly readinessProbe?: object;
}

interface Deployment extends Manifest {
  readonly spec: {
    readonly template: {
      readonly metadata: { readonly labels?: Readonly<Record<string, string>> };
      readonly spec: {
        readonly containers: readonly Container[];
        readonly volumes?: readonly { readonly name: string; readonly secret?: { readonly secretName: string } }[];
      };
    };
  };
}

interface Service extends Manifest {
  readonly spec: { readonly selector?: Readonly<Record<string, string>> };
}

interface Definition extends Manifest {
  readonly spec: { readonly conversion?: { readonly webhook?: { readonly clientConfig: object } } };
}

interface WebhookConfiguration extends Manifest {
  readonly webhooks?: readonly { readonly clientConfig: object }[];
}

/** The label by which a later installation recognizes its own objects. */
export const ownerLabel = { "app.kubernetes.io/managed-by": "butler" } as const;

/** The volume from which upstream's managers read their certificate. */
const certificateVolume = "cert";
const certManager = "cert-manager.io";

/** Each kind comes after its dependencies; webhooks last, so that they are not called before their manager runs. */
const kindOrder = [
  ["Namespace"],
  ["Secret"],
  ["CustomResourceDefinition"],
  ["ServiceAccount", "Role", "ClusterRole", "RoleBinding", "ClusterRoleBinding"],
  ["Service"],
  ["Deployment"],
  ["MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"],
];

/**
 * Upstream's manifests in the order in which they are applied: without cert-manager, with our own certificates, and
 * with all variables set.
 */
export function clusterApiManifests(upstream: readonly Manifest[], settings: ManifestSettings): Manifest[] {
  const completed = upstream
    .filter(({ apiVersion }) => !apiVersion.startsWith(`${certManager}/`))
    .map((manifest) => complete(manifest, settings));
  const secrets = settings.secrets.map((secret) => tlsSecret(secret, settings.authorities));
  return [...secrets, ...completed].sort((left, right) => rank(left) - rank(right));
}

/** The certificates that upstream's managers require: one for each Deployment that mounts one. */
export function certificateSecrets(upstream: readonly Manifest[]): CertificateSecret[] {
  return upstream.filter(isDeployment).flatMap((deployment) => {
    const { volumes = [] } = deployment.spec.template.spec;
    const name = volumes.find((volume) => volume.name === certificateVolume)?.secret?.secretName;
    const { namespace = "default" } = deployment.metadata;
    return name === undefined ? [] : [{ name, namespace, dnsNames: serviceNames(deployment, upstream) }];
  });
}

/** The Deployments of the managers. */
export function managerDeployments(upstream: readonly Manifest[]): { name: string; namespace: string }[] {
  return upstream.filter(isDeployment).map(({ metadata: { name, namespace = "default" } }) => ({ name, namespace }));
}

/** A Secret with a certificate, its key and its CAs. */
export function tlsSecret({ name, namespace, pair }: Omit<FilledSecret, "dnsNames">, authorities: string): Manifest {
  return {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name, namespace, labels: ownerLabel },
    type: "kubernetes.io/tls",
    data: { "tls.crt": btoa(pair.cert), "tls.key": btoa(pair.key), "ca.crt": btoa(authorities) },
  };
}

/** The names of the Services that select a Deployment's pods. */
function serviceNames({ metadata, spec }: Deployment, upstream: readonly Manifest[]): string[] {
  const { labels = {} } = spec.template.metadata;
  const leadsHere = (service: Service): boolean =>
    service.metadata.namespace === metadata.namespace &&
    Object.entries(service.spec.selector ?? {}).every(([key, value]) => labels[key] === value);
  return upstream
    .filter(isService)
    .filter(leadsHere)
    .map((service) => `${service.metadata.name}.${service.metadata.namespace ?? "default"}.svc`);
}

function complete(manifest: Manifest, settings: ManifestSettings): Manifest {
  const filled = fillVariables(adopt(manifest), settings.variables ?? {}) as Manifest;
  const caBundle = btoa(settings.authorities);
  if (isDeployment(filled)) return withManagers(filled, settings.images);
  if (isDefinition(filled)) return withConversionAuthority(filled, caBundle);
  if (isWebhookConfiguration(filled)) return withAuthority(filled, caBundle);
  return filled;
}

/** Removes the annotations for cert-manager, and labels the object as managed by Butler. */
function adopt(manifest: Manifest): Manifest {
  const { annotations, labels, ...metadata } = manifest.metadata;
  const kept = Object.entries(annotations ?? {}).filter(([key]) => !key.startsWith(`${certManager}/`));
  const remaining = kept.length === 0 ? {} : { annotations: Object.fromEntries(kept) };
  return { ...manifest, metadata: { ...metadata, labels: { ...labels, ...ownerLabel }, ...remaining } };
}

function fillVariables(value: unknown, variables: Readonly<Record<string, string>>): unknown {
  if (typeof value === "string") return fillText(value, variables);
  if (Array.isArray(value)) return value.map((item) => fillVariables(item, variables));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fillVariables(item, variables)]));
}

function fillText(text: string, variables: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\$\{(\w+)(?::?=([^}]*))?\}/g, (_, name: string, fallback: string | undefined) => {
    const value = variables[name] ?? fallback;
    if (value === undefined) throw new InvalidInput(`Cluster API requires a value for ${name}, which has no default`);
    return value;
  });
}

function withManagers(deployment: Deployment, images: Readonly<Record<string, string>>): Deployment {
  const { spec } = deployment;
  const pod = spec.template.spec;
  const containers = pod.containers.map((container) => ({
    ...container,
    ...promptProbe(container),
    image: chosenImage(container.image, images),
    // The tag names a release, which is immutable; pulling each time would fail without a registry.
    imagePullPolicy: "IfNotPresent",
  }));
  return { ...deployment, spec: { ...spec, template: { ...spec.template, spec: { ...pod, containers } } } };
}

/**
 * By default Kubernetes probes the readiness of a manager every ten seconds, so a failed first probe costs ten seconds.
 * With a probe every second, the time until it counts as failed stays the same.
 */
function promptProbe({ readinessProbe }: Container): Pick<Container, "readinessProbe"> {
  if (readinessProbe === undefined) return {};
  return { readinessProbe: { periodSeconds: 1, failureThreshold: 30, ...readinessProbe } };
}

function chosenImage(upstream: string, images: Readonly<Record<string, string>>): string {
  const name = upstream.replace(/^.*\//, "").replace(/[:@].*$/, "");
  const image = images[name];
  if (image === undefined) throw new InvalidInput(`no replacement image configured for ${upstream}`);
  return image;
}

function withConversionAuthority(definition: Definition, caBundle: string): Definition {
  const { spec } = definition;
  const webhook = spec.conversion?.webhook;
  if (webhook === undefined) return definition;
  const trusting = { ...webhook, clientConfig: { ...webhook.clientConfig, caBundle } };
  return { ...definition, spec: { ...spec, conversion: { ...spec.conversion, webhook: trusting } } };
}

function withAuthority(configuration: WebhookConfiguration, caBundle: string): WebhookConfiguration {
  const webhooks = (configuration.webhooks ?? []).map((webhook) => ({
    ...webhook,
    clientConfig: { ...webhook.clientConfig, caBundle },
  }));
  return { ...configuration, webhooks };
}

function rank({ kind }: Manifest): number {
  const place = kindOrder.findIndex((kinds) => kinds.includes(kind));
  // Unlisted kinds are plain data, which only pods depend on.
  return place === -1 ? kindOrder.findIndex((kinds) => kinds.includes("Service")) : place;
}

function isDeployment(manifest: Manifest): manifest is Deployment {
  return manifest.kind === "Deployment";
}

function isService(manifest: Manifest): manifest is Service {
  return manifest.kind === "Service";
}

function isDefinition(manifest: Manifest): manifest is Definition {
  return manifest.kind === "CustomResourceDefinition";
}

function isWebhookConfiguration(manifest: Manifest): manifest is WebhookConfiguration {
  return manifest.kind === "MutatingWebhookConfiguration" || manifest.kind === "ValidatingWebhookConfiguration";
}
