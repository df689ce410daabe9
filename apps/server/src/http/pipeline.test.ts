import { createTeam } from "@butler/contract";
import type { ApiClient } from "@butler/kube";
import { systemClock, Unavailable } from "@butler/std";
import { silentLogger } from "@butler/telemetry";
import { describe, expect, it } from "vitest";
import type { AuditRecord, AuditSink, SignedIn } from "../ports.ts";
import type { ServerState } from "../state/state.ts";
import { type Outcome, runPipeline } from "./pipeline.ts";

const root: SignedIn = { person: { email: "root@example.com", groups: [] }, platformRole: "admin" };

/** Creates a team; returns the audit records and effects in order, and the response. */
async function makeTeam(faults: { readonly begin?: boolean; readonly commit?: boolean; readonly run?: boolean } = {}) {
  const done: string[] = [];
  const keep =
    (phase: "begin" | "commit") =>
    ({ statusCode }: AuditRecord): Promise<void> => {
      if (faults[phase] === true) return Promise.reject(new Unavailable("the audit log is full"));
      done.push(`${phase} ${statusCode}`);
      return Promise.resolve();
    };
  const audit: AuditSink = { begin: keep("begin"), commit: keep("commit") };
  const parts = {
    state: {} as ServerState,
    client: {} as ApiClient,
    authenticate: () => Promise.resolve(root),
    checkCsrf: () => true,
    audit,
    clock: systemClock,
    logger: silentLogger,
    requestTimeoutMs: 1_000,
    checkAnswers: false,
  };
  const run = (): Promise<unknown> => {
    done.push("run");
    return faults.run === true ? Promise.reject(new Unavailable("away")) : Promise.resolve({});
  };
  const outcome = await runPipeline(
    parts,
    { route: createTeam, run },
    {
      request: { method: "POST", url: "/api/teams", headers: {}, sourceAddress: "192.0.2.1" },
      requestId: "1",
      params: {},
      query: {},
      bodyText: '{"name":"payments"}',
      setHeader: () => undefined,
    },
  );
  return { done, answer: answerOf(outcome) };
}

function answerOf(outcome: Outcome): number | string {
  return "problem" in outcome ? outcome.problem.code : outcome.status;
}

describe("a change", () => {
  it("is audited before it is made, and again with its outcome", async () => {
    expect(await makeTeam()).toEqual({ done: ["begin 0", "run", "commit 201"], answer: 201 });
    expect(await makeTeam({ run: true })).toEqual({ done: ["begin 0", "run", "commit 503"], answer: "UNAVAILABLE" });
  });

  it("is not made if it cannot be audited", async () => {
    expect(await makeTeam({ begin: true })).toEqual({ done: [], answer: "UNAVAILABLE" });
  });

  it("is not acknowledged if its outcome cannot be audited", async () => {
    expect(await makeTeam({ commit: true })).toEqual({ done: ["begin 0", "run"], answer: "UNAVAILABLE" });
  });
});
