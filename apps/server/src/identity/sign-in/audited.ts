import type { Route, RouteAnswer } from "@butler/contract";
import type { Clock } from "@butler/std";
import { auditRecordOf } from "../../http/audit.ts";
import { type Call, type Handler, handle } from "../../http/handler.ts";
import { problemOf, RouteProblem } from "../../http/problem.ts";
import type { RecordLimits } from "../../audit/record-limits.ts";
import type { AuditSink } from "../../ports.ts";
import { isSameOrigin } from "../sessions/cookies.ts";

/** The outcome of a public route: the user that it identified, and the headers of the response. */
export interface Trail {
  /** Email address of the identified user. Never unverified input, which may be a mistyped password. */
  email?: string;
  /** Name of the account. */
  account?: string;
  /** Why it was denied, if the response itself does not contain it. */
  refusal?: string;
  /** Whether it is a routine request that open pages make every few minutes; then only failures are audited. */
  isRoutine?: boolean;
  /** Whether the request tries to prove an identity: a password, or a token that was sent to someone. */
  isAttempt?: boolean;
  /** Headers of the response; sent only after the audit record is stored. */
  readonly headers: [name: string, value: string | readonly string[]][];
}

/** Dependencies of audited routes. */
export interface AuditedParts {
  readonly audit: AuditSink;
  readonly clock: Clock;
  readonly publicUrl: string;
  /** Which attempts without an identified user are recorded. */
  readonly recordLimits: RecordLimits;
}

/**
 * A handler of a public route that is audited with the user that it identified. Attempts to prove an identity that fail
 * are recorded up to a limit, and requests without any session are only counted: the log has limited space. Writes are accepted from the server's own pages only, so
 * that another site cannot sign a user in to an account that is not theirs.
 */
export function audited<R extends Route>(
  parts: AuditedParts,
  route: R,
  run: (call: Call<R>, trail: Trail) => Promise<RouteAnswer<R>>,
): Handler {
  return handle(route, async (call) => {
    const trail: Trail = { headers: [] };
    let answer: RouteAnswer<R>;
    try {
      if (route.method !== "GET" && !isSameOrigin(call.request, parts.publicUrl)) {
        throw new RouteProblem("CSRF_FAILED", "cross-origin requests are not allowed");
      }
      answer = await run(call, trail);
    } catch (error) {
      const { status, code } = problemOf(error, call.requestId);
      // Without the Kubernetes API there is nothing to write to, and nothing was decided.
      if (call.signal.aborted) throw error;
      await commit(parts, route, { call, trail, status, code });
      throw error;
    }
    const isRefused = trail.refusal !== undefined;
    if (trail.isRoutine !== true) {
      await commit(parts, route, { call, trail, status: isRefused ? 403 : route.status, code: trail.refusal });
    }
    for (const [name, value] of trail.headers) call.setHeader(name, value);
    return answer;
  });
}

/** Independent of whether an account exists: that must not show in the time of the response. */
function isRecorded({ recordLimits }: AuditedParts, action: string, { call, trail }: Outcome): boolean {
  if (trail.email !== undefined) return true;
  if (trail.isAttempt === true) return recordLimits.admitsFailure(action, call.request.sourceAddress);
  recordLimits.countAnonymous(action);
  return false;
}

interface Outcome {
  readonly call: Pick<Call<Route>, "request" | "requestId">;
  readonly trail: Trail;
  readonly status: number;
  readonly code: string | undefined;
}

async function commit(parts: AuditedParts, route: Route, outcome: Outcome): Promise<void> {
  const { audit, clock } = parts;
  const { call, trail, status, code } = outcome;
  if (route.audit === "none" || !isRecorded(parts, route.audit.action, outcome)) return;
  const caller = trail.email === undefined ? undefined : { person: { email: trail.email, groups: [] } };
  await audit.commit(
    auditRecordOf({
      rule: route.audit,
      request: call.request,
      requestId: call.requestId,
      caller,
      params: {},
      body: undefined,
      note: { name: trail.account },
      team: undefined,
      status,
      code,
      now: clock.now(),
    }),
  );
}
