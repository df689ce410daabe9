import type { AccessSubject } from "@butler/access";
import { type AuditRule, isWrite, type Problem, type Route } from "@butler/contract";
import type { ApiClient } from "@butler/kube";
import { Bug, type Clock, describeError } from "@butler/std";
import type { Logger } from "@butler/telemetry";
import type { RecordLimits } from "../audit/record-limits.ts";
import type { AuditRecord, AuditSink, Authenticator, CsrfCheck, IncomingRequest, SignedIn } from "../ports.ts";
import type { ServerState } from "../state/state.ts";
import { type AccessFacts, clientOf, findSubject, requireAccess } from "./access.ts";
import { auditRecordOf } from "./audit.ts";
import type { AuditNote, Call, Handler } from "./handler.ts";
import { parseJsonBody } from "./json-body.ts";
import { type ApiHealth, apiLost, until } from "../state/api-health.ts";
import { problemOf, RouteProblem } from "./problem.ts";

/** Dependencies of the request pipeline. */
export interface PipelineParts {
  readonly state: ServerState;
  /** With the server's own permissions. */
  readonly client: ApiClient;
  readonly authenticate: Authenticator;
  readonly checkCsrf: CsrfCheck;
  readonly audit: AuditSink;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly requestTimeoutMs: number;
  /** Whether the Kubernetes API responds; always, if not set. */
  readonly health?: Pick<ApiHealth, "isAvailable" | "lost"> | undefined;
  /** Which refused requests are recorded; all, if not set. */
  readonly recordLimits?: Pick<RecordLimits, "admitsRefusal"> | undefined;
  /** Validates every response against the contract: for tests. */
  readonly checkAnswers: boolean;
}

/** A request as received: untrusted. */
export interface RawRequest {
  readonly request: IncomingRequest;
  readonly requestId: string;
  readonly params: unknown;
  readonly query: unknown;
  /** The body's text; empty when there is none. */
  readonly bodyText: string;
  readonly setHeader: (name: string, value: string | readonly string[]) => void;
}

/** Outcome of a request. */
export type Outcome =
  | { readonly status: number; readonly body: unknown }
  | { readonly problem: Problem; readonly retryAfterSeconds?: number | undefined };

/** The facts known about a request so far; the audit record of a failed request is built from them. */
interface Progress {
  caller: SignedIn | undefined;
  params: Record<string, unknown>;
  body: unknown;
  subject: AccessSubject | undefined;
  note: AuditNote;
  /** The request was rejected because it could not be audited. */
  isRefused: boolean;
  /** The intent was recorded. */
  isAnnounced: boolean;
}

/** Processes a request: authenticate, check CSRF, authorize, validate, run, audit. */
export async function runPipeline(parts: PipelineParts, handler: Handler, raw: RawRequest): Promise<Outcome> {
  const progress: Progress = {
    caller: undefined,
    params: {},
    body: undefined,
    subject: undefined,
    note: {},
    isRefused: false,
    isAnnounced: false,
  };
  let outcome: Outcome;
  try {
    outcome = { status: handler.route.status, body: await perform(parts, handler, { raw, progress }) };
  } catch (error) {
    outcome = failureOf(parts, error, raw);
  }
  try {
    await until(parts.health?.lost, record(parts, handler.route, { raw, progress, outcome }));
    return outcome;
  } catch (error) {
    parts.logger.error("failed to audit a request", { requestId: raw.requestId, error: describeError(error) });
    // A request that failed has changed nothing that its record would have to tell.
    if ("problem" in outcome && isLost(parts)) return outcome;
    const unrecorded = new RouteProblem("UNAVAILABLE", "the request was processed but could not be audited", {
      hint: "Check whether the change was made before you retry.",
    });
    return { problem: problemOf(unrecorded, raw.requestId) };
  }
}

interface Attempt {
  readonly raw: RawRequest;
  readonly progress: Progress;
}

async function perform(parts: PipelineParts, handler: Handler, attempt: Attempt): Promise<unknown> {
  const { raw, progress } = attempt;
  const { route, run } = handler;
  // Others would wait for an API that does not respond.
  if (handler.isIndependent !== true && isLost(parts)) throw apiLost();
  const caller = route.permission.kind === "public" ? undefined : await identify(parts, route, attempt);
  progress.params = route.params.parse(raw.params);
  const isJudgedByBody = route.permission.kind === "team" && route.permission.from === "body";
  if (isJudgedByBody) progress.body = readBody(route, raw.bodyText);
  const header = raw.request.headers["x-butler-team"];
  const headerTeam = typeof header === "string" && header !== "" ? header : undefined;
  const facts = findSubject(route, { params: progress.params, body: progress.body, headerTeam }, parts.state);
  // Set before the access check, so that denied requests are audited with their team.
  progress.subject = facts.subject;
  requireAccess(route, caller, facts);
  const query = route.query.parse(raw.query);
  if (!isJudgedByBody) progress.body = readBody(route, raw.bodyText);
  if (isWrite(route.method)) await announce(parts, route, attempt);
  const answer = await run(callOf(parts, attempt, { facts, query }));
  if (parts.checkAnswers) requireContract(route, answer);
  return answer;
}

/** The caller of a route that is not public. */
async function identify(parts: PipelineParts, route: Route, { raw, progress }: Attempt): Promise<SignedIn | undefined> {
  const lost = parts.health?.lost;
  const caller = await until(lost, parts.authenticate(raw.request));
  progress.caller = caller;
  await until(lost, requireMeant(parts, route, { caller, request: raw.request }));
  return caller;
}

async function requireMeant(
  { checkCsrf }: PipelineParts,
  route: Route,
  { caller, request }: { readonly caller: SignedIn | undefined; readonly request: IncomingRequest },
): Promise<void> {
  if (caller === undefined) throw new RouteProblem("UNAUTHENTICATED", "not signed in", { hint: "Sign in and retry." });
  if (!isWrite(route.method) || (await checkCsrf(request, caller))) return;
  throw new RouteProblem("CSRF_FAILED", "the CSRF token is missing or invalid", {
    hint: "Send the value of the butler_csrf cookie (__Host-butler_csrf over TLS) in the X-Butler-CSRF header.",
  });
}

function readBody(route: Route, text: string): unknown {
  if (route.body === undefined) return undefined;
  if (text === "") throw new RouteProblem("INVALID", "the request body is missing", { hint: "Send a JSON body." });
  return route.body.parse(parseJsonBody(text));
}

function isLost({ health }: PipelineParts): boolean {
  return health?.isAvailable === false;
}

/** Aborts when the request times out, or when the Kubernetes API is lost. */
function signalOf({ requestTimeoutMs, health }: PipelineParts): AbortSignal {
  const limit = AbortSignal.timeout(requestTimeoutMs);
  return health === undefined ? limit : AbortSignal.any([limit, health.lost]);
}

function callOf(
  parts: PipelineParts,
  { raw, progress }: Attempt,
  { facts, query }: { readonly facts: AccessFacts; readonly query: Record<string, unknown> },
): Call<Route> {
  const { state, client } = parts;
  return {
    params: progress.params,
    query,
    body: progress.body,
    request: raw.request,
    requestId: raw.requestId,
    subject: facts.subject,
    signal: signalOf(parts),
    note: (note) => (progress.note = { ...progress.note, ...note }),
    setHeader: raw.setHeader,
    get caller() {
      if (progress.caller === undefined) throw new Bug("the handler reads the caller, but the route is public");
      return progress.caller;
    },
    get cluster() {
      if (facts.cluster === undefined) throw new Bug("the handler reads the cluster, but the request has none");
      return facts.cluster;
    },
    get asPerson() {
      return clientOf(client, this.caller, { state, subject: facts.subject });
    },
  };
}

function requireContract(route: Route, answer: unknown): void {
  const isText = route.contentType !== "application/json";
  const value: unknown = isText || answer === undefined ? answer : JSON.parse(textOfAnswer(answer));
  const checked = route.answer.safeParse(value);
  if (!checked.success) throw new Bug(`the response of ${route.id} violates the contract: ${checked.error.message}`);
}

function textOfAnswer(answer: unknown): string {
  const text = typeof answer === "object" && answer !== null && "text" in answer ? answer.text : undefined;
  return typeof text === "string" ? text : JSON.stringify(answer);
}

function failureOf(parts: PipelineParts, found: unknown, { requestId }: RawRequest): Outcome {
  const { logger } = parts;
  const isOfLoss = isLost(parts) && problemOf(found, requestId).status >= 500;
  const error = isOfLoss ? apiLost() : found;
  const problem = problemOf(error, requestId);
  if (problem.status >= 500)
    logger.error("a request failed", { requestId, code: problem.code, error: describeError(error) });
  return { problem, retryAfterSeconds: error instanceof RouteProblem ? error.retryAfterSeconds : undefined };
}

/**
 * Audits the request before it runs, so that a change is on record even if the server dies before the outcome is
 * written.
 */
async function announce({ audit, clock, health }: PipelineParts, route: Route, attempt: Attempt): Promise<void> {
  const { caller } = attempt.progress;
  if (audit.begin === undefined || route.audit === "none" || caller === undefined) return;
  try {
    await until(health?.lost, audit.begin(recordOf(route.audit, { ...attempt, now: clock.now() })));
    attempt.progress.isAnnounced = true;
  } catch (error) {
    attempt.progress.isRefused = true;
    throw error;
  }
}

async function record(
  { audit, clock, recordLimits }: PipelineParts,
  route: Route,
  { outcome, ...attempt }: Attempt & { readonly outcome: Outcome },
): Promise<void> {
  // Unauthenticated requests change nothing; probing is counted in metrics, not audited here.
  if (route.audit === "none" || attempt.progress.caller === undefined || attempt.progress.isRefused) return;
  const { caller, isAnnounced } = attempt.progress;
  // What was refused before it began changed nothing, and must not fill the log.
  const isLimited = "problem" in outcome && !isAnnounced;
  if (isLimited && recordLimits?.admitsRefusal(route.audit.action, caller.person.email) === false) return;
  await audit.commit(recordOf(route.audit, { ...attempt, outcome, now: clock.now() }));
}

function recordOf(
  rule: AuditRule,
  { raw, progress, outcome, now }: Attempt & { readonly outcome?: Outcome; readonly now: Date },
): AuditRecord {
  const problem = outcome !== undefined && "problem" in outcome ? outcome.problem : undefined;
  const status = outcome !== undefined && "status" in outcome ? outcome.status : problem?.status;
  return auditRecordOf({
    rule,
    request: raw.request,
    requestId: raw.requestId,
    caller: progress.caller,
    params: progress.params,
    body: progress.body,
    note: progress.note,
    team: progress.subject?.team.metadata.name,
    // Before anything is done there is no status.
    status: status ?? 0,
    code: problem?.code,
    now,
  });
}
