import { dirname, join } from "node:path";
import {
  apiServerFlags,
  type ComponentFlags,
  controllerManagerFlags,
  etcdFlags,
  formatArguments,
} from "../control-plane/component-arguments.ts";
import type { ReadinessProbe, ServiceSpec } from "../supervisor/service-spec.ts";
import { renewalIntervalMs } from "./certificate-renewal.ts";
import type { EnginePaths } from "./engine-paths.ts";
import { insideNamespace } from "./network-commands.ts";
import type { NetworkLayout } from "./network-layout.ts";

/** The programs of an engine, in start order. */
export type EngineProgram =
  "etcd" | "kube-apiserver" | "kube-controller-manager" | "kube-scheduler" | "containerd" | "kubelet" | "kube-proxy";

export interface EngineServicesInput {
  readonly layout: NetworkLayout;
  readonly paths: EnginePaths;
  /** The absolute path of each program. */
  readonly programs: Readonly<Record<EngineProgram, string>>;
  readonly nodeName: string;
  readonly environment: Readonly<Record<string, string>>;
}

interface ProgramSettings {
  readonly flags: readonly string[];
  readonly dependsOn: readonly EngineProgram[];
  readonly readiness?: ReadinessProbe;
  readonly stopGraceMs?: number;
}

/** Everything that the supervisor runs, as data. */
export function engineServices(input: EngineServicesInput): ServiceSpec[] {
  const { layout, paths, programs, environment } = input;
  return Object.entries(programSettings(input)).map(([name, settings]) => {
    const program = programs[name as EngineProgram];
    const [command, ...args] = insideNamespace(layout, [program, ...settings.flags]);
    return {
      name,
      command: `/usr/bin/${command}`,
      args,
      // containerd finds its shim in its own directory, and all programs find ip and iptables.
      environment: {
        ...environment,
        PATH: `${dirname(program)}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin`,
      },
      workingDirectory: paths.directory,
      dependsOn: settings.dependsOn,
      readiness: settings.readiness,
      stopGraceMs: settings.stopGraceMs,
      logFile: join(paths.logs, `${name}.log`),
    };
  });
}

function programSettings({ layout, paths, nodeName }: EngineServicesInput): Record<EngineProgram, ProgramSettings> {
  const { nodeAddress } = layout;
  const pki = (name: string): string => join(paths.controlPlane.pki, name);
  const caFile = pki("ca.crt");
  const https = (port: number, path: string): ReadinessProbe => ({
    type: "http",
    url: `https://${nodeAddress}:${port}${path}`,
    caFile,
  });
  const http = (port: number): ReadinessProbe => ({ type: "http", url: `http://${nodeAddress}:${port}/healthz` });
  return {
    etcd: {
      flags: formatArguments(etcdFlags(paths.controlPlane, { unsafeNoFsync: false })),
      dependsOn: [],
      readiness: { type: "unix", path: paths.controlPlane.etcdSocket },
    },
    "kube-apiserver": {
      flags: formatArguments(engineApiServerFlags(layout, paths)),
      dependsOn: ["etcd"],
      readiness: https(6443, "/readyz"),
      stopGraceMs: 15_000,
    },
    "kube-controller-manager": {
      flags: formatArguments({
        ...controllerManagerFlags(paths.controlPlane, { port: 10257 }),
        "bind-address": nodeAddress,
        "service-cluster-ip-range": layout.serviceRange,
        "cluster-name": "butler",
      }),
      dependsOn: ["kube-apiserver"],
      readiness: https(10257, "/healthz"),
    },
    "kube-scheduler": {
      flags: formatArguments(schedulerFlags(layout, paths)),
      dependsOn: ["kube-apiserver"],
      readiness: https(10259, "/healthz"),
    },
    containerd: {
      flags: ["--config", join(paths.config, "containerd.toml")],
      dependsOn: [],
      readiness: { type: "unix", path: paths.containerdSocket },
    },
    kubelet: {
      flags: formatArguments({
        config: join(paths.config, "kubelet.json"),
        kubeconfig: join(paths.config, "kubelet.kubeconfig"),
        "root-dir": paths.kubeletRoot,
        "hostname-override": nodeName,
        "node-ip": nodeAddress,
        "cert-dir": join(paths.kubeletRoot, "pki"),
      }),
      dependsOn: ["containerd", "kube-apiserver"],
      readiness: http(10248),
    },
    "kube-proxy": {
      flags: formatArguments({ config: join(paths.config, "kube-proxy.json"), "hostname-override": nodeName }),
      dependsOn: ["kube-apiserver"],
      readiness: http(10256),
    },
  };
}

function engineApiServerFlags(layout: NetworkLayout, paths: EnginePaths): ComponentFlags {
  const pki = (name: string): string => join(paths.controlPlane.pki, name);
  return {
    ...apiServerFlags(paths.controlPlane, { port: 6443, hasControllerManager: true }),
    "bind-address": "0.0.0.0",
    "advertise-address": layout.nodeAddress,
    "endpoint-reconciler-type": undefined,
    "service-cluster-ip-range": layout.serviceRange,
    "allow-privileged": "true",
    "enable-admission-plugins": "NodeRestriction",
    "kubelet-client-certificate": pki("apiserver-kubelet-client.crt"),
    "kubelet-client-key": pki("apiserver-kubelet-client.key"),
    "kubelet-certificate-authority": pki("ca.crt"),
    "kubelet-preferred-address-types": "InternalIP,Hostname",
  };
}

function schedulerFlags(layout: NetworkLayout, paths: EnginePaths): ComponentFlags {
  const pki = (name: string): string => join(paths.controlPlane.pki, name);
  const kubeconfig = join(paths.config, "kube-scheduler.kubeconfig");
  return {
    kubeconfig,
    "authentication-kubeconfig": kubeconfig,
    "authorization-kubeconfig": kubeconfig,
    "bind-address": layout.nodeAddress,
    "secure-port": "10259",
    "tls-cert-file": pki("kube-scheduler.crt"),
    "tls-private-key-file": pki("kube-scheduler.key"),
    "client-ca-file": pki("ca.crt"),
    "leader-elect": "false",
  };
}

/** Butler's own program next to the engine's: load balancer addresses, routes to tenants' addresses, and volumes. */
export function companionService(
  input: Pick<EngineServicesInput, "layout" | "paths" | "environment">,
  main: string,
): ServiceSpec {
  const { layout, paths, environment } = input;
  const flags = {
    kubeconfig: paths.kubeconfig,
    "load-balancer-range": layout.loadBalancerRange,
    "network-namespace": layout.namespace,
    volumes: paths.volumes,
  };
  return {
    name: "butler-local-node",
    command: process.execPath,
    args: [main, "local-node", ...formatArguments(flags)],
    environment,
    workingDirectory: paths.directory,
    dependsOn: ["kube-apiserver"],
    logFile: join(paths.logs, "butler-local-node.log"),
  };
}

/** Inputs of the certificate renewal chore. */
export interface RenewalInput extends Pick<EngineServicesInput, "paths" | "environment"> {
  readonly name: string;
  readonly certificateLifetimeMs: number | undefined;
}

/** Renews the certificates while the engine runs. */
export function renewalChore({ name, paths, environment, certificateLifetimeMs }: RenewalInput): ServiceSpec {
  const flags = {
    name,
    home: dirname(paths.directory),
    "lifetime-ms": certificateLifetimeMs === undefined ? undefined : String(certificateLifetimeMs),
  };
  return {
    name: "certificate-renewal",
    command: process.execPath,
    args: [join(import.meta.dirname, "renewal-program.ts"), ...formatArguments(flags)],
    environment,
    workingDirectory: paths.directory,
    dependsOn: [],
    logFile: join(paths.logs, "certificate-renewal.log"),
    everyMs: renewalIntervalMs(certificateLifetimeMs),
  };
}
