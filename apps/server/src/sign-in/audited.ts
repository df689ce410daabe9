import type { Route, RouteAnswer } from "@butler/contract";
import type { Clock } from "@butler/std";
import { auditRecordOf } from "../http/audit.ts";
import { type Call, type Handler, handle } from "../http/handler.ts";
import { problemOf, RouteProblem } from "../http/problem.ts";
import type { AuditSink } from "../ports.ts";
import { isSameOrigin } from "../sessions/cookies.ts";

/** What a route that nobody has to be signed in for leaves behind: who it turned out to be, and what the browser gets. */
export interface Trail {
  /** E-mail address of whoever it turned out to be. What somebody has only typed never gets here: it may be a password. */
  email?: string;
  /** Name of the account. */
  account?: string;
  /** Why it was refused, where the answer itself does not say so. */
  refusal?: string;
  /** Whether it is only what every open page does every few minutes; then nothing is recorded unless it fails. */
  isRoutine?: boolean;
  /** Headers of the answer; they are sent only once the record is kept. */
  readonly headers: [name: string, value: string | readonly string[]][];
}

/** What such routes are recorded with. */
export interface AuditedParts {
  readonly audit: AuditSink;
  readonly clock: Clock;
  readonly publicUrl: string;
}

/**
 * A handler of a route that nobody has to be signed in for, whose every try is recorded. What changes something is taken
 * from the server's own pages only, lest somebody else's page signs a person in as somebody they are not.
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
        throw new RouteProblem("CSRF_FAILED", "the request does not come from Butler's own pages");
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
