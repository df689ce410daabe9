import { accountNameOf } from "@butler/access";
import { effectivePlatformRole, namespaces, User } from "@butler/api";
import { AlreadyExists, type ApiClient } from "@butler/kube";
import { apiVersionOf, builtinKinds, type KubeObject } from "@butler/resource";
import { Conflict, NotFound } from "@butler/std";
import type { Logger } from "@butler/telemetry";
import { RouteProblem } from "../../http/problem.ts";
import { isSameText, signInLabel, textIn } from "../sessions/session-record.ts";
import { newSecret } from "../sessions/session-store.ts";
import type { ServerState } from "../../state/state.ts";
import { type AccountParts, requireGoodPassword, storePassword } from "./accounts.ts";

const { Secret } = builtinKinds;
const fieldManager = "butler-server";

/** The Secret with the token for creating the first administrator, under the key `token`. */
export const setupSecretKey = { name: "butler-setup-token", namespace: namespaces.system } as const;
const dataKey = "token";

/** Whether the platform already has an administrator, so that the setup token is rejected. */
export function isPlatformAdminHere({ users }: Pick<ServerState, "users">): boolean {
  return users.list().some(({ spec }) => !spec.disabled && effectivePlatformRole(spec) === "admin");
}

/** Creates the setup token while the platform has no administrator, and deletes it afterwards. */
export async function maintainSetupToken(
  { client, state, logger }: { readonly client: ApiClient; readonly state: ServerState; readonly logger: Logger },
  signal: AbortSignal,
): Promise<void> {
  if (isPlatformAdminHere(state)) return dropToken(client, signal);
  try {
    await client.create(Secret, secretOfToken(newSecret()), { fieldManager, signal });
    const { name, namespace } = setupSecretKey;
    logger.info("the platform has no administrator yet; the setup token is in a Secret", { name, namespace });
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

/** Fields of the first administrator. */
export interface FirstAdministrator {
  readonly token: string;
  readonly email: string;
  readonly displayName?: string | undefined;
  readonly password: string;
  readonly signal: AbortSignal;
}

/**
 * Creates the first administrator. The token is deleted first, which only one request can do; if a later step fails, it
 * is restored.
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
    throw new RouteProblem("ALREADY_EXISTS", "an account with this email address already exists", {
      hint: "Use a different email address for the first administrator.",
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
    // Controllers process a new account as well; the order of their writes does not matter here.
    const newest = user ?? (await storePassword(parts, await client.get(User, metadata, signal), { password, signal }));
    if (newest === undefined) throw new RouteProblem("CONFLICT", "another request is changing the account");
    state.caches.noteWrite(User, newest);
    return newest;
  } catch (error) {
    await client.delete(User, metadata, { uid: made.metadata.uid });
    throw error;
  }
}

function spent(): RouteProblem {
  return new RouteProblem("GONE", "this setup token is not valid", {
    hint: "A setup token works only once, and only while the platform has no administrator. Check whether it was already used.",
  });
}
