import { randomBytes } from "node:crypto";
import { namespaces } from "@butler/api";
import type { ApiClient } from "@butler/kube";
import { builtinKinds } from "@butler/resource";
import { type Clock, describeError, sleep, systemClock } from "@butler/std";
import { type Logger, MetricsRegistry, silentLogger } from "@butler/telemetry";
import { RecordLimits } from "../../audit/record-limits.ts";
import type { Handler } from "../../http/handler.ts";
import { AddressGuard } from "../people/address-guard.ts";
import { KnownDevices } from "../people/known-devices.ts";
import { OneAtATime } from "../people/one-at-a-time.ts";
import { PasswordHasher } from "../people/password-hasher.ts";
import { SignInTries } from "../people/sign-in-tries.ts";
import { peopleHandlers } from "../people/people-handlers.ts";
import { maintainSetupToken } from "../people/setup.ts";
import type { AuditSink, Authenticator, CsrfCheck, SignedIn } from "../../ports.ts";
import { SessionAuthenticator } from "../sessions/authenticator.ts";
import { type CallerListener, CallerWatch } from "../sessions/caller-watch.ts";
import { sessionHandlers } from "../sessions/session-handlers.ts";
import { defaultTimes, type SessionTimes, signInLabel } from "../sessions/session-record.ts";
import { SessionStore } from "../sessions/session-store.ts";
import { KeyRing } from "../sessions/signing-keys.ts";
import type { ServerState } from "../../state/state.ts";
import type { OutgoingOptions } from "@butler/administration/issuers";
import { directoryGroups, type GroupSource } from "./group-source.ts";
import type { SignInParts } from "./parts.ts";
import { ProviderDirectory } from "./providers.ts";
import { signInHandlers } from "./sign-in-handlers.ts";

/** Options of sign-in. */
export interface SignInOptions {
  readonly client: ApiClient;
  /** The server's own; give it to the server as well, and start it before `start`. */
  readonly state: ServerState;
  readonly audit: AuditSink;
  /** URL of the console. With https, cookies go over https only. */
  readonly publicUrl?: string;
  readonly times?: Partial<SessionTimes>;
  readonly clock?: Clock;
  readonly logger?: Logger;
  readonly metrics?: MetricsRegistry;
  /** Allowed addresses of identity providers, and additional CA certificates. */
  readonly outgoing?: OutgoingOptions;
  /** Address of Google's directory of groups; Google's own unless said otherwise. */
  readonly googleDirectoryUrl?: string;
  /** Work factor of new password hashes. */
  readonly passwordCost?: number;
  /** Key of all replicas for the cookies of known devices; without it they are known to this process only. */
  readonly deviceKey?: Uint8Array;
  /** Minimum response time of a failed sign-in. */
  readonly failureMs?: number;
  /** Ends what else is signed in as an account, when all of its sessions are ended. */
  readonly alsoEnd?: (userUid: string, signal?: AbortSignal) => Promise<void>;
}

/** Signing in, sessions and accounts, as used by the server and by open connections. */
export interface SignIn {
  readonly authenticate: Authenticator;
  readonly checkCsrf: CsrfCheck;
  readonly handlers: () => readonly Handler[];
  /** Reports the groups of accounts, where a provider can be asked without the user. */
  readonly groups: GroupSource;
  /** The current user of a session; undefined if it has ended. */
  readonly current: (sessionId: string) => SignedIn | undefined;
  /** Reports every change in the access of a session's user promptly. Returns a function that stops it. */
  readonly onCallerChanged: (sessionId: string, listener: CallerListener) => () => void;
  /** Calls the listener whenever a session was created, changed or ended. Returns a function to unsubscribe. */
  readonly onSessionsChanged: (listener: () => void) => () => void;
  /** Creates keys and, in a new installation, the setup token; then maintains them until the signal aborts. */
  start(signal: AbortSignal): Promise<void>;
  /** Stops the password thread. */
  close(): Promise<void>;
}

const maintainMs = 60_000;

/** Creates sign-in. */
export function createSignIn(options: SignInOptions): SignIn {
  const { client, state, clock = systemClock, logger = silentLogger } = options;
  const secrets = state.caches.of(builtinKinds.Secret, { namespace: namespaces.system, labelSelector: signInLabel });
  const keys = new KeyRing({ client, secrets, clock });
  const times = { ...defaultTimes, ...options.times };
  const sessions = new SessionStore({ client, secrets, clock, times, alsoEnd: options.alsoEnd });
  const publicUrl = (options.publicUrl ?? "").replace(/\/+$/, "");
  const authenticator = new SessionAuthenticator({ client, keys, sessions, state, clock, publicUrl });
  const hasher = new PasswordHasher(options.passwordCost);
  const providers = new ProviderDirectory({ client, clock, outgoing: options.outgoing ?? {} });
  const google = { client, clock, directoryUrl: options.googleDirectoryUrl };
  const parts: SignInParts = {
    client,
    state,
    clock,
    logger,
    audit: options.audit,
    recordLimits: new RecordLimits({ clock, metrics: options.metrics ?? new MetricsRegistry() }),
    publicUrl,
    keys,
    sessions,
    authenticator,
    hasher,
    tries: new OneAtATime(),
    places: new SignInTries(clock),
    devices: new KnownDevices({ key: options.deviceKey ?? randomBytes(32), clock, publicUrl }),
    addresses: new AddressGuard(clock),
    flow: { providers, google, clock, logger },
    failureMs: options.failureMs ?? 1_000,
  };
  const current = (sessionId: string): SignedIn | undefined => authenticator.current(sessionId);
  const onSessionsChanged = (listener: () => void): (() => void) => secrets.addHandler(listener);
  const callers = new CallerWatch({ state, onSessionsChanged, current, clock });
  return {
    authenticate: authenticator.authenticate,
    checkCsrf: authenticator.checkCsrf,
    handlers: () => [...signInHandlers(parts), ...peopleHandlers(parts), ...sessionHandlers(parts)],
    groups: directoryGroups({ client, state, clock, providers, directoryUrl: options.googleDirectoryUrl }),
    current,
    onSessionsChanged,
    onCallerChanged: (sessionId, listener) => callers.follow(sessionId, listener),
    start: async (signal) => {
      await secrets.synced;
      await keys.maintain(signal);
      await maintainSetupToken(parts, signal);
      callers.start(signal);
      void keepUp(parts, signal);
    },
    close: () => hasher.close(),
  };
}

/** Rotates keys and deletes expired sessions; continues after failures. */
async function keepUp(parts: SignInParts, signal: AbortSignal): Promise<void> {
  const { clock, keys, sessions, logger } = parts;
  while (!signal.aborted) {
    try {
      await sleep(clock, maintainMs, signal);
      await keys.maintain(signal);
      await sessions.sweep(signal);
      await maintainSetupToken(parts, signal);
    } catch (error) {
      if (!signal.aborted) logger.warn("failed to clean up sessions", { error: describeError(error) });
    }
  }
}
