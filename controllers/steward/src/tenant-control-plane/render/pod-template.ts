import { parseKubernetesVersion, type TenantControlPlane } from "@butler/api";
import type { ContainerShape, NamedThing, PodSpec } from "../kinds.ts";
import { checksumPrefix, type ComponentName, labelsOf, nameLabel } from "../names.ts";
import {
  apiServerFlags,
  apiServerSecurity,
  type ComponentInput,
  componentMounts,
  containerSecurity,
  controllerManagerFlags,
  resourcesOf,
  schedulerFlags,
  shutdownDelaySeconds,
} from "./components.ts";
import { ownVolumes } from "./files.ts";
import { buildArguments } from "./flags.ts";
import { buildProbe } from "./probes.ts";

/** The input of the pods besides the spec. */
export interface PodTemplateInput extends ComponentInput {
  /** Digests of all mounted content, by name. */
  readonly checksums: Readonly<Record<string, string>>;
}

type Settings = TenantControlPlane["spec"]["controlPlane"]["deployment"];

/** How long requests in flight may take after the API server has stopped accepting new ones. */
const drainSeconds = 60;

/** The user that every program runs as; the published images have no user with that ID. */
const nobody = 65532;

const programs = {
  "kube-apiserver": { settings: "apiServer", image: "apiServerImage" },
  "kube-controller-manager": { settings: "controllerManager", image: "controllerManagerImage" },
  "kube-scheduler": { settings: "scheduler", image: "schedulerImage" },
} as const;

/** The pods of a control plane. */
export function buildPodTemplate(input: PodTemplateInput): { metadata: object; spec: PodSpec } {
  const { tcp, checksums } = input;
  const { deployment } = tcp.spec.controlPlane;
  const { labels, annotations } = deployment.podAdditionalMetadata ?? {};
  const digests = Object.entries(checksums).map(([what, digest]) => [`${checksumPrefix}${what}`, digest]);
  return {
    metadata: {
      labels: { ...labels, ...labelsOf(tcp.metadata.name, "deployment") },
      annotations: { ...annotations, ...(Object.fromEntries(digests) as Record<string, string>) },
    },
    spec: buildPodSpec(input, deployment),
  };
}

function buildPodSpec(input: PodTemplateInput, deployment: Settings): PodSpec {
  const { tcp, hasAuthentication } = input;
  const { nodeSelector, tolerations, affinity, runtimeClassName, priorityClassName } = deployment;
  return {
    ...withoutUndefined({ nodeSelector, tolerations, affinity, runtimeClassName, priorityClassName }),
    topologySpreadConstraints: spreadOf(tcp),
    serviceAccountName: deployment.serviceAccountName,
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    terminationGracePeriodSeconds: shutdownDelaySeconds + drainSeconds,
    securityContext: {
      runAsNonRoot: true,
      runAsUser: nobody,
      runAsGroup: nobody,
      fsGroup: nobody,
      seccompProfile: { type: "RuntimeDefault" },
    },
    initContainers: [...named(deployment.additionalInitContainers), apiServer(input)],
    containers: [controllerManager(input), scheduler(input), ...named(deployment.additionalContainers)],
    volumes: [...ownVolumes(tcp.metadata.name, hasAuthentication), ...named(deployment.additionalVolumes)],
  };
}

/**
 * The API server is a sidecar that starts before the other two: they exit at once without it, and the kubelet would
 * then back off. For the same reason it is the last to stop.
 */
function apiServer(input: PodTemplateInput): ContainerShape {
  const { tcp, hasAuthentication } = input;
  const { port } = tcp.spec.networkProfile;
  const { probes } = tcp.spec.controlPlane.deployment;
  return {
    ...component(input, "kube-apiserver", apiServerFlags(input)),
    restartPolicy: "Always",
    ports: [{ name: "kube-apiserver", containerPort: port, protocol: "TCP" }],
    // The roles that the others need exist only once it is ready.
    startupProbe: buildProbe("startup", { path: "/readyz", port }, probes),
    readinessProbe: buildProbe("readiness", { path: "/readyz", port }, probes),
    livenessProbe: buildProbe("liveness", { path: "/livez", port }, probes),
    securityContext: apiServerSecurity,
    volumeMounts: [...componentMounts["kube-apiserver"](hasAuthentication), ...mountsOf(tcp, "apiServer")],
  };
}

function controllerManager(input: PodTemplateInput): ContainerShape {
  return {
    ...component(input, "kube-controller-manager", controllerManagerFlags(input)),
    livenessProbe: livenessOf(input.tcp, 10257),
    volumeMounts: [...componentMounts["kube-controller-manager"](), ...mountsOf(input.tcp, "controllerManager")],
  };
}

function scheduler(input: PodTemplateInput): ContainerShape {
  return {
    ...component(input, "kube-scheduler", schedulerFlags()),
    livenessProbe: livenessOf(input.tcp, 10259),
    volumeMounts: [...componentMounts["kube-scheduler"](), ...mountsOf(input.tcp, "scheduler")],
  };
}

function component(
  { tcp }: PodTemplateInput,
  name: ComponentName,
  flags: Parameters<typeof buildArguments>[0],
): ContainerShape {
  const { deployment } = tcp.spec.controlPlane;
  const { settings } = programs[name];
  return {
    name,
    image: imageOf(tcp, name),
    imagePullPolicy: "IfNotPresent",
    command: [name],
    args: buildArguments(flags, deployment.extraArgs?.[settings]),
    resources: resourcesOf(tcp, settings),
    securityContext: containerSecurity,
    terminationMessagePolicy: "FallbackToLogsOnError",
  };
}

function livenessOf(tcp: TenantControlPlane, port: number): Record<string, unknown> {
  return buildProbe("liveness", { path: "/healthz", port }, tcp.spec.controlPlane.deployment.probes);
}

/** The image of a program. A tag cannot contain the plus sign of build metadata. */
function imageOf({ spec }: TenantControlPlane, name: ComponentName): string {
  const { registrySettings } = spec.controlPlane.deployment;
  const version = parseKubernetesVersion(spec.kubernetes.version)?.text ?? spec.kubernetes.version;
  const tag = `${version.replaceAll("+", "_")}${registrySettings.tagSuffix ?? ""}`;
  return `${registrySettings.registry}/${registrySettings[programs[name].image]}:${tag}`;
}

function mountsOf(
  { spec }: TenantControlPlane,
  program: "apiServer" | "controllerManager" | "scheduler",
): NamedThing[] {
  return named(spec.controlPlane.deployment.additionalVolumeMounts?.[program]);
}

/** Replicas are spread over nodes if possible, unless the user configures it otherwise. */
function spreadOf({ metadata, spec }: TenantControlPlane): object[] {
  const labelSelector = { matchLabels: { [nameLabel]: metadata.name } };
  const wished = spec.controlPlane.deployment.topologySpreadConstraints ?? [
    { maxSkew: 1, topologyKey: "kubernetes.io/hostname", whenUnsatisfiable: "ScheduleAnyway" as const },
  ];
  return wished.map((constraint) => ({ labelSelector, ...withoutUndefined(constraint) }));
}

/** User input is validated at admission and only cast here. */
function named(things: readonly object[] = []): NamedThing[] {
  return things as NamedThing[];
}

function withoutUndefined<T extends object>(record: T): Partial<T> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as Partial<T>;
}
