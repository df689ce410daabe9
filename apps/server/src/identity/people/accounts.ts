import { randomBytes } from "node:crypto";
import { accountBrakeMs, judgeAttempt, passwordFault } from "@butler/access";
import { namespaces, secretKeys, User } from "@butler/api";
import type { ApiClient } from "@butler/kube";
import { apiVersionOf, builtinKinds } from "@butler/resource";
import { type Clock, Conflict, NotFound, sleep } from "@butler/std";
import { RouteProblem } from "../../http/problem.ts";
import { networkOf } from "../../http/rate-limit.ts";
import type { IncomingRequest } from "../../ports.ts";
import { textIn } from "../sessions/session-record.ts";
import type { ServerState } from "../../state/state.ts";
import type { KnownDevices } from "./known-devices.ts";
import type { OneAtATime } from "./one-at-a-time.ts";
import type { PasswordHasher } from "./password-hasher.ts";
import type { SignInTries } from "./sign-in-tries.ts";

const { Secret } = builtinKinds;
const fieldManager = "butler-server";

/** Dependencies of account storage. It writes with the server's own permissions: users cannot write these fields. */
export interface AccountParts {
  readonly client: ApiClient;
  readonly state: ServerState;
  readonly clock: Clock;
  readonly hasher: PasswordHasher;
  /** Serializes attempts per account, which would otherwise conflict. */
  readonly tries: OneAtATime;
  /** Failures by account and place. */
  readonly places: SignInTries;
  readonly devices: KnownDevices;
}

type Status = Readonly<Record<string, unknown>>;

/** Changes the status of an account as it was read; undefined if it was modified concurrently. */
export async function changeStatus(
  { client, state }: Pick<AccountParts, "client" | "state">,
  user: User,
  { status, signal }: { readonly status: Status; readonly signal: AbortSignal },
): Promise<User | undefined> {
  const { name, resourceVersion } = user.metadata;
  try {
    const patch = { metadata: { resourceVersion }, status };
    const options = { type: "merge", subresource: "status", patch, fieldManager, signal } as const;
    const changed = await client.patch(User, { name }, options);
    state.caches.noteWrite(User, changed);
    return changed;
  } catch (error) {
    if (error instanceof Conflict) return undefined;
    throw error;
  }
}

/** A timestamp in the format of an account's status. */
export function momentText(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, "Z");
}

/** Throws if a password is not acceptable, before any change. */
export function requireGoodPassword(password: string, email: string, field: string): void {
  const fault = passwordFault(password, email);
  if (fault === undefined) return;
  throw new RouteProblem("INVALID", fault, { causes: [{ field, reason: "WEAK_PASSWORD", message: fault }] });
}

/**
 * Sets the password of an account. The hash is stored in a new Secret, and the account then references it in one write
 * that also consumes the invitation: of two concurrent requests one succeeds, and the other leaves nothing behind.
 */
export async function storePassword(
  parts: AccountParts,
  user: User,
  { password, signal }: { readonly password: string; readonly signal: AbortSignal },
): Promise<User | undefined> {
  const { client, clock, hasher } = parts;
  const hash = await hasher.hash(password);
  const { uid = "", name } = user.metadata;
  const key = { name: `butler-password-${uid}-${randomBytes(4).toString("hex")}`, namespace: namespaces.system };
  // Owned by the account, so that a recreated account of the same name does not accept the old password.
  const ownerReferences = [{ apiVersion: apiVersionOf(User), kind: User.kind, name, uid }];
  const data = { [secretKeys.password]: Buffer.from(hash).toString("base64") };
  const secret = { apiVersion: "v1", kind: "Secret", metadata: { ...key, ownerReferences }, type: "Opaque", data };
  await client.create(Secret, secret, { fieldManager, signal });
  const status = {
    passwordSecretRef: key,
    passwordChangedAt: momentText(clock.now().getTime()),
    inviteTokenHash: null,
    inviteExpiresAt: null,
    inviteSentAt: null,
    failedLoginAttempts: 0,
    lockedUntil: null,
  };
  const changed = await changeStatus(parts, user, { status, signal });
  await dropSecret(client, changed === undefined ? key : user.status?.passwordSecretRef, signal);
  return changed;
}

async function dropSecret(
  client: ApiClient,
  key: { name: string; namespace?: string | undefined } | undefined,
  signal: AbortSignal,
) {
  if (key === undefined) return;
  try {
    await client.delete(Secret, { name: key.name, namespace: key.namespace ?? namespaces.system }, { signal });
  } catch (error) {
    if (!(error instanceof NotFound)) throw error;
  }
}

/** Finds the hash of an account's password; undefined when it has none. */
async function hashOfPassword({ client }: AccountParts, { status }: User, signal: AbortSignal) {
  const reference = status?.passwordSecretRef;
  if (reference === undefined) return undefined;
  const { name, namespace = namespaces.system, key = secretKeys.password } = reference;
  // In another namespace, users who can write Secrets there could set passwords.
  if (namespace !== namespaces.system) return undefined;
  return textIn(await client.find(Secret, { name, namespace }, signal), key);
}

/** A sign-in attempt. */
export interface PasswordTry {
  /** Undefined if the account does not exist. */
  readonly user: User | undefined;
  readonly password: string;
  readonly request: Pick<IncomingRequest, "headers" | "isSecure" | "sourceAddress">;
  readonly signal: AbortSignal;
}

/**
 * Tries to sign in with a password; returns the current account, or undefined. An attempt is counted before it is
 * judged, so that concurrent attempts all count. Every failure takes one hash comparison.
 */
export async function tryPassword(
  parts: AccountParts,
  { user, password, request, signal }: PasswordTry,
): Promise<User | undefined> {
  const device = user && (await parts.devices.idOf(user, request));
  const source = device ?? networkOf(request.sourceAddress);
  // By password rather than account: a new one starts without failures.
  const pair = `${user?.status?.passwordSecretRef?.name ?? ""} ${source}`;
  const attempt = { pair, isKnownDevice: device !== undefined, signal };
  const counted = user && (await parts.tries.run(user.metadata.name, () => countTry(parts, user, attempt)));
  const hash = counted && (await hashOfPassword(parts, counted, signal));
  const isRight = await parts.hasher.isRight(password, hash);
  if (!isRight || counted === undefined) return undefined;
  parts.places.forget(pair);
  return forgetTries(parts, counted, signal);
}

interface Attempt {
  readonly pair: string;
  readonly isKnownDevice: boolean;
  readonly signal: AbortSignal;
}

/** Counts an attempt, and brakes the account after too many; undefined if the attempt is refused. */
async function countTry(parts: AccountParts, known: User, attempt: Attempt): Promise<User | undefined> {
  const { pair, isKnownDevice, signal } = attempt;
  for (let round = 0; round < 4; round++) {
    const user = await parts.client.find(User, { name: known.metadata.name }, signal);
    if (user === undefined || !canSignIn(user)) return undefined;
    const nowMs = parts.clock.now().getTime();
    const brakedForMs = Date.parse(user.status?.lockedUntil ?? momentText(0)) - nowMs;
    const { isRefused, delayMs } = judgeAttempt({ isKnownDevice, pair: parts.places.of(pair), brakedForMs });
    if (isRefused) return undefined;
    if (isKnownDevice) {
      // Its own failures count for it alone.
      await sleep(parts.clock, delayMs, signal);
      parts.places.count(pair);
      return user;
    }
    const failures = (user.status?.failedLoginAttempts ?? 0) + 1;
    const brakeMs = accountBrakeMs(failures);
    const lockedUntil = brakeMs === 0 ? null : momentText(nowMs + brakeMs + 999);
    const status = { failedLoginAttempts: failures, lockedUntil };
    const counted = await changeStatus(parts, user, { status, signal });
    if (counted === undefined) continue;
    parts.places.count(pair);
    return counted;
  }
  return undefined;
}

function canSignIn({ spec }: User): boolean {
  return spec.authType === "internal" && !spec.disabled;
}

async function forgetTries(parts: AccountParts, user: User, signal: AbortSignal): Promise<User | undefined> {
  let current: User | undefined = user;
  for (let attempt = 0; attempt < 4 && current !== undefined; attempt++) {
    const status = {
      failedLoginAttempts: 0,
      lockedUntil: null,
      lastLoginTime: momentText(parts.clock.now().getTime()),
      loginCount: (current.status?.loginCount ?? 0) + 1,
    };
    const changed = await changeStatus(parts, current, { status, signal });
    if (changed !== undefined) return changed.spec.disabled ? undefined : changed;
    current = await parts.client.find(User, { name: user.metadata.name }, signal);
  }
  return undefined;
}
