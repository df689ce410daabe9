import type { ApiClient } from "@butler/kube";
import { type Clock, describeError, sleep } from "@butler/std";
import type { Logger } from "@butler/telemetry";
import { DeviceFlow } from "../device/device-flow.ts";
import { deviceHandlers } from "../device/handlers.ts";
import type { Handler } from "../../http/handler.ts";
import type { RateLimit } from "../../http/rate-limit.ts";
import type { AuditSink, Authenticator, CsrfCheck } from "../../ports.ts";
import type { ServerState } from "../../state/state.ts";
import type { KubernetesAddress } from "./account-token.ts";
import { cliLoginOf, CliLogins } from "./logins.ts";
import { CliAccounts } from "./reconcile.ts";

/** Options of command-line sign-in. */
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

/** Creates command-line sign-in. */
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
        if (!signal.aborted) logger.warn("failed to remove ended sign-ins", { error: describeError(error) });
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
