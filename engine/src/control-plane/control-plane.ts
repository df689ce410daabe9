import { buildKubeconfig, type CertificatePair, issueCertificate, type Kubeconfig } from "@butler/pki";
import { type Clock, sleep, systemClock, Unavailable } from "@butler/std";
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureTools } from "../ensure-tools.ts";
import {
  apiServerFlags,
  authenticationConfiguration,
  componentEnvironment,
  type ComponentFlags,
  type ComponentName,
  controllerManagerFlags,
  type ControlPlanePaths,
  etcdFlags,
  formatArguments,
} from "./component-arguments.ts";
import { Component, PortTaken } from "./component.ts";
import type { ClientCertificate, ControlPlane, StopApiServer, StoreAccess } from "./control-plane-interface.ts";
import { type ControlPlaneOptions, parseControlPlaneName } from "./control-plane-options.ts";
import { hasBuiltControllers, probeHealth } from "./health-probe.ts";
import { removeLeftovers } from "./leftovers.ts";
import { type Pki, preparePki } from "./pki.ts";
import { drawFreePort } from "./ports.ts";
import { ProcessGuard } from "./process-guard.ts";
import { openWorkspace, type Workspace } from "./workspace.ts";

const defaultStartTimeoutMs = 60_000;
const portPatienceMs = 10_000;

/** Starts an isolated control plane and waits until it is ready. After a failure nothing is left behind. */
export async function startControlPlane(options: ControlPlaneOptions = {}): Promise<ControlPlane> {
  const name = parseControlPlaneName(options.name ?? "control-plane");
  const components: ComponentName[] = ["etcd", "kube-apiserver"];
  if (options.withControllerManager === true) components.push("kube-controller-manager");
  const environment = options.environment ?? process.env;
  const commands = await ensureTools(components, {
    environment,
    ...(options.progress === undefined ? {} : { progress: options.progress }),
  });
  await removeLeftovers(tmpdir());
  const workspace = await openWorkspace({ name, dataDir: options.dataDir, keep: options.keep === true });
  const guard = new ProcessGuard({
    label: workspace.paths.directory,
    logFile: join(workspace.paths.logs, "reaper.log"),
    removeAtEnd: workspace.isTemporary ? workspace.paths.directory : undefined,
  });
  const plane = new GuardedControlPlane({ name, options, workspace, guard, commands, environment });
  try {
    await plane.start();
  } catch (error) {
    await plane.stop();
    throw error;
  }
  return plane;
}

interface Parts {
  readonly name: string;
  readonly options: ControlPlaneOptions;
  readonly workspace: Workspace;
  readonly guard: ProcessGuard;
  readonly commands: Readonly<Partial<Record<ComponentName, string>>>;
  readonly environment: NodeJS.ProcessEnv;
}

class GuardedControlPlane implements ControlPlane {
  readonly #parts: Parts;
  readonly #paths: ControlPlanePaths;
  readonly #clock: Clock;
  readonly #components = new Map<ComponentName, Component>();
  readonly #abort = new AbortController();
  #pki: Pki | undefined;
  #port: number | undefined;
  #stopping: Promise<void> | undefined;
  #queue: Promise<void> = Promise.resolve();

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#paths = parts.workspace.paths;
    this.#clock = parts.options.clock ?? systemClock;
    this.#port = parts.options.apiServerPort;
    for (const [name, command] of Object.entries(parts.commands) as [ComponentName, string][]) {
      this.#components.set(name, this.#makeComponent(name, command));
    }
  }

  get name(): string {
    return this.#parts.name;
  }

  get directory(): string {
    return this.#paths.directory;
  }

  get server(): string {
    return `https://127.0.0.1:${this.#port ?? 0}`;
  }

  get caPem(): string {
    return this.#keys.authority.cert;
  }

  get adminCert(): string {
    return this.#keys.admin.cert;
  }

  get adminKey(): string {
    return this.#keys.admin.key;
  }

  get kubeconfig(): Kubeconfig {
    return this.#kubeconfigOf("admin", this.#keys.admin);
  }

  get kubeconfigPath(): string {
    return this.#paths.kubeconfig;
  }

  get store(): StoreAccess {
    const { etcdAuthority, etcdClient } = this.#keys;
    return { socketPath: this.#paths.etcdSocket, caPem: etcdAuthority.cert, ...etcdClient };
  }

  get #keys(): Pki {
    if (this.#pki === undefined) throw new Unavailable(`the control plane ${this.name} has not started`);
    return this.#pki;
  }

  start(): Promise<void> {
    return this.#inTurn(async () => {
      this.#pki = await preparePki(this.#paths.pki);
      await writeFile(this.#paths.authenticationConfig, JSON.stringify(authenticationConfiguration));
      await this.#startEtcd();
      await this.#startApiServer();
      await writeKubeconfig(this.#paths.kubeconfig, this.kubeconfig);
      if (this.#components.has("kube-controller-manager")) await this.#startControllerManager();
    });
  }

  logs(component: ComponentName): Promise<string> {
    return this.#component(component).logs();
  }

  startApiServer(): Promise<void> {
    return this.#inTurn(() => this.#startApiServer());
  }

  stopApiServer({ signal = "SIGTERM" }: StopApiServer = {}): Promise<void> {
    return this.#inTurn(() => this.#component("kube-apiserver").stop(signal));
  }

  restartApiServer({ signal = "SIGTERM" }: StopApiServer = {}): Promise<void> {
    return this.#inTurn(async () => {
      await this.#component("kube-apiserver").stop(signal);
      await this.#startApiServer();
    });
  }

  async issueClientCertificate(client: { user: string; groups?: readonly string[] }): Promise<ClientCertificate> {
    const pair = await issueCertificate(this.#keys.authority, {
      commonName: client.user,
      organizations: client.groups ?? [],
      usages: ["client"],
    });
    return { ...pair, kubeconfig: this.#kubeconfigOf(client.user, pair) };
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#stopAll();
    return this.#stopping;
  }

  async #stopAll(): Promise<void> {
    this.#abort.abort(new Unavailable(`the control plane ${this.name} has been stopped`));
    await this.#queue;
    try {
      // etcd stops last: without it the API server could not shut down gracefully.
      const others = [...this.#components].filter(([name]) => name !== "etcd");
      await Promise.all(others.map(([, component]) => component.stop()));
      await this.#component("etcd").stop();
    } finally {
      await this.#parts.guard.close();
      await this.#parts.workspace.close();
    }
  }

  /** Serializes changes of the processes from all callers. */
  #inTurn(change: () => Promise<void>): Promise<void> {
    const turn = this.#queue.then(() => {
      this.#abort.signal.throwIfAborted();
      return change();
    });
    this.#queue = turn.catch(() => undefined);
    return turn;
  }

  #startEtcd(): Promise<void> {
    const flags = etcdFlags(this.#paths, { unsafeNoFsync: this.#parts.options.unsafeNoFsync ?? true });
    const { etcdAuthority, etcdClient } = this.#keys;
    const health = {
      target: { socketPath: this.#paths.etcdSocket },
      path: "/health",
      caPem: etcdAuthority.cert,
      client: etcdClient,
    };
    return this.#startComponent("etcd", flags, async () => (await probeHealth(health)) !== undefined);
  }

  async #startApiServer(): Promise<void> {
    if (this.#component("kube-apiserver").isRunning) return;
    const hasControllerManager = this.#components.has("kube-controller-manager");
    this.#port = await this.#onPort(this.#port, (port) =>
      this.#startComponent("kube-apiserver", apiServerFlags(this.#paths, { port, hasControllerManager }), async () => {
        if ((await this.#ask(port, "/readyz")) === undefined) return false;
        // The namespace `default` is created shortly after the server reports ready.
        return (await this.#ask(port, "/api/v1/namespaces/default")) !== undefined;
      }),
    );
  }

  async #startControllerManager(): Promise<void> {
    const kubeconfig = this.#kubeconfigOf("kube-controller-manager", this.#keys.controllerManager);
    await writeKubeconfig(this.#paths.controllerManagerKubeconfig, kubeconfig);
    await this.#onPort(undefined, (port) =>
      this.#startComponent("kube-controller-manager", controllerManagerFlags(this.#paths, { port }), async () =>
        hasBuiltControllers((await this.#ask(port, "/healthz?verbose")) ?? ""),
      ),
    );
  }

  #ask(port: number, path: string): Promise<string | undefined> {
    const { authority, admin } = this.#keys;
    return probeHealth({ target: { port }, path, caPem: authority.cert, client: admin });
  }

  /**
   * A chosen port that is in use is replaced; a fixed one is retried for a while, since its user may be shutting down.
   */
  async #onPort(fixed: number | undefined, start: (port: number) => Promise<void>): Promise<number> {
    const deadline = this.#clock.monotonicMs() + portPatienceMs;
    for (;;) {
      const port = fixed ?? (await drawFreePort());
      try {
        await start(port);
        return port;
      } catch (error) {
        if (!(error instanceof PortTaken) || this.#clock.monotonicMs() > deadline) throw error;
      }
      await sleep(this.#clock, 200, this.#abort.signal);
    }
  }

  #startComponent(name: ComponentName, flags: ComponentFlags, isReady: () => Promise<boolean>): Promise<void> {
    const { startTimeoutMs = defaultStartTimeoutMs, components } = this.#parts.options;
    return this.#component(name).start({
      arguments: formatArguments(flags, components?.[name]),
      isReady,
      timeoutMs: startTimeoutMs,
      signal: this.#abort.signal,
    });
  }

  #makeComponent(name: ComponentName, command: string): Component {
    return new Component({
      name,
      command,
      guard: this.#parts.guard,
      environment: componentEnvironment(this.#parts.environment),
      directory: this.#paths.directory,
      logFile: join(this.#paths.logs, `${name}.log`),
      processFile: join(this.#paths.processes, `${name}.json`),
      clock: this.#clock,
    });
  }

  #component(name: ComponentName): Component {
    const component = this.#components.get(name);
    if (component === undefined) throw new Unavailable(`the control plane ${this.name} has no ${name}`);
    return component;
  }

  #kubeconfigOf(user: string, client: CertificatePair): Kubeconfig {
    return buildKubeconfig({ name: this.name, user, server: this.server, caPem: this.caPem, client });
  }
}

function writeKubeconfig(file: string, kubeconfig: Kubeconfig): Promise<void> {
  return writeFile(file, `${JSON.stringify(kubeconfig, undefined, 2)}\n`, { mode: 0o600 });
}
