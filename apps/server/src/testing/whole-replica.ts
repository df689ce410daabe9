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
import { startWholeServer } from "../whole-server.ts";
import { placeOf } from "./server-for-tests.ts";

/** One server with everything in it, and everything that it lets out. */
export interface WholeReplica {
  readonly url: string;
  readonly server: RunningServer;
  readonly state: ServerState;
  readonly signIn: SignIn;
  readonly audit: Audit;
  readonly metrics: MetricsRegistry;
  /** Lines of its log. */
  readonly logs: string[];
  /** Lines of its audit log. */
  readonly auditLines: string[];
  stop(): Promise<void>;
}

/** What can be different about a server. */
export interface ReplicaOptions {
  readonly server?: Partial<ServerOptions>;
  readonly signIn?: Partial<SignInOptions>;
  readonly publicUrl?: string;
  /** How often one person may try a code of a command line. */
  readonly codeLimit?: RateLimit;
}

/** Limits that no test meets by accident. */
export const looseLimits = {
  normal: { burst: 100_000, perSecond: 100_000 },
  strict: { burst: 100_000, perSecond: 100_000 },
} as const;

/** What servers share. */
export interface ReplicaContext {
  readonly cluster: TestCluster;
  readonly authority: CertificatePair;
  readonly time: { offsetMs: number };
  readonly echoPort: number;
}

/** Starts one server: the one that is shipped, with terminals that lead to a stand-in for the kubelet. */
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

/** The machine's clock, moved on by as much as a test wants; what waits on timers goes by the machine's own. */
function movedClock(time: { readonly offsetMs: number }): Clock {
  return {
    now: () => new Date(Date.now() + time.offsetMs),
    // Never back, whatever a test does with the time of day.
    monotonicMs: () => performance.now(),
    after: (delayMs, run) => {
      const handle = setTimeout(run, Math.min(delayMs, 2_000_000_000));
      return { cancel: () => clearTimeout(handle) };
    },
  };
}
