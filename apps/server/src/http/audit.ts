import type { AuditRecord, IncomingRequest, SignedIn } from "../ports.ts";
import type { AuditRule } from "@butler/contract";
import type { AuditNote } from "./handler.ts";
import { fieldPathsOf } from "./json-body.ts";

/** Input of an audit record. */
export interface AuditFacts {
  readonly rule: AuditRule;
  readonly request: IncomingRequest;
  readonly requestId: string;
  readonly caller: SignedIn | undefined;
  readonly params: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  readonly note: AuditNote;
  readonly team: string | undefined;
  readonly status: number;
  readonly code: string | undefined;
  readonly now: Date;
}

/** Path parameters that contain the target's name, most specific first. */
const nameParameters = ["addon", "email", "group", "environment", "user", "name", "team"] as const;

/** The record of a request. */
export function auditRecordOf(facts: AuditFacts): AuditRecord {
  const { rule, request, params, note } = facts;
  const text = (name: string): string | undefined => (typeof params[name] === "string" ? params[name] : undefined);
  const named = nameParameters.map(text).find((value) => value !== undefined);
  return {
    timestamp: facts.now.toISOString(),
    requestId: facts.requestId,
    user: facts.caller?.person.email.toLowerCase() ?? "",
    action: rule.action,
    resourceType: rule.kind,
    resourceName: note.name ?? named ?? "",
    resourceNamespace: note.namespace ?? text("namespace") ?? "",
    teamRef: note.team ?? facts.team ?? text("team") ?? "",
    httpMethod: request.method,
    path: request.url.split("?", 1)[0] ?? "",
    statusCode: facts.status,
    success: isSuccess(facts.status),
    code: facts.code ?? "",
    fields: fieldPathsOf(facts.body),
    sourceIP: request.sourceAddress,
  };
}

/** The status of an intent is 0. */
function isSuccess(status: number): boolean {
  return status >= 200 && status < 400;
}
