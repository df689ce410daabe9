import {
  allRoutes,
  buildDocsPage,
  buildOpenApi,
  getDocs,
  getMe,
  getMyTeams,
  getOpenApi,
  getVersion,
  healthz,
  readyz,
} from "@butler/contract";
import { JsonText } from "../http/answer.ts";
import { type Handler, handle } from "../http/handler.ts";
import { RouteProblem } from "../http/problem.ts";
import type { SignedIn } from "../ports.ts";
import type { HandlerContext } from "./handler-context.ts";

function independent(handler: Handler): Handler {
  return { ...handler, isIndependent: true };
}

/** Handlers for the server itself and the signed-in user. */
export function systemHandlers({ state, version, isReady }: HandlerContext): Handler[] {
  const openApi = new JsonText(JSON.stringify(buildOpenApi(allRoutes, version)));
  const docs = buildDocsPage(allRoutes, version);
  const teamsOf = (caller: SignedIn) => ({
    teams: state.membershipsOf(caller).map(({ name, role }) => ({ name, role })),
    isPlatformAdmin: caller.platformRole === "admin",
  });
  return [
    independent(handle(healthz, () => "ok\n")),
    independent(
      handle(readyz, () => {
        if (isReady()) return "ok\n";
        throw new RouteProblem("UNAVAILABLE", "the server is starting, stopping, or has no connection to Kubernetes", {
          retryAfterSeconds: 5,
        });
      }),
    ),
    independent(handle(getVersion, () => ({ version, api: "v1" }))),
    independent(handle(getOpenApi, () => openApi)),
    independent(handle(getDocs, () => docs)),
    handle(getMyTeams, ({ caller }) => teamsOf(caller)),
    handle(getMe, ({ caller }) => {
      const { person, displayName, picture, platformRole } = caller;
      return {
        email: person.email,
        name: displayName ?? person.email,
        ...(picture === undefined ? {} : { picture }),
        ...teamsOf(caller),
        ...(platformRole === undefined ? {} : { platformRole }),
      };
    }),
  ];
}
