import { namespaces } from "@butler/api";
import { outgoingFetch, type OutgoingRules } from "@butler/administration/issuers";
import type { KubeConfig } from "@butler/kube";
import { type Clock, systemClock } from "@butler/std";
import { type Logger, MetricsRegistry, silentLogger } from "@butler/telemetry";
import { type Audit, type AuditOptions, createAudit } from "./audit/create-audit.ts";
import type { WebhookTarget } from "./audit/webhook.ts";
import type { KubernetesAddress } from "./identity/cli-access/account-token.ts";
import { type CliSignIn, type CliSignInOptions, createCliSignIn } from "./identity/cli-access/cli-sign-in.ts";
import { proxyTrust } from "./http/client-origin.ts";
import { createLive, type LiveServer } from "./live/create-live.ts";
import { ensureSharedKey } from "./live/shared-key.ts";
import { leaseTicketUses, sweepTicketUses } from "./live/ticket-uses.ts";
import type { SignedIn } from "./ports.ts";
import type { GroupSource } from "./identity/sign-in/group-source.ts";
import { createSignIn, type SignIn, type SignInOptions } from "./identity/sign-in/create-sign-in.ts";
import { type RunningServer, type ServerOptions, startServer } from "./start-server.ts";
import { ServerState } from "./state/state.ts";
import { type ExecDialer, kubernetesExec } from "./terminal/exec.ts";
import { terminalHandlers } from "./terminal/handlers.ts";
import type { TerminalImage } from "./terminal/manifests.ts";
import { Terminals, type TerminalsOptions } from "./terminal/terminals.ts";
import { acceptTerminals } from "./terminal/upgrade.ts";

/** Options of a server with all its parts. */
export interface WholeServerOptions extends Omit<
  ServerOptions,
  "authenticate" | "checkCsrf" | "audit" | "state" | "handlers" | "extend"
> {
  /** The server's own access to the management cluster. */
  readonly config: KubeConfig;
  /** Users' access to it. */
  readonly kubernetes: KubernetesAddress;
  /** Image of terminals; without it terminals are disabled. */
  readonly terminalImage?: TerminalImage | undefined;
  /** The way into terminals; through the Kubernetes API unless said otherwise. */
  readonly exec?: ExecDialer;
  readonly signIn?: Pick<SignInOptions, "times" | "outgoing" | "googleDirectoryUrl" | "passwordCost" | "failureMs">;
  readonly commandLines?: Pick<CliSignInOptions, "codeLimit">;
  readonly terminals?: Pick<TerminalsOptions, "mostPerPerson" | "sweepEveryMs">;
  /** Which addresses from settings may be connected to: identity providers and webhooks. */
  readonly outgoing?: OutgoingRules;
  readonly auditing?: Pick<AuditOptions, "retention" | "segmentBytes" | "giveUpMs" | "write" | "webhook">;
}

/** A listening server, and the parts of it that others use. */
export interface WholeServer extends RunningServer {
  readonly signIn: SignIn;
  readonly audit: Audit;
}

/** Independent parts, before any of them has started. */
interface Parts {
  readonly state: ServerState;
  readonly audit: Audit;
  readonly signIn: SignIn;
  readonly cli: CliSignIn;
  readonly live: LiveServer;
  readonly terminals: Terminals | undefined;
}

interface Surroundings {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
}

/** Composes all parts of a server, and starts listening. */
export async function startWholeServer(options: WholeServerOptions): Promise<WholeServer> {
  const { clock = systemClock, logger = silentLogger, metrics = new MetricsRegistry() } = options;
  const over = new AbortController();
  const keyNamed = (name: string): Promise<Uint8Array> =>
    ensureSharedKey(options.client, { name, namespace: namespaces.system });
  const keys = {
    liveKey: await keyNamed("butler-live-key"),
    auditKey: await keyNamed("butler-audit-webhook-key"),
    deviceKey: await keyNamed("butler-device-key"),
  };
  const parts = createParts(options, { clock, logger, metrics }, keys);
  const { state, audit, signIn, cli, live, terminals } = parts;
  const letGo = async (): Promise<void> => {
    over.abort();
    await state.caches.stopped();
    await signIn.close();
  };
  try {
    await state.start(over.signal);
    await signIn.start(over.signal);
    cli.start(over.signal);
    terminals?.start(over.signal);
    const auditing = audit.run(over.signal);
    const running = await startServer({
      ...options,
      clock,
      logger,
      metrics,
      state,
      audit: audit.sink,
      authenticate: async (request) => (await cli.authenticate(request)) ?? signIn.authenticate(request),
      checkCsrf: cli.checkCsrf(signIn.checkCsrf),
      handlers: () => [
        ...audit.handlers(),
        ...signIn.handlers(),
        ...cli.handlers,
        ...live.handlers(),
        ...(terminals === undefined ? [] : terminalHandlers(terminals)),
      ],
      extend: (app) => {
        live.extend(app);
        if (terminals === undefined) return;
        const { publicUrl = "", trustedProxies = [] } = options;
        const isTrustedProxy = proxyTrust(trustedProxies);
        const { authenticate } = signIn;
        acceptTerminals(app.server, { terminals, authenticate, publicUrl, isTrustedProxy, clock, logger });
        app.addHook("preClose", (done) => {
          terminals.drain();
          done();
        });
      },
    });
    const close = async (): Promise<void> => {
      await running.close();
      // The last requests have been audited by now.
      await terminals?.ended();
      await audit.close();
      await letGo();
      await auditing;
    };
    return { ...running, signIn, audit, close };
  } catch (error) {
    await letGo();
    throw error;
  }
}

/** What all replicas share. */
interface SharedKeys {
  readonly liveKey: Uint8Array;
  /** Key that signs posts of the audit log; receivers read it from its Secret. */
  readonly auditKey: Uint8Array;
  /** Key of the cookies of known devices; deleting its Secret makes all devices unknown. */
  readonly deviceKey: Uint8Array;
}

function createParts(options: WholeServerOptions, around: Surroundings, keys: SharedKeys): Parts {
  const { liveKey, auditKey, deviceKey } = keys;
  const { client, tenants, publicUrl = "", kubernetes, terminalImage } = options;
  const { clock, logger, metrics } = around;
  const namespace = namespaces.system;
  const state = new ServerState(client, { logger, metrics });
  const webhook = (): Promise<WebhookTarget | undefined> => {
    const url = state.config?.spec.audit?.webhookURL ?? "";
    return Promise.resolve(url === "" ? undefined : { url, key: Buffer.from(auditKey).toString("base64") });
  };
  const { outgoing = {} } = options;
  // The URL of a webhook may be plain HTTP; its posts are signed.
  const post = outgoingFetch({ ...outgoing, allowPlain: true, timeoutMs: 15_000 });
  const audit = createAudit({ client, state, namespace, clock, logger, metrics, webhook, post, ...options.auditing });
  const common = { client, state, audit: audit.sink, clock, logger };
  const groups: GroupSource = {
    canAsk: (user) => signIn.groups.canAsk(user),
    ask: (user, signal) => signIn.groups.ask(user, signal),
  };
  const cli = createCliSignIn({ ...options.commandLines, ...common, metrics, publicUrl, kubernetes, groups });
  const signIn = createSignIn({
    ...options.signIn,
    outgoing: { ...outgoing, ...options.signIn?.outgoing },
    deviceKey,
    ...common,
    metrics,
    publicUrl,
    // Signing a user out everywhere includes their command lines.
    alsoEnd: (uid, signal) => cli.endAll(uid, signal),
  });
  const tickets = { client, namespace, clock };
  const sessions = { find: signIn.current, onChange: signIn.onSessionsChanged };
  const live = createLive({
    state,
    sessions,
    uses: leaseTicketUses(tickets),
    sweep: () => sweepTicketUses(tickets),
    keys: () => [liveKey],
    tenants,
    publicUrl,
    clock,
    logger,
    metrics,
  });
  const callerNow = (sessionId: string): SignedIn | undefined => signIn.current(sessionId);
  const exec = options.exec ?? kubernetesExec(options.config);
  const image = terminalImage;
  const terminals = image && new Terminals({ ...options.terminals, ...common, tenants, image, exec, callerNow });
  if (terminals !== undefined) signIn.onSessionsChanged(() => terminals.recheck());
  return { state, audit, signIn, cli, live, terminals };
}
