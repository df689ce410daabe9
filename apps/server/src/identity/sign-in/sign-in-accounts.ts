import { createHash } from "node:crypto";
import {
  type AccountDecision,
  accountNameOf,
  type ClaimedPerson,
  decideAccount,
  type Identity,
  issuerAnnotation,
  type SignInRefusal,
} from "@butler/access";
import { User } from "@butler/api";
import { AlreadyExists, type ApiClient } from "@butler/kube";
import { apiVersionOf } from "@butler/resource";
import { type Clock, Conflict, Unavailable } from "@butler/std";
import { changeStatus, momentText } from "../people/accounts.ts";
import type { ServerState } from "../../state/state.ts";

/** Dependencies for accounts of identity providers. */
export interface SignInAccountParts {
  readonly client: ApiClient;
  readonly state: ServerState;
  readonly clock: Clock;
}

/** The signed-in user, or why the sign-in was refused. */
export type SignInOutcome = { readonly user: User } | { readonly refusal: SignInRefusal };

/** A user who signed in at a provider. */
export interface Arrival {
  readonly identity: Identity;
  readonly person: ClaimedPerson;
  readonly signal: AbortSignal;
}

const fieldManager = "butler-server";
const attempts = 6;

/**
 * Finds or creates the account of a user who signed in at a provider, and records their groups. Concurrent changes to
 * the account, on this replica or another, are detected, and the decision is made again.
 */
export async function admitIdentity(parts: SignInAccountParts, arrival: Arrival): Promise<SignInOutcome> {
  const fresh = new Map<string, User>();
  for (let attempt = 0; attempt < attempts; attempt++) {
    const decision = decideAccount(arrival.identity, usersOf(parts, fresh));
    if (decision.kind === "refused") return { refusal: decision.reason };
    const user = await reach(parts, decision, { arrival, fresh });
    const noted = user && (await noteArrival(parts, user, arrival));
    if (noted !== undefined) return { user: noted };
    if (user !== undefined) await readAnew(parts, user, { arrival, fresh });
  }
  throw new Unavailable("another request is changing the account", { hint: "Retry." });
}

interface Round {
  readonly arrival: Arrival;
  readonly fresh: Map<string, User>;
}

/** The chosen account; undefined on a conflict. */
async function reach(
  parts: SignInAccountParts,
  decision: Exclude<AccountDecision, { kind: "refused" }>,
  round: Round,
): Promise<User | undefined> {
  if (decision.kind === "new") return create(parts, round.arrival, round.fresh);
  if (decision.kind === "known") return decision.user;
  const bound = await bind(parts, decision.user, round.arrival);
  if (bound === undefined) await readAnew(parts, decision.user, round);
  return bound;
}

async function readAnew({ client }: SignInAccountParts, { metadata }: User, { arrival, fresh }: Round): Promise<void> {
  const newest = await client.find(User, { name: metadata.name }, arrival.signal);
  if (newest !== undefined) fresh.set(metadata.name, newest);
}

/** The cached accounts, updated with those just read. */
function usersOf({ state }: SignInAccountParts, fresh: ReadonlyMap<string, User>): User[] {
  return [...state.users.list().filter(({ metadata }) => !fresh.has(metadata.name)), ...fresh.values()];
}

/** Undefined on a conflict; the conflicting account is then among the fresh ones. */
async function create(
  { client, state }: SignInAccountParts,
  { identity, person, signal }: Arrival,
  fresh: Map<string, User>,
): Promise<User | undefined> {
  const mark = createHash("sha256").update(`${identity.issuer}\n${identity.subject}`).digest("hex").slice(0, 10);
  const plain = accountNameOf(identity.email);
  const isTaken = state.users.get({ name: plain }) !== undefined || fresh.has(plain);
  const name = isTaken ? accountNameOf(identity.email, mark) : plain;
  const metadata = { name, annotations: { [issuerAnnotation]: identity.issuer } };
  const spec = {
    email: identity.email,
    authType: "sso",
    ssoProvider: identity.provider,
    ssoSubject: identity.subject,
    ...(person.displayName === undefined ? {} : { displayName: person.displayName }),
    ...(person.picture === undefined ? {} : { avatar: person.picture }),
  };
  try {
    const object = { apiVersion: apiVersionOf(User), kind: User.kind, metadata, spec };
    const made = await client.create(User, object, { fieldManager, fieldValidation: "Strict", signal });
    state.caches.noteWrite(User, made);
    return made;
  } catch (error) {
    if (!(error instanceof AlreadyExists)) throw error;
    const other = await client.find(User, { name }, signal);
    if (other !== undefined) fresh.set(name, other);
    return undefined;
  }
}

/** Binds an account created by an administrator to the first user who signs in with its email address. */
async function bind(
  { client, state }: SignInAccountParts,
  user: User,
  { identity, signal }: Arrival,
): Promise<User | undefined> {
  const { name, resourceVersion } = user.metadata;
  const patch = {
    metadata: { resourceVersion, annotations: { [issuerAnnotation]: identity.issuer } },
    spec: { ssoProvider: identity.provider, ssoSubject: identity.subject },
  };
  try {
    const bound = await client.patch(User, { name }, { type: "merge", patch, fieldManager, signal });
    state.caches.noteWrite(User, bound);
    return bound;
  } catch (error) {
    if (error instanceof Conflict) return undefined;
    throw error;
  }
}

function noteArrival(parts: SignInAccountParts, user: User, { person, signal }: Arrival): Promise<User | undefined> {
  const now = momentText(parts.clock.now().getTime());
  const status = {
    lastSeenGroups: [...person.groups],
    groupsResolvedAt: now,
    lastLoginTime: now,
    loginCount: (user.status?.loginCount ?? 0) + 1,
  };
  return changeStatus(parts, user, { status, signal });
}
