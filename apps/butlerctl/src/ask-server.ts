import { connectServer, type Session } from "@butler/cli-session";
import type { Client } from "@butler/contract";
import { Forbidden } from "@butler/std";

/** Data that Kubernetes returns, or butler-server for users without permission in Kubernetes. */
export interface TwoSources<T> {
  readonly kubernetes: () => Promise<T>;
  readonly server: (client: Client) => Promise<T>;
}

/**
 * Reads from Kubernetes. It cannot filter a list by user, so it denies lists that butler-server returns: with a sign-in
 * in the context, the server is asked instead.
 */
export async function fromEither<T>(session: Session, { kubernetes, server }: TwoSources<T>): Promise<T> {
  try {
    return await kubernetes();
  } catch (error) {
    if (!(error instanceof Forbidden) || session.login === undefined) throw error;
    return askServer(session, server);
  }
}

/** Sends a request to the server of the context's sign-in. */
export async function askServer<T>({ login }: Session, ask: (client: Client) => Promise<T>): Promise<T> {
  if (login === undefined) {
    throw new Forbidden("the current context is not signed in to a Butler server", {
      hint: "Sign in with: butlerctl login --server https://...",
    });
  }
  const { client, close } = await connectServer(login);
  try {
    return await ask(client);
  } finally {
    await close();
  }
}
