/**
 * The API of butler-server as data: every route with its path, schemas, permission and problems. The server's checks,
 * the typed client, the OpenAPI document and the reference are all derived from it.
 */
export * from "./all-pages.ts";
export * from "./all-routes.ts";
export * from "./client.ts";
export * from "./docs-page.ts";
export * from "./live/brief-cluster.ts";
export * from "./live/connect-live.ts";
export * from "./live/live-state.ts";
export * from "./live/messages.ts";
export * from "./live/ticket.ts";
export * from "./markdown.ts";
export * from "./openapi.ts";
export * from "./paging.ts";
export * from "./permission.ts";
export * from "./problem.ts";
export * from "./route.ts";
export * from "./routes/addons.ts";
export * from "./routes/auth-account.ts";
export * from "./routes/auth.ts";
export * from "./routes/audit.ts";
export * from "./routes/catalog.ts";
export * from "./routes/certificates.ts";
export * from "./routes/cluster-bodies.ts";
export * from "./routes/clusters.ts";
export * from "./routes/device.ts";
export * from "./routes/hosting.ts";
export * from "./routes/identity-providers.ts";
export * from "./routes/infrastructure.ts";
export * from "./routes/members.ts";
export * from "./routes/platform.ts";
export * from "./routes/providers.ts";
export * from "./routes/system.ts";
export * from "./routes/team-bodies.ts";
export * from "./routes/teams.ts";
export * from "./routes/terminal.ts";
export * from "./routes/users.ts";
export * from "./views/addon.ts";
export { platformAddons } from "./views/platform-addons.ts";
export * from "./views/cluster.ts";
export * from "./views/kubernetes-versions.ts";
export * from "./views/object.ts";
export * from "./views/team.ts";
