import type { Route, RouteAnswer } from "@butler/contract";
import type { Clock } from "@butler/std";
import { auditRecordOf } from "../../http/audit.ts";
import { type Call, type Handler, handle } from "../../http/handler.ts";
import { problemOf, RouteProblem } from "../../http/problem.ts";
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
  /** Headers of the response; sent only after the audit record is stored. */
  readonly headers: [name: string, value: string | readonly string[]][];
}

/** Dependencies of audited routes. */
export interface AuditedParts {
  readonly audit: AuditSink;
  readonly clock: Clock;
  readonly publicUrl: string;
}

/**
 * A handler of a public route whose every attempt is audited. Writes are accepted from the server's own pages only, so
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

interface Outcome {
  readonly call: Pick<Call<Route>, "request" | "requestId">;
  readonly trail: Trail;
  readonly status: number;
  readonly code: string | undefined;
}

async function commit({ audit, clock }: AuditedParts, route: Route, outcome: Outcome): Promise<void> {
  const { call, trail, status, code } = outcome;
  if (route.audit === "none") return;
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
