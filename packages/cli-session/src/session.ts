import type { Terminal } from "@butler/cli-kit";
import {
  connect,
  type ConnectedClient,
  type KubeConfig,
  listAll,
  type ListOptions,
  loadKubeConfig,
  type ObjectFor,
} from "@butler/kube";
import type { Kind } from "@butler/resource";
import { ButlerError, describeError, InvalidInput, NotFound, Unauthenticated, Unavailable } from "@butler/std";

/** The options by which every command says which cluster it speaks to. */
export interface SessionOptions {
  readonly kubeconfig?: string;
  readonly context?: string;
}

/** A connection to the management cluster. */
export interface Session extends Omit<ConnectedClient, "close"> {
  readonly signal: AbortSignal;
  /** The namespace that BUTLER_NAMESPACE or else the kubeconfig's context names, if it does. */
  readonly contextNamespace: string | undefined;
}

/** Connects, does the work, and ends the connection whatever happens. */
export async function withSession<T>(
  terminal: Terminal,
  options: SessionOptions,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const config = readConfig(options);
  const { client, transport, close } = connect(config, { userAgent: "butler-cli" });
  const named = terminal.environment["BUTLER_NAMESPACE"] || config.getContextObject(config.currentContext)?.namespace;
  const contextNamespace = named === "" ? undefined : named;
  try {
    return await work({ client, transport, signal: terminal.signal, contextNamespace });
  } catch (error) {
    throw explainConnection(error, {
      context: config.currentContext,
      server: config.getCurrentCluster()?.server ?? "",
    });
  } finally {
    await close();
  }
}

/** Adds to an error of the connection what it may come from; other errors stay as they are. */
export function explainConnection(
  error: unknown,
  where: { readonly context: string; readonly server: string },
): unknown {
  if (!(error instanceof ButlerError) || error.hint !== undefined) return error;
  const { message, details } = error;
  if (error instanceof Unauthenticated) {
    const hint = `The credentials of the context ${where.context} are not accepted, perhaps not any more.`;
    return new Unauthenticated(message, { details, hint });
  }
  if (error instanceof Unavailable && details["status"] === undefined) {
    const hint = `Is the management cluster of the context ${where.context} there, at ${where.server}?`;
    return new Unavailable(message, { details, hint });
  }
  if (error instanceof NotFound && message.includes("could not find the requested resource")) {
    const hint = `Is Butler installed in the cluster of the context ${where.context}? Choose another with --context.`;
    return new NotFound(message, { details, hint });
  }
  return error;
}

function readConfig({ kubeconfig, context }: SessionOptions): KubeConfig {
  const config = loadConfig(kubeconfig);
  if (context === undefined) return config;
  const names = config.getContexts().map(({ name }) => name);
  if (!names.includes(context)) {
    throw new InvalidInput(`the kubeconfig has no context "${context}"`, {
      hint: names.length === 0 ? "It has none at all." : `It has: ${names.join(", ")}.`,
    });
  }
  config.setCurrentContext(context);
  return config;
}

function loadConfig(file: string | undefined): KubeConfig {
  try {
    return loadKubeConfig(file);
  } catch (error) {
    if (error instanceof InvalidInput) throw error;
    throw new InvalidInput(`the kubeconfig cannot be read: ${describeError(error)}`, {
      hint: "Name another with --kubeconfig or KUBECONFIG.",
    });
  }
}

/** Every object of a kind, page by page. */
export async function readList<K extends Kind>(
  { client, signal }: Session,
  kind: K,
  options: Omit<ListOptions, "signal">,
): Promise<ObjectFor<K>[]> {
  const objects: ObjectFor<K>[] = [];
  for await (const object of listAll(client, kind, { ...options, signal })) objects.push(object);
  return objects;
}
