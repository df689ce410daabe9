/**
 * Butler's gateway: one address for all tenants that routes each connection by server name to its control plane,
 * without terminating TLS.
 */
export { type SniGatewayInstallation, sniGatewayManifests } from "./manifests.ts";
export { sniGatewayRole } from "./role.ts";
export { buildRouteTable } from "./route-table.ts";
export { SniGateway } from "./sni-gateway.ts";
