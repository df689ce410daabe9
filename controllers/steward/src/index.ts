/**
 * Steward: Kubernetes control planes that run as pods of the management cluster. TenantControlPlanes and their stores,
 * the objects inside tenants, their exposure, and the Cluster API provider.
 */
export * from "./control-plane-provider/index.ts";
export * from "./data-store/index.ts";
export { optionalExposureKinds } from "./exposure/index.ts";
export * from "./sni-gateway/index.ts";
export * from "./tenant-control-plane/index.ts";
export { TenantSides, type TenantSidesOptions } from "./tenant-side/index.ts";
