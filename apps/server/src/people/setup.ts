import { accountNameOf } from "@butler/access";
import { effectivePlatformRole, namespaces, User } from "@butler/api";
import { AlreadyExists, type ApiClient } from "@butler/kube";
import { apiVersionOf, builtinKinds, type KubeObject } from "@butler/resource";
import { Conflict, NotFound } from "@butler/std";
import type { Logger } from "@butler/telemetry";
import { RouteProblem } from "../http/problem.ts";
import { isSameText, signInLabel, textIn } from "../sessions/session-record.ts";
import { newSecret } from "../sessions/session-store.ts";
import type { ServerState } from "../state/state.ts";
import { type AccountParts, requireGoodPassword, storePassword } from "./accounts.ts";

const { Secret } = builtinKinds;
const fieldManager = "butler-server";

/** The Secret with the token that makes the first administrator, under the key `token`. */
export const setupSecretKey = { name: "butler-setup-token", namespace: namespaces.system } as const;
const dataKey = "token";

/** Whether an account administers the platform already, so that nobody else is let in with a token. */
export function isPlatformAdminHere({ users }: Pick<ServerState, "users">): boolean {
  return users.list().some(({ spec }) => !spec.disabled && effectivePlatformRole(spec) === "admin");
}

/** Makes the token while nobody administers the platform, and takes it away when somebody does. */
export async function maintainSetupToken(
  { client, state, logger }: { readonly client: ApiClient; readonly state: ServerState; readonly logger: Logger },
  signal: AbortSignal,
): Promise<void> {
  if (isPlatformAdminHere(state)) return dropToken(client, signal);
  try {
    await client.create(Secret, secretOfToken(newSecret()), { fieldManager, signal });
    const { name, namespace } = setupSecretKey;
    logger.info("nobody administers the platform yet; a token waits in a Secret", { name, namespace });
  } catch (error) {
    if (!(error instanceof AlreadyExists)) throw error;
  }
}

function secretOfToken(token: string): KubeObject {
  const data = { [dataKey]: Buffer.from(token).toString("base64") };
  const metadata = { ...setupSecretKey, labels: { [signInLabel]: "setup" } };
  const secret = { apiVersion: "v1", kind: "Secret", metadata, type: "Opaque", data };
  return secret;
}

async function dropToken(client: ApiClient, signal: AbortSignal): Promise<void> {
  try {
    await client.delete(Secret, setupSecretKey, { signal });
  } catch (error) {
    if (!(error instanceof NotFound)) throw error;
  }
}

/** What the first administrator is made from. */
export interface FirstAdministrator {
  readonly token: string;
  readonly email: string;
  readonly displayName?: string | undefined;
  readonly password: string;
  readonly signal: AbortSignal;
}

/**
 * Makes the first administrator. The token is taken away first, and only one request can take it; should the rest not
 * succeed, it is put back.
 */
export async function makeFirstAdministrator(parts: AccountParts, wanted: FirstAdministrator): Promise<User> {
  const { client, state } = parts;
  const { signal } = wanted;
  const email = wanted.email.trim().toLowerCase();
  const secret = await client.find(Secret, setupSecretKey, signal);
  const token = textIn(secret, dataKey);
  const isRight = token !== undefined && isSameText(token, wanted.token);
  if (!isRight || isPlatformAdminHere(state)) throw spent();
  requireGoodPassword(wanted.password, email, "password");
  if (state.accountsOf(email).length > 0) {
    throw new RouteProblem("ALREADY_EXISTS", "there is an account with this address already", {
      hint: "Give the first administrator an address of their own.",
    });
  }
  try {
    const { uid, resourceVersion } = secret?.metadata ?? {};
    await client.delete(Secret, setupSecretKey, { uid, resourceVersion, signal });
  } catch (error) {
    if (error instanceof NotFound || error instanceof Conflict) throw spent();
    throw error;
  }
  try {
    return await makeAdministrator(parts, { ...wanted, email });
  } catch (error) {
    await client.create(Secret, secretOfToken(token), { fieldManager });
    throw error;
  }
}

async function makeAdministrator(parts: AccountParts, { email, displayName, password, signal }: FirstAdministrator) {
  const { client, state } = parts;
  const spec = { email, authType: "internal", platformRole: "admin", ...(displayName && { displayName }) };
  const metadata = { name: accountNameOf(email) };
  const object = { apiVersion: apiVersionOf(User), kind: User.kind, metadata, spec };
  const made = await client.create(User, object, { fieldManager, fieldValidation: "Strict", signal });
  try {
    const user = await storePassword(parts, made, { password, signal });
    // Controllers look at a new account, too; what they write first does not matter here.
    const newest = user ?? (await storePassword(parts, await client.get(User, metadata, signal), { password, signal }));
    if (newest === undefined) throw new RouteProblem("CONFLICT", "the account is being changed by others");
    state.caches.noteWrite(User, newest);
    return newest;
  } catch (error) {
    await client.delete(User, metadata, { uid: made.metadata.uid });
    throw error;
  }
}

function spent(): RouteProblem {
  return new RouteProblem("GONE", "this token makes no administrator", {
    hint: "It works once, while nobody administers the platform. Look whether somebody has used it.",
  });
}
