import {
  approveDevice,
  denyDevice,
  endCliLogin,
  listCliLogins,
  type ProblemCode,
  problemCodes,
  refreshCli,
  revokeCli,
  type Route,
  showDevice,
  startDevice,
  takeDeviceToken,
} from "@butler/contract";
import type { User } from "@butler/api";
import type { CliLogin } from "../cli-access/login.ts";
import { cliLoginOf } from "../cli-access/logins.ts";
import type { Stored } from "../cli-access/secret-records.ts";
import { auditRecordOf } from "../../http/audit.ts";
import { type Call, type Handler, handle } from "../../http/handler.ts";
import { RouteProblem } from "../../http/problem.ts";
import type { AuditSink, SignedIn } from "../../ports.ts";
import type { ServerState } from "../../state/state.ts";
import type { DeviceFlow } from "./device-flow.ts";
import type { DeviceGrant } from "./grant.ts";

/** Dependencies of the handlers. */
export interface DeviceParts {
  readonly flow: DeviceFlow;
  readonly audit: AuditSink;
  readonly state: ServerState;
  readonly now: () => Date;
}

/** Sign-ins from command lines. */
export function deviceHandlers(parts: DeviceParts): Handler[] {
  const { flow } = parts;
  const { logins } = flow;
  return [
    handle(startDevice, ({ body, request, signal }) =>
      flow.start({ clientName: body.client_name ?? "", sourceAddress: request.sourceAddress }, signal),
    ),
    handle(takeDeviceToken, async (call) => {
      const { login, credentials } = await flow.poll(call.body.device_code, call.signal);
      await recordLogin(parts, takeDeviceToken, { call, login });
      return credentials;
    }),
    handle(showDevice, async ({ caller, query, signal }) => {
      const user = accountOf(parts, caller);
      const { value } = await flow.findByUserCode(query.user_code, { asker: caller.person.email, signal });
      return requestView(value, flow.grantsOf(user));
    }),
    ...([approveDevice, denyDevice] as const).map((route) =>
      handle(route, async ({ caller, body, signal, note }) => {
        const user = accountOf(parts, caller);
        const decision = route === approveDevice ? "approved" : "denied";
        const asked = await flow.findByUserCode(body.user_code, { asker: caller.person.email, signal });
        note({ name: asked.value.clientName });
        return requestView(await flow.decide(asked, { user, decision }, signal), flow.grantsOf(user));
      }),
    ),
    handle(refreshCli, async (call) => {
      const { login, credentials } = await logins.refresh(call.body.refresh_token, call.signal, (reused) =>
        recordLogin(parts, refreshCli, { call, login: reused, code: "INVALID_GRANT" }),
      );
      await recordLogin(parts, refreshCli, { call, login });
      return credentials;
    }),
    handle(revokeCli, async (call) => {
      const login = await logins.revoke(call.body.refresh_token, call.signal);
      if (login !== undefined) await recordLogin(parts, revokeCli, { call, login });
      return undefined;
    }),
    handle(listCliLogins, ({ caller }) => {
      const [user] = parts.state.accountsOf(caller.person.email);
      if (user === undefined) return { logins: [] };
      const current = cliLoginOf(caller);
      const views = logins.ofUser(user.metadata.uid ?? "").map((login) => {
        const expiresAt = logins.endOf(login.value, user).toISOString();
        return loginView(login, { expiresAt, isCurrent: login.id === current });
      });
      return { logins: views };
    }),
    handle(endCliLogin, async ({ caller, params, signal }) => {
      const own = logins.ofUser(uidOf(parts, caller)).find(({ id }) => id === params.name);
      if (own === undefined) throw new RouteProblem("NOT_FOUND", `CLI session ${params.name} not found`);
      await logins.records.remove(own.id, signal);
      return undefined;
    }),
  ];
}

/** An event of a sign-in, with a code if it failed. */
interface LoginEvent {
  readonly call: Pick<Call<Route>, "request" | "requestId">;
  readonly login: Stored<CliLogin>;
  readonly code?: ProblemCode;
}

/** These routes are public, so the pipeline does not know the user for the audit record. */
async function recordLogin(
  { audit, flow, now }: DeviceParts,
  route: Route,
  { call, login, code }: LoginEvent,
): Promise<void> {
  if (route.audit === "none") return;
  const email = flow.emailOf(login.value);
  await audit.commit(
    auditRecordOf({
      rule: route.audit,
      request: call.request,
      requestId: call.requestId,
      caller: { person: { email, groups: [] } },
      params: {},
      body: undefined,
      note: { name: login.id },
      team: undefined,
      status: code === undefined ? route.status : problemCodes[code].status,
      code,
      now: now(),
    }),
  );
}

/** The account of the approving user. A command line cannot approve another one: a stolen token must not multiply. */
function accountOf({ state }: DeviceParts, caller: SignedIn): User {
  if (cliLoginOf(caller) !== undefined) {
    throw new RouteProblem("FORBIDDEN", "CLI sign-ins must be approved in a browser");
  }
  const [user] = state.accountsOf(caller.person.email);
  if (user === undefined) throw new RouteProblem("FORBIDDEN", "no account found for your email address");
  return user;
}

function uidOf({ state }: DeviceParts, caller: SignedIn): string {
  return state.accountsOf(caller.person.email)[0]?.metadata.uid ?? "";
}

function requestView(grant: DeviceGrant, grants: readonly string[]) {
  const { clientName, sourceAddress, createdAt, expiresAt, state } = grant;
  return { clientName, sourceAddress, requestedAt: createdAt, expiresAt, state, grants: [...grants] };
}

function loginView({ id, value }: Stored<CliLogin>, more: { readonly expiresAt: string; readonly isCurrent: boolean }) {
  const { clientName, sourceAddress, createdAt, refreshedAt } = value;
  return { id, clientName, sourceAddress, createdAt, lastUsedAt: refreshedAt, ...more };
}
