import type { ApiClient } from "@butler/kube";
import { type Clock, describeError, sleep } from "@butler/std";
import type { Logger } from "@butler/telemetry";
import { DeviceFlow } from "../device/device-flow.ts";
import { deviceHandlers } from "../device/handlers.ts";
import type { Handler } from "../http/handler.ts";
import type { RateLimit } from "../http/rate-limit.ts";
import type { AuditSink, Authenticator, CsrfCheck } from "../ports.ts";
import type { ServerState } from "../state/state.ts";
import type { KubernetesAddress } from "./account-token.ts";
import { cliLoginOf, CliLogins } from "./logins.ts";
import { CliAccounts } from "./reconcile.ts";

/** What sign-in from command lines needs from the server around it. */
export interface CliSignInOptions {
  readonly client: ApiClient;
  /** Not started yet: what is watched here is part of it. */
  readonly state: ServerState;
  readonly audit: AuditSink;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly kubernetes: KubernetesAddress;
  /** The console's address. */
  readonly publicUrl: string;
  readonly codeLimit?: RateLimit;
}

/** Everything about command lines that a server is put together from. */
export interface CliSignIn {
  readonly handlers: readonly Handler[];
  /** Knows the access tokens of command lines, and leaves everything else to others. */
  readonly authenticate: Authenticator;
  /** No browser sends a bearer token by itself, so whoever has one meant it; others are judged by the given check. */
  readonly checkCsrf: (others: CsrfCheck) => CsrfCheck;
  /** Ends every sign-in of an account, by its uid. */
  endAll(uid: string, signal?: AbortSignal): Promise<void>;
  /** Keeps accounts in step and sweeps, once the state has started; ends with the signal. */
  start(signal: AbortSignal): void;
}

const sweepEveryMs = 60_000;

/** Puts sign-in from command lines together. */
export function createCliSignIn(options: CliSignInOptions): CliSignIn {
  const { client, state, audit, clock, logger, publicUrl } = options;
  const logins = new CliLogins(options);
  const flow = new DeviceFlow({ ...options, logins, publicUrl: publicUrl.replace(/\/+$/, "") });
  const accounts = new CliAccounts({ client, state, logins: logins.records, clock, logger });
  const sweep = async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      try {
        await sleep(clock, sweepEveryMs, signal);
        await logins.sweep(signal);
        await flow.sweep(signal);
      } catch (error) {
        if (!signal.aborted) logger.warn("sign-ins that ended were not removed", { error: describeError(error) });
      }
    }
  };
  return {
    handlers: deviceHandlers({ flow, audit, state, now: () => clock.now() }),
    authenticate: logins.authenticate,
    checkCsrf: (others) => (request, caller) => cliLoginOf(caller) !== undefined || others(request, caller),
    endAll: (uid, signal) => logins.endAll(uid, signal),
    start: (signal) => {
      accounts.start(signal);
      void sweep(signal);
    },
  };
}
