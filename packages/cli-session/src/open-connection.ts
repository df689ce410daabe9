import type { Terminal } from "@butler/cli-kit";
import type { KubeConfig } from "@butler/kube";
import {
  ApiClient,
  DirectConnections,
  directTarget,
  readKubeconfigFiles,
  type Requests,
  Transport,
  type TransportOptions,
} from "@butler/kube/direct";
import { describeError, InvalidInput, isRecord } from "@butler/std";
import type { StoredLogin } from "./login-file.ts";
import type { SessionOptions } from "./session.ts";

/** The exec command of a kubeconfig user whose credentials come from a butler-server sign-in. */
export const credentialCommand = ["butlerctl", "credential"] as const;

/** A client, and what it is connected to. */
export interface OpenConnection {
  readonly client: ApiClient;
  readonly transport: Requests;
  readonly context: string;
  readonly server: string;
  /** The namespace of the context, if it names one. */
  readonly namespace: string | undefined;
  /** The butler-server sign-in that the credentials come from, if any. */
  readonly login: StoredLogin | undefined;
  readonly close: () => Promise<void>;
}

/** Connects to the cluster of the kubeconfig; sends no request yet. */
export async function openConnection(terminal: Terminal, options: SessionOptions): Promise<OpenConnection> {
  return (await openDirectly(terminal, options)) ?? openAnyhow(terminal, options);
}

/** Fast path for kubeconfigs with an address, certificates or a token; undefined for all others. */
async function openDirectly(terminal: Terminal, options: SessionOptions): Promise<OpenConnection | undefined> {
  const { environment } = terminal;
  const kubeconfig = readKubeconfigFiles({ file: options.kubeconfig, environment });
  const wanted = options.context ?? kubeconfig?.currentContext;
  const context = kubeconfig?.contexts.find(({ name }) => name === wanted);
  if (context === undefined) return undefined;
  const login = await storedLogin(context.user["exec"], terminal);
  const { cluster, namespace, name } = context;
  const user = login === undefined ? context.user : { token: login.kubernetes.token };
  const target = directTarget({ cluster, user }, environment);
  if (target === undefined) return undefined;
  const connections = new DirectConnections(target);
  const transport = new Transport(connections, transportOptions(terminal));
  return {
    client: new ApiClient(transport),
    transport,
    context: name,
    server: target.server,
    namespace,
    login,
    close: () => connections.close(),
  };
}

/** Slow path for every kubeconfig, with the official client, which takes longer to load. */
async function openAnyhow(terminal: Terminal, options: SessionOptions): Promise<OpenConnection> {
  const { connect, loadKubeConfig } = await import("@butler/kube");
  const config = readConfig(options, loadKubeConfig);
  const user = config.getCurrentUser();
  const login = await storedLogin(user?.exec, terminal);
  if (user !== null && login !== undefined) {
    const { token } = login.kubernetes;
    config.users = config.users.map((each) => (each === user ? { name: user.name, token } : each));
  }
  const { client, transport, close } = connect(config, transportOptions(terminal));
  return {
    client,
    transport,
    context: config.currentContext,
    server: config.getCurrentCluster()?.server ?? "",
    namespace: config.getContextObject(config.currentContext)?.namespace,
    login,
    close,
  };
}

function transportOptions({ loudness, say }: Terminal): TransportOptions {
  if (loudness !== "verbose") return { userAgent: "butler-cli" };
  return {
    userAgent: "butler-cli",
    onAnswer: ({ method, path, status, durationMs }) =>
      say(`${method} ${path} ${status ?? "no response"} ${Math.round(durationMs)} ms`),
  };
}

/** Where kubectl would call this program for a token, the token is used directly. */
async function storedLogin(exec: unknown, terminal: Terminal): Promise<StoredLogin | undefined> {
  const { command, args } = isRecord(exec) ? exec : {};
  const [program, word] = credentialCommand;
  if (command !== program || !Array.isArray(args) || args[0] !== word) return undefined;
  const server: unknown = args[args.indexOf("--server") + 1];
  const { freshLogin } = await import("./stored-login.ts");
  return freshLogin(terminal, typeof server === "string" ? server : undefined);
}

const noContexts = "The kubeconfig contains no contexts. Pass another file with --kubeconfig.";

function readConfig({ kubeconfig, context }: SessionOptions, load: (file?: string) => KubeConfig): KubeConfig {
  const config = loadConfig(kubeconfig, load);
  if (context === undefined) return config;
  const names = config.getContexts().map(({ name }) => name);
  if (!names.includes(context)) {
    throw new InvalidInput(`the kubeconfig has no context "${context}"`, {
      hint: names.length === 0 ? noContexts : `Available contexts: ${names.join(", ")}.`,
    });
  }
  config.setCurrentContext(context);
  return config;
}

function loadConfig(file: string | undefined, load: (file?: string) => KubeConfig): KubeConfig {
  try {
    return load(file);
  } catch (error) {
    if (error instanceof InvalidInput) throw error;
    throw new InvalidInput(`cannot read the kubeconfig: ${describeError(error)}`, {
      hint: "Choose another file with --kubeconfig or KUBECONFIG.",
    });
  }
}
