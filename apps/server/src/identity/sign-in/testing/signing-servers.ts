import { allResources, namespaces } from "@butler/api";
import { type CertificatePair, createAuthority } from "@butler/pki";
import { NotFound, Unavailable } from "@butler/std";
import { aTestCluster, type TestCluster } from "@butler/testkit";
import type { AuditRecord, AuditSink } from "../../../ports.ts";
import { type RunningServer, startServer } from "../../../start-server.ts";
import { ServerState } from "../../../state/state.ts";
import { createSignIn, type SignIn, type SignInOptions } from "../create-sign-in.ts";
import { Browser } from "./browser.ts";

/** One of several servers on the same API server, each with its own memory. */
export interface Replica {
  readonly url: string;
  readonly signIn: SignIn;
  readonly state: ServerState;
  stop(): Promise<void>;
}

/** Servers with real sign-in. */
export interface SigningServers {
  readonly cluster: TestCluster;
  readonly authority: CertificatePair;
  readonly records: AuditRecord[];
  /** Makes audit writes fail. */
  readonly faults: { audit: boolean };
  /** Starts another server. */
  start(options?: Partial<SignInOptions>): Promise<Replica>;
  browser(): Browser;
  stop(): Promise<void>;
}

/** Host of all test servers; browsers store cookies by host. */
export const host = "127.0.0.1";

/** Starts an API server for servers with real sign-in. */
export async function startSigningServers(): Promise<SigningServers> {
  const cluster = await aTestCluster({ resources: allResources });
  const replicas: Replica[] = [];
  const records: AuditRecord[] = [];
  const faults = { audit: false };
  const audit: AuditSink = {
    commit: (record) => {
      if (faults.audit) return Promise.reject(new Unavailable("the audit log is full"));
      records.push(record);
      return Promise.resolve();
    },
  };
  const stop = async (): Promise<void> => {
    await Promise.all(replicas.map((replica) => replica.stop()));
    await cluster.stop();
  };
  try {
    await cluster.createNamespace(namespaces.system);
    const authority = await createAuthority("tests");
    return {
      cluster,
      authority,
      records,
      faults,
      start: async (options = {}) => {
        const replica = await startReplica(cluster, audit, {
          passwordCost: 4,
          failureMs: 100,
          outgoing: { allowLoopback: true, authorities: authority.cert },
          ...options,
        });
        replicas.push(replica);
        return replica;
      },
      browser: () => new Browser(authority.cert),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startReplica(
  { client }: TestCluster,
  audit: AuditSink,
  options: Partial<SignInOptions>,
): Promise<Replica> {
  const over = new AbortController();
  const state = new ServerState(client);
  const signIn = createSignIn({ client, state, audit, ...options });
  let server: RunningServer | undefined;
  const stop = async (): Promise<void> => {
    await server?.close();
    over.abort();
    await state.caches.stopped();
    await signIn.close();
  };
  try {
    await state.start(over.signal);
    await signIn.start(over.signal);
    server = await startServer({
      client,
      state,
      audit,
      port: 0,
      authenticate: signIn.authenticate,
      checkCsrf: signIn.checkCsrf,
      handlers: signIn.handlers,
      tenants: { clientFor: () => Promise.reject(new NotFound("no tenant runs in this test")) },
      rateLimits: { normal: { burst: 10_000, perSecond: 10_000 }, strict: { burst: 10_000, perSecond: 10_000 } },
      checkAnswers: true,
    });
    return { url: server.url, signIn, state, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Sends JSON as a page of the server would: with its cookies and the CSRF token among them. */
export function post(browser: Browser, address: string, body?: unknown): Promise<Response> {
  return change(browser, address, { method: "POST", body });
}

/** The same with any method. */
export function change(
  browser: Browser,
  address: string,
  { method, body }: { readonly method: string; readonly body?: unknown },
): Promise<Response> {
  const csrf = browser.cookie(host, "butler_csrf");
  return browser.send(address, {
    method,
    headers: {
      ...(csrf === undefined ? {} : { "x-butler-csrf": csrf }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}
