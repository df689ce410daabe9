import { z } from "zod";
import { anybody, signedIn } from "../permission.ts";
import { defineRoute } from "../route.ts";
import { meView } from "./platform.ts";

const text = (doc: string) => z.string().describe(doc);

export const healthz = defineRoute({
  id: "system.health",
  method: "GET",
  path: "/healthz",
  summary: "Liveness check",
  permission: anybody,
  responses: { 200: text("`ok`.") },
  contentType: "text/plain",
  audit: "none",
});

export const readyz = defineRoute({
  id: "system.ready",
  method: "GET",
  path: "/readyz",
  summary: "Readiness check",
  permission: anybody,
  responses: { 200: text("`ok`. If the server is not ready, the request fails with UNAVAILABLE.") },
  contentType: "text/plain",
  audit: "none",
});

export const getVersion = defineRoute({
  id: "system.version",
  method: "GET",
  path: "/api/version",
  summary: "Get the server version",
  permission: anybody,
  responses: {
    200: z
      .object({ version: z.string().describe("Butler version."), api: z.string().describe("API version.") })
      .meta({ id: "Version", examples: [{ version: "0.1.0", api: "v1" }] }),
  },
  audit: "none",
});

export const getOpenApi = defineRoute({
  id: "system.openapi",
  method: "GET",
  path: "/api/openapi.json",
  summary: "Get the OpenAPI document",
  permission: anybody,
  responses: { 200: z.record(z.string(), z.unknown()).describe("OpenAPI 3.1 document.") },
  audit: "none",
});

export const getDocs = defineRoute({
  id: "system.docs",
  method: "GET",
  path: "/api/docs",
  summary: "Get the API documentation as HTML",
  permission: anybody,
  responses: { 200: text("Self-contained HTML page.") },
  contentType: "text/html",
  audit: "none",
});

export const getMe = defineRoute({
  id: "auth.me",
  method: "GET",
  path: "/api/auth/me",
  summary: "Get the signed-in user",
  permission: signedIn,
  responses: { 200: meView },
  audit: "none",
});

export const getMyTeams = defineRoute({
  id: "auth.teams",
  method: "GET",
  path: "/api/auth/teams",
  summary: "List the teams of the signed-in user",
  permission: signedIn,
  responses: { 200: meView.pick({ teams: true, isPlatformAdmin: true }) },
  audit: "none",
});

/** All routes for the server itself and the signed-in user. */
export const systemRoutes = [healthz, readyz, getVersion, getOpenApi, getDocs, getMe, getMyTeams] as const;
