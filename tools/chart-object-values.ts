import { Bug } from "@butler/std";
import { Choice, Filled, Nested, type Template } from "./chart-template.ts";
import { valueNameOf } from "./chart-values.ts";

/** Keeps an object when a release is uninstalled, because users' objects depend on it. */
export const keptOnUninstall = { "helm.sh/resource-policy": "keep" } as const;

/** Grants Butler all permissions on the management cluster, as an optional part of the chart and as an argument. */
export const managementAddons = "management-addons";

type Fields = Readonly<Record<string, Template>>;

/** Applies values to an object of the chart where platformManifests has no input for them. */
export function withValues(part: string, template: Template): Template {
  const object = template as Fields;
  if (object["kind"] === "Namespace") {
    return { ...object, metadata: { ...(object["metadata"] as Fields), annotations: keptOnUninstall } };
  }
  if (object["kind"] === "Deployment") return deploymentWithValues(part, object);
  if (object["kind"] !== "Service") return object;
  if (part === "sni-gateway") return gatewayService(object);
  return part === "server" ? serverService(object) : object;
}

function deploymentWithValues(role: string, deployment: Fields): Fields {
  const spec = deployment["spec"] as Fields;
  const template = spec["template"] as Fields;
  const pod = template["spec"] as Fields;
  const [container, ...others] = pod["containers"] as readonly Fields[];
  if (container === undefined || others.length > 0) throw new Bug(`${role} must have exactly one container`);
  const tls = ".Values.server.tls.secretName";
  const isServer = role === "server";
  const changed = {
    ...container,
    ...(isServer
      ? {
          volumeMounts: [
            ...(container["volumeMounts"] as readonly Template[]),
            new Choice(tls, [{ name: "tls", mountPath: "/tls", readOnly: true }]),
          ],
        }
      : {}),
    imagePullPolicy: new Filled(".Values.image.pullPolicy | quote"),
    args: [
      ...(container["args"] as readonly Template[]).map(ifWanted),
      ...(furtherArguments[role] ?? []),
      argument({ flag: "log-level", value: "logLevel", fallback: "info" }),
    ],
    resources: new Nested(`.Values.${valueNameOf(role)}.resources`),
  };
  const given = (name: string): Choice => new Choice(`.Values.${name}`, new Nested(`.Values.${name}`));
  const placed = {
    ...pod,
    containers: [changed],
    ...(isServer
      ? {
          volumes: [
            ...(pod["volumes"] as readonly Template[]),
            new Choice(tls, [{ name: "tls", secret: { secretName: new Filled(`${tls} | quote`) } }]),
          ],
        }
      : {}),
    imagePullSecrets: given("imagePullSecrets"),
    nodeSelector: given("nodeSelector"),
    tolerations: given("tolerations"),
    priorityClassName: new Choice(".Values.priorityClassName", new Filled(".Values.priorityClassName | quote")),
  };
  return { ...deployment, spec: { ...spec, template: { ...template, spec: placed } } };
}

const isStoreProvided = ".Values.steward.defaultDataStore.enabled";

/** The default DataStore and the catalog are enabled by default; ManagementAddons are not. */
function ifWanted(given: Template): Template {
  if (given === `--${managementAddons}`) return new Choice(`.Values.${valueNameOf(managementAddons)}.enabled`, [given]);
  if (given === "--catalog") return new Choice(".Values.catalog.enabled", [given]);
  const isProviding = typeof given === "string" && given.startsWith("--provide-data-store=");
  return isProviding ? new Choice(isStoreProvided, [given]) : given;
}

/** Arguments that a role gets when a value differs from the role's default. */
const furtherArguments: Readonly<Record<string, readonly Template[]>> = {
  steward: [
    argument({ flag: "default-data-store", value: "steward.defaultDataStore.name", fallback: "default" }),
    new Choice(`and ${isStoreProvided} (ne (int .Values.steward.defaultDataStore.members) 3)`, [
      new Filled('printf "--data-store-members=%d" (int .Values.steward.defaultDataStore.members) | quote'),
    ]),
    storeArgument({ flag: "data-store-size", value: "storage.size", fallback: "10Gi" }),
    storeArgument({ flag: "data-store-storage-class", value: "storage.storageClassName", fallback: "" }),
    storeArgument({ flag: "data-store-image", value: "image", fallback: "" }),
    new Choice(`and ${isStoreProvided} .Values.steward.defaultDataStore.resources`, [
      new Filled('printf "--data-store-resources=%s" (toJson .Values.steward.defaultDataStore.resources) | quote'),
    ]),
    argument({ flag: "management-domain", value: "steward.clusterDomain", fallback: "cluster.local" }),
    new Choice("ne (int .Values.sniGateway.service.port) 6443", [
      new Filled('printf "--sni-gateway-port=%d" (int .Values.sniGateway.service.port) | quote'),
    ]),
  ],
  "local-provider": [
    argument({ flag: "node-image-repository", value: "localProvider.nodeImageRepository", fallback: "" }),
  ],
  controller: outgoingArguments(),
  server: [
    ...outgoingArguments(),
    argument({ flag: "public-url", value: "server.publicURL", fallback: "" }),
    argument({ flag: "kubernetes-address", value: "server.kubernetesAddress", fallback: "" }),
    argument({ flag: "terminal-image", value: "server.terminal.image", fallback: "" }),
    new Choice("not .Values.server.terminal.enabled", ["--no-terminals"]),
    new Choice(".Values.server.trustedProxies", [
      new Filled('printf "--trusted-proxy=%s" (join "," .Values.server.trustedProxies) | quote'),
    ]),
    new Choice(".Values.server.tls.secretName", ["--tls-cert=/tls/tls.crt", "--tls-key=/tls/tls.key"]),
  ],
  "sni-gateway": [new Choice(".Values.sniGateway.extraArgs", [new Nested(".Values.sniGateway.extraArgs")])],
};

/** Which addresses a role may connect to because of objects. */
function outgoingArguments(): readonly Template[] {
  const listed = (flag: string, value: string): Choice =>
    new Choice(`.Values.outgoing.${value}`, [
      new Filled(`printf "--${flag}=%s" (join "," .Values.outgoing.${value}) | quote`),
    ]);
  return [listed("outgoing-allow", "allow"), listed("cluster-network", "clusterNetworks")];
}

type Argument = Readonly<Record<"flag" | "value" | "fallback", string>>;

function argument({ flag, value, fallback }: Argument): Choice {
  return new Choice(`ne .Values.${value} ${JSON.stringify(fallback)}`, [
    new Filled(`printf "--${flag}=%s" .Values.${value} | quote`),
  ]);
}

/** An argument of the default DataStore, which is only used if Steward creates it. */
function storeArgument({ value, ...others }: Argument): Choice {
  const { condition, whenTrue } = argument({ ...others, value: `steward.defaultDataStore.${value}` });
  return new Choice(`and ${isStoreProvided} (${condition})`, whenTrue);
}

function gatewayService(service: Fields): Fields {
  const values = ".Values.sniGateway.service";
  const chosen = new Choice(`${values}.loadBalancerClass`, new Filled(`${values}.loadBalancerClass | quote`));
  return serviceWith(service, values, { inSpec: { loadBalancerClass: chosen } });
}

function serverService(service: Fields): Fields {
  const values = ".Values.server.service";
  const nodePort = new Choice(`${values}.nodePort`, new Filled(`int ${values}.nodePort`));
  // The API server refuses the field for a Service without node ports.
  const externalTrafficPolicy = new Choice(
    `ne ${values}.type "ClusterIP"`,
    new Filled(`${values}.externalTrafficPolicy | quote`),
  );
  return serviceWith(service, values, { inSpec: { externalTrafficPolicy }, inPort: { nodePort } });
}

/** A Service whose annotations, type and port are values. */
function serviceWith(service: Fields, values: string, further: { inSpec?: Fields; inPort?: Fields }): Fields {
  const { inSpec = {}, inPort = {} } = further;
  const spec = service["spec"] as Fields;
  const [port] = spec["ports"] as readonly Fields[];
  return {
    ...service,
    metadata: {
      ...(service["metadata"] as Fields),
      annotations: new Choice(`${values}.annotations`, new Nested(`${values}.annotations`)),
    },
    spec: {
      ...spec,
      type: new Filled(`${values}.type | quote`),
      ...inSpec,
      ports: [{ ...port, port: new Filled(`int ${values}.port`), ...inPort }],
    },
  };
}
