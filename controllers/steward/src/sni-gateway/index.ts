/**
 * Butler's own gateway: one address for all tenants, which leads each connection to the control plane whose server name the
 * client asks for, without ending TLS.
 */
export { type SniGatewayInstallation, sniGatewayManifests } from "./manifests.ts";
export { sniGatewayRole } from "./role.ts";
export { buildRouteTable } from "./route-table.ts";
export { SniGateway } from "./sni-gateway.ts";
