import type { Terminal } from "@butler/cli-kit";
import { type ApiClient, listAll, type ListOptions, type ObjectFor, type Requests } from "@butler/kube/direct";
import type { Kind } from "@butler/resource";
import { ButlerError, NotFound, Unauthenticated, Unavailable } from "@butler/std";
import type { StoredLogin } from "./login-file.ts";
import { type OpenConnection, openConnection } from "./open-connection.ts";

/** Options of every command that select the cluster. */
export interface SessionOptions {
  readonly kubeconfig?: string;
  readonly context?: string;
}

/** A connection to the management cluster. */
export interface Session {
  readonly client: ApiClient;
  /** Sends raw requests, for paths that are not objects. */
  readonly transport: Requests;
  readonly signal: AbortSignal;
  /** The namespace from BUTLER_NAMESPACE or else the kubeconfig's context, if set. */
  readonly contextNamespace: string | undefined;
  /** The butler-server sign-in of the context; undefined when the credentials come from elsewhere. */
  readonly login: StoredLogin | undefined;
}

/** Connects, runs the work, and always closes the connection. */
export async function withSession<T>(
  terminal: Terminal,
  options: SessionOptions,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const connection = await openConnection(terminal, options);
  try {
    return await work(sessionOf(connection, terminal));
  } catch (error) {
    throw explainConnection(error, connection);
  } finally {
    await connection.close();
  }
}

/** The part of commander's commands that actions need. */
interface GivenCommand {
  optsWithGlobals(): unknown;
}

/**
 * What a command does in its session. The options include those of the program, and the arguments follow them; optional
 * arguments can be undefined.
 */
type SessionWork<Options> = (session: Session, options: Options, ...words: string[]) => Promise<void>;

/** The action of a command that runs in a session. */
export function inSession<Options extends SessionOptions>(
  terminal: Terminal,
  work: SessionWork<Options>,
): (...given: readonly unknown[]) => Promise<void> {
  return async (...given) => {
    // Commander passes the arguments, the command's own options, and last the command.
    const words = given.slice(0, -2) as string[];
    const options = (given.at(-1) as GivenCommand).optsWithGlobals() as Options;
    await withSession(terminal, options, (session) => work(session, options, ...words));
  };
}

function sessionOf(connection: OpenConnection, { environment, signal }: Terminal): Session {
  const { client, transport, namespace, login } = connection;
  const contextNamespace = environment["BUTLER_NAMESPACE"] || namespace || undefined;
  return { client, transport, signal, contextNamespace, login };
}

/** Adds a hint to connection errors; returns other errors unchanged. */
export function explainConnection(
  error: unknown,
  where: { readonly context: string; readonly server: string },
): unknown {
  if (!(error instanceof ButlerError) || error.hint !== undefined) return error;
  const { message, details } = error;
  if (error instanceof Unauthenticated) {
    const hint = `The credentials for context ${where.context} are invalid or have expired. Renew them, or choose another context with --context.`;
    return new Unauthenticated(message, { details, hint });
  }
  if (error instanceof Unavailable && details["status"] === undefined) {
    const hint = `Check that the management cluster for context ${where.context} is running at ${where.server}.`;
    return new Unavailable(message, { details, hint });
  }
  if (error instanceof NotFound && message.includes("could not find the requested resource")) {
    const hint = `Check that Butler is installed in the cluster for context ${where.context}, or choose another context with --context.`;
    return new NotFound(message, { details, hint });
  }
  return error;
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
