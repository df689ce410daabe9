/**
 * The objects inside a tenant cluster: what it must contain so that nodes can join, and their reconciliation.
 *
 * - `tenantObjects` is pure: from a tenant's settings it renders cluster-info, kubeadm-config, kubelet-config, the
 *   permissions of bootstrap tokens and nodes, and CoreDNS and kube-proxy when enabled, as kubeadm of that minor
 *   version would create them.
 * - `TenantSides.keep` brings a tenant there and watches, by metadata alone and only what carries Steward's label, so that
 *   what is deleted or edited comes back. A Corefile that the tenant edited, and its number of CoreDNS pods, stay.
 * - Meanwhile kubelets' requests for serving certificates are approved or denied by `decideServingRequest`.
 *
 * Nothing here knows the TenantControlPlane or the management cluster.
 */
export { tenantObjects, type TenantObjectsInput } from "./objects/tenant-objects.ts";
export { type TenantSide, TenantSides, type TenantSidesOptions } from "./keeping/tenant-sides.ts";
