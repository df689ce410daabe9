import type { CertificatePair } from "@butler/pki";
import type { Clock } from "@butler/std";
import { createLogger, MetricsRegistry } from "@butler/telemetry";
import type { TestCluster } from "@butler/testkit";
import { WebSocket } from "ws";
import type { Audit } from "../audit/create-audit.ts";
import type { RateLimit } from "../http/rate-limit.ts";
import type { SignIn, SignInOptions } from "../identity/sign-in/create-sign-in.ts";
import type { RunningServer, ServerOptions } from "../start-server.ts";
import type { ServerState } from "../state/state.ts";
import { startWholeServer, type WholeServerOptions } from "../whole-server.ts";
import { placeOf } from "./server-for-tests.ts";

/** A complete server and its output. */
export interface WholeReplica {
  readonly url: string;
  readonly server: RunningServer;
  readonly state: ServerState;
  readonly signIn: SignIn;
  readonly audit: Audit;
  readonly metrics: MetricsRegistry;
  /** Log lines. */
  readonly logs: string[];
  /** Audit log lines. */
  readonly auditLines: string[];
  stop(): Promise<void>;
}

/** Options of a server. */
export interface ReplicaOptions {
  readonly server?: Partial<ServerOptions & Pick<WholeServerOptions, "config">>;
  readonly signIn?: Partial<SignInOptions>;
  readonly publicUrl?: string;
  /** How often a user may try a device code. */
  readonly codeLimit?: RateLimit;
}

/** Limits that tests do not reach by accident. */
export const looseLimits = {
  normal: { burst: 100_000, perSecond: 100_000 },
  strict: { burst: 100_000, perSecond: 100_000 },
} as const;

/** Resources shared by the servers. */
export interface ReplicaContext {
  readonly cluster: TestCluster;
  readonly authority: CertificatePair;
  readonly time: { offsetMs: number };
  readonly echoPort: number;
}

/** Starts one server as shipped, with terminals that connect to a fake kubelet. */
export async function startWholeReplica(context: ReplicaContext, options: ReplicaOptions): Promise<WholeReplica> {
  const { cluster, authority, time, echoPort } = context;
  const [logs, auditLines]: [string[], string[]] = [[], []];
  const metrics = new MetricsRegistry();
  const server = await startWholeServer({
    ...placeOf(cluster),
    tenants: { clientFor: () => Promise.resolve(cluster.client) },
    port: 0,
    clock: movedClock(time),
    logger: createLogger({ level: "debug", write: (line) => void logs.push(line) }),
    metrics,
    publicUrl: options.publicUrl ?? "",
    terminalImage: { image: "registry.example.com/terminal:1" },
    exec: () => Promise.resolve(new WebSocket(`ws://127.0.0.1:${echoPort}`)),
    terminals: { sweepEveryMs: 1_000 },
    auditing: { write: (line) => void auditLines.push(line) },
    signIn: {
      passwordCost: 4,
      failureMs: 100,
      outgoing: { allowLoopback: true, authorities: authority.cert },
      ...options.signIn,
    },
    commandLines: options.codeLimit === undefined ? {} : { codeLimit: options.codeLimit },
    rateLimits: looseLimits,
    ...options.server,
  });
  const { url, state, signIn, audit } = server;
  let ending: Promise<void> | undefined;
  const stop = (): Promise<void> => (ending ??= server.close());
  return { url, server, state, signIn, audit, metrics, logs, auditLines, stop };
}

/** The system clock plus the offset of the test; timers use the real clock. */
function movedClock(time: { readonly offsetMs: number }): Clock {
  return {
    now: () => new Date(Date.now() + time.offsetMs),
    // Never goes backwards, whatever a test sets.
    monotonicMs: () => performance.now(),
    after: (delayMs, run) => {
      const handle = setTimeout(run, Math.min(delayMs, 2_000_000_000));
      return { cancel: () => clearTimeout(handle) };
    },
  };
}
