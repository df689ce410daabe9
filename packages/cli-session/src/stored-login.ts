import type { Terminal } from "@butler/cli-kit";
import type { cliCredentials } from "@butler/contract";
import { ButlerError, sleep, Unauthenticated } from "@butler/std";
import type { z } from "zod";
import { LoginStore, type StoredLogin } from "./login-file.ts";
import { connectServer, type ServerAddress } from "./server.ts";

/** Credentials are refreshed this long before they expire, so that none expires during a command. */
const marginMs = 5 * 60_000;

/** The credentials issued by butler-server, in their stored form. */
export function storedFrom(
  { server, certificateAuthority }: ServerAddress,
  credentials: z.output<typeof cliCredentials>,
): StoredLogin {
  const { kubernetes } = credentials;
  return {
    server,
    ...(certificateAuthority === undefined ? {} : { certificateAuthority }),
    email: credentials.user.email,
    accessToken: credentials.access_token,
    expiresAt: credentials.expires_at,
    refreshToken: credentials.refresh_token,
    refreshExpiresAt: credentials.refresh_expires_at,
    kubernetes: {
      server: kubernetes.server,
      certificateAuthority: kubernetes.certificate_authority,
      token: kubernetes.token,
    },
  };
}

/** The sign-in to a server, with credentials that are valid for at least a few minutes. */
export async function freshLogin(terminal: Terminal, server?: string): Promise<StoredLogin> {
  const store = new LoginStore(terminal);
  const found = await store.find(server);
  if (found === undefined) throw notSignedIn(server);
  if (isFresh(found, terminal)) return found;
  // Only one process refreshes; the others wait for the result. Using a refresh token twice would end the session.
  return store.exclusively(async () => {
    const current = await store.find(found.server);
    if (current === undefined) throw notSignedIn(server);
    if (isFresh(current, terminal)) return current;
    return exchange(terminal, store, current);
  });
}

async function exchange(terminal: Terminal, store: LoginStore, current: StoredLogin): Promise<StoredLogin> {
  const { refreshCli } = await import("@butler/contract");
  const { client, close } = await connectServer(current, terminal);
  try {
    const body = { refresh_token: current.refreshToken };
    const login = storedFrom(current, await client.call(refreshCli, { body }, { signal: terminal.signal }));
    await store.save(login);
    return login;
  } catch (error) {
    if (error instanceof ButlerError && error.code === "CONFLICT") {
      // Another machine that shares the directory has refreshed without this lock; its result arrives soon.
      await sleep(terminal.clock, 1_000, terminal.signal);
      const theirs = await store.find(current.server);
      if (theirs !== undefined && isFresh(theirs, terminal)) return theirs;
    }
    if (error instanceof ButlerError && error.code === "INVALID_GRANT") {
      throw new Unauthenticated(`the session with ${current.server} has expired or was revoked`, {
        hint: loginHint(current.server),
      });
    }
    throw error;
  } finally {
    await close();
  }
}

function isFresh({ expiresAt }: StoredLogin, { clock }: Terminal): boolean {
  return Date.parse(expiresAt) - clock.now().getTime() > marginMs;
}

function notSignedIn(server: string | undefined): Unauthenticated {
  const message = server === undefined ? "you are not signed in" : `you are not signed in to ${server}`;
  return new Unauthenticated(message, { hint: loginHint(server ?? "https://...") });
}

function loginHint(server: string): string {
  return `Sign in with: butlerctl login --server ${server}`;
}
