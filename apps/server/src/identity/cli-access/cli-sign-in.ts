import { defineSingleton, type SingletonDefinition, SingletonRuntime } from "@butler/controller";
import type { ApiClient } from "@butler/kube";
import type { Clock } from "@butler/std";
import type { Logger, MetricsRegistry } from "@butler/telemetry";
import { DeviceFlow } from "../device/device-flow.ts";
import { deviceHandlers } from "../device/handlers.ts";
import type { Handler } from "../../http/handler.ts";
import type { RateLimit } from "../../http/rate-limit.ts";
import type { AuditSink, Authenticator, CsrfCheck } from "../../ports.ts";
import type { ServerState } from "../../state/state.ts";
import type { GroupSource } from "../sign-in/group-source.ts";
import type { KubernetesAddress } from "./account-token.ts";
import { cliLoginOf, CliLogins } from "./logins.ts";
import { cliAccountsSingleton } from "./reconcile.ts";

/** Options of command-line sign-in. */
export interface CliSignInOptions {
  readonly client: ApiClient;
  /** Must not be started yet, because its watches are added here. */
  readonly state: ServerState;
  readonly audit: AuditSink;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics?: MetricsRegistry;
  readonly kubernetes: KubernetesAddress;
  readonly groups: GroupSource;
  /** The console's address. */
  readonly publicUrl: string;
  readonly codeLimit?: RateLimit;
}

/** The parts of command-line sign-in that a server is composed of. */
export interface CliSignIn {
  readonly handlers: readonly Handler[];
  /** Authenticates access tokens of command lines, and passes all other requests on. */
  readonly authenticate: Authenticator;
  /** Browsers never send bearer tokens automatically, so these requests pass; others are judged by the given check. */
  readonly checkCsrf: (others: CsrfCheck) => CsrfCheck;
  /** Ends every sign-in of an account, by its uid. */
  endAll(uid: string, signal?: AbortSignal): Promise<void>;
  /** Reconciles accounts and removes expired records, after the state has started and until the signal aborts. */
  start(signal: AbortSignal): void;
}

const sweepEveryMs = 60_000;

/** Removes expired records. */
function sweepSingleton(
  swept: readonly { readonly sweep: (signal: AbortSignal) => Promise<void> }[],
): SingletonDefinition<object> {
  return defineSingleton({
    name: "cli-sign-in-sweep",
    resyncMs: sweepEveryMs,
    backoff: { initialMs: sweepEveryMs, maximumMs: sweepEveryMs, factor: 1, jitter: 0 },
    failure: { message: "failed to remove ended CLI sessions" },
    reconcile: async ({ signal }) => {
      for (const each of swept) await each.sweep(signal);
    },
  });
}

/** Creates command-line sign-in. */
export function createCliSignIn(options: CliSignInOptions): CliSignIn {
  const { client, state, audit, clock, logger, metrics, publicUrl } = options;
  const logins = new CliLogins(options);
  const flow = new DeviceFlow({ ...options, logins, publicUrl: publicUrl.replace(/\/+$/, "") });
  const common = { ports: {}, caches: state.caches, clock, logger, ...(metrics === undefined ? {} : { metrics }) };
  const accounts = new SingletonRuntime(cliAccountsSingleton({ client, state, logins: logins.records }), common);
  const sweep = new SingletonRuntime(sweepSingleton([logins, flow]), common);
  return {
    handlers: deviceHandlers({ flow, audit, state, now: () => clock.now() }),
    authenticate: logins.authenticate,
    checkCsrf: (others) => (request, caller) => cliLoginOf(caller) !== undefined || others(request, caller),
    endAll: (uid, signal) => logins.endAll(uid, signal),
    start: (signal) => {
      void accounts.run(signal);
      void sweep.run(signal);
    },
  };
}
