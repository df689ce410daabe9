/**
 * What may be made, changed and deleted, judged before the API server stores it: a pure decision for each kind, and the
 * handlers that read what it needs from the API server itself, never from a cache behind it. Whatever goes wrong while
 * reading, the request is refused.
 */
export { type TenancyAdmissionOptions, tenancyAdmission, tenancyAdmissionPermissions } from "./tenancy-admission.ts";
export type { SupportedSystems } from "./tenant-cluster/input.ts";
