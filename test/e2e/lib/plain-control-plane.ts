import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { clusterNameLabel, clusterSecretType } from "@butler/api-external";
import { engineImageNames, ensureTools, type ToolPaths } from "@butler/engine";
import { eventually } from "@butler/testkit";
import { stringify } from "yaml";

const run = promisify(execFile);

/** Which cluster gets a control plane, and how the management cluster is accessed. */
export interface PlainControlPlaneOptions {
  readonly name: string;
  readonly namespace: string;
  readonly version: string;
  /** Applies objects in the management cluster. */
  readonly apply: (objects: readonly object[]) => Promise<void>;
  /** Runs kubectl in the management cluster. */
  readonly kubectl: (...args: string[]) => Promise<string>;
}

/** A control plane created with kubeadm's own phases. */
export interface PlainControlPlane {
  readonly host: string;
  readonly port: number;
  /** Path of the admin kubeconfig. */
  readonly kubeconfig: string;
  remove(): Promise<void>;
}

const port = 6443;
const podRange = "10.245.0.0/16";
const serviceRange = "10.97.0.0/16";

/**
 * Starts a control plane as one pod, without any of Butler's controllers: keys, kubeconfigs and the contents that joining
 * nodes read all come from kubeadm's phases.
 */
export async function startPlainControlPlane(options: PlainControlPlaneOptions): Promise<PlainControlPlane> {
  const { name, namespace, apply, kubectl } = options;
  const { kubeadm, kubectl: kubectlProgram } = await ensureTools(["kubeadm", "kubectl"]);
  const folder = await mkdtemp(join(tmpdir(), "butler-plain-"));
  await apply([service(options)]);
  const host = await kubectl("get", "service", name, "-n", namespace, "-o", "jsonpath={.spec.clusterIP}");
  const phases = new KubeadmPhases({ kubeadm, folder, host, version: options.version });
  await phases.makeKeys();
  await apply([await filesSecret(options, folder), pod(options, host), ...(await clusterApiSecrets(options, folder))]);
  const kubeconfig = join(folder, "admin.conf");
  await eventually(() => run(kubectlProgram, ["--kubeconfig", kubeconfig, "get", "--raw", "/readyz"]), {
    timeoutMs: 60_000,
  });
  await phases.fillCluster(kubeconfig);
  return { host, port, kubeconfig, remove: () => rm(folder, { recursive: true, force: true }) };
}

interface PhasesOptions {
  readonly kubeadm: ToolPaths<"kubeadm">["kubeadm"];
  readonly folder: string;
  readonly host: string;
  readonly version: string;
}

class KubeadmPhases {
  readonly #options: PhasesOptions;

  constructor(options: PhasesOptions) {
    this.#options = options;
  }

  async makeKeys(): Promise<void> {
    const { folder } = this.#options;
    const config = await this.#config("keys.yaml", { certificatesDir: join(folder, "pki") });
    await this.#phase(["certs", "all"], config);
    for (const which of ["admin", "super-admin", "controller-manager", "scheduler"]) {
      await this.#phase(["kubeconfig", which, "--kubeconfig-dir", folder], config);
    }
    for (const which of ["controller-manager", "scheduler"]) {
      const file = join(folder, `${which}.conf`);
      const text = await readFile(file, "utf8");
      await writeFile(file, text.replace(/server: .*/, `server: https://127.0.0.1:${port}`));
    }
    // The group in admin.conf normally gets its permissions when a node is initialized; here it has them from the
    // start.
    await writeFile(join(folder, "admin.conf"), await readFile(join(folder, "super-admin.conf")));
  }

  /** The certificates directory must not be in the uploaded configuration: kubelets would look for it. */
  async fillCluster(kubeconfig: string): Promise<void> {
    const config = await this.#config("upload.yaml", {});
    const access = ["--kubeconfig", kubeconfig];
    await this.#phase(["upload-config", "all", ...access], config);
    await this.#phase(["bootstrap-token", ...access], config);
    await this.#phase(["addon", "coredns", ...access], config);
    await this.#phase(["addon", "kube-proxy", ...access], config);
  }

  async #phase(phase: readonly string[], config: string): Promise<void> {
    await run(this.#options.kubeadm, ["init", "phase", ...phase, "--config", config]);
  }

  async #config(file: string, change: object): Promise<string> {
    const { folder, host, version } = this.#options;
    const path = join(folder, file);
    const documents = kubeadmDocuments({ host, version, change });
    await writeFile(path, documents.map((document) => stringify(document)).join("---\n"));
    return path;
  }
}

function kubeadmDocuments({ host, version, change }: { host: string; version: string; change: object }): object[] {
  const kubeadmVersion = "kubeadm.k8s.io/v1beta4";
  return [
    {
      apiVersion: kubeadmVersion,
      kind: "InitConfiguration",
      localAPIEndpoint: { advertiseAddress: host, bindPort: port },
    },
    {
      apiVersion: kubeadmVersion,
      kind: "ClusterConfiguration",
      kubernetesVersion: version,
      controlPlaneEndpoint: `${host}:${port}`,
      networking: { podSubnet: podRange, serviceSubnet: serviceRange },
      apiServer: { certSANs: ["127.0.0.1", host] },
      etcd: { external: { endpoints: ["http://127.0.0.1:2379"] } },
      dns: { imageTag: engineImageNames().coredns.split(":").at(-1) },
      ...change,
    },
    {
      apiVersion: "kubelet.config.k8s.io/v1beta1",
      kind: "KubeletConfiguration",
      cgroupDriver: "cgroupfs",
      failCgroupV1: false,
      failSwapOn: false,
      imageGCHighThresholdPercent: 100,
    },
    // Only the first network namespace of a machine may change this limit.
    { apiVersion: "kubeproxy.config.k8s.io/v1alpha1", kind: "KubeProxyConfiguration", conntrack: { maxPerCore: 0 } },
  ];
}

function service({ name, namespace }: PlainControlPlaneOptions): object {
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name, namespace },
    spec: { selector: { app: name }, ports: [{ port, targetPort: port }], publishNotReadyAddresses: true },
  };
}

const files = [
  ...["ca", "apiserver", "apiserver-kubelet-client", "front-proxy-ca", "front-proxy-client"].flatMap((each) => [
    `pki/${each}.crt`,
    `pki/${each}.key`,
  ]),
  "pki/sa.pub",
  "pki/sa.key",
  "controller-manager.conf",
  "scheduler.conf",
];

async function filesSecret({ name, namespace }: PlainControlPlaneOptions, folder: string): Promise<object> {
  const data = await Promise.all(
    files.map(async (file) => [file.replace("pki/", ""), (await readFile(join(folder, file))).toString("base64")]),
  );
  return { apiVersion: "v1", kind: "Secret", metadata: { name, namespace }, data: Object.fromEntries(data) };
}

async function clusterApiSecrets({ name, namespace }: PlainControlPlaneOptions, folder: string): Promise<object[]> {
  const secret = (suffix: string, stringData: object): object => ({
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: `${name}-${suffix}`, namespace, labels: { [clusterNameLabel]: name } },
    type: clusterSecretType,
    stringData,
  });
  const read = (file: string): Promise<string> => readFile(join(folder, file), "utf8");
  return [
    secret("kubeconfig", { value: await read("admin.conf") }),
    // It is not used for signing here, but Cluster API requires the key.
    secret("ca", { "tls.crt": await read("pki/ca.crt"), "tls.key": "not needed for workers" }),
  ];
}

function pod({ name, namespace }: PlainControlPlaneOptions, host: string): object {
  const images = engineImageNames();
  const at = (file: string): string => `/files/${file}`;
  const container = (which: keyof typeof images, flags: readonly string[]) => ({
    name: which,
    image: images[which],
    args: flags,
    volumeMounts: [{ name: "files", mountPath: "/files", readOnly: true }],
  });
  // Each starts when the previous one responds, so that none of them fails and backs off.
  const first = (path: string, containerPort: number, scheme: string) => ({
    restartPolicy: "Always",
    startupProbe: { httpGet: { path, port: containerPort, scheme }, periodSeconds: 1, failureThreshold: 120 },
  });
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, namespace, labels: { app: name } },
    spec: {
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      terminationGracePeriodSeconds: 1,
      volumes: [{ name: "files", secret: { secretName: name } }],
      initContainers: [
        {
          ...container("etcd", ["--data-dir=/var/lib/etcd", "--listen-metrics-urls=http://0.0.0.0:2381"]),
          ...first("/readyz", 2381, "HTTP"),
        },
        { ...container("kube-apiserver", apiServerFlags(host, at)), ...first("/readyz", port, "HTTPS") },
      ],
      containers: [
        container("kube-controller-manager", controllerManagerFlags(at)),
        container("kube-scheduler", [`--kubeconfig=${at("scheduler.conf")}`, "--leader-elect=false"]),
      ],
    },
  };
}

function apiServerFlags(host: string, at: (file: string) => string): string[] {
  return [
    `--advertise-address=${host}`,
    `--secure-port=${port}`,
    "--etcd-servers=http://127.0.0.1:2379",
    "--allow-privileged=true",
    "--authorization-mode=Node,RBAC",
    "--enable-admission-plugins=NodeRestriction",
    "--enable-bootstrap-token-auth=true",
    `--service-cluster-ip-range=${serviceRange}`,
    `--client-ca-file=${at("ca.crt")}`,
    `--tls-cert-file=${at("apiserver.crt")}`,
    `--tls-private-key-file=${at("apiserver.key")}`,
    `--kubelet-client-certificate=${at("apiserver-kubelet-client.crt")}`,
    `--kubelet-client-key=${at("apiserver-kubelet-client.key")}`,
    "--kubelet-preferred-address-types=InternalIP,Hostname",
    `--requestheader-client-ca-file=${at("front-proxy-ca.crt")}`,
    `--proxy-client-cert-file=${at("front-proxy-client.crt")}`,
    `--proxy-client-key-file=${at("front-proxy-client.key")}`,
    "--requestheader-allowed-names=front-proxy-client",
    "--requestheader-username-headers=X-Remote-User",
    "--requestheader-group-headers=X-Remote-Group",
    "--requestheader-extra-headers-prefix=X-Remote-Extra-",
    "--service-account-issuer=https://kubernetes.default.svc.cluster.local",
    `--service-account-key-file=${at("sa.pub")}`,
    `--service-account-signing-key-file=${at("sa.key")}`,
  ];
}

function controllerManagerFlags(at: (file: string) => string): string[] {
  return [
    `--kubeconfig=${at("controller-manager.conf")}`,
    "--controllers=*,bootstrapsigner,tokencleaner",
    "--allocate-node-cidrs=true",
    `--cluster-cidr=${podRange}`,
    `--service-cluster-ip-range=${serviceRange}`,
    `--cluster-signing-cert-file=${at("ca.crt")}`,
    `--cluster-signing-key-file=${at("ca.key")}`,
    `--root-ca-file=${at("ca.crt")}`,
    `--service-account-private-key-file=${at("sa.key")}`,
    "--use-service-account-credentials=true",
    "--leader-elect=false",
  ];
}
