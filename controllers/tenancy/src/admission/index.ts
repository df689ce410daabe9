/**
 * Validates creates, updates and deletes before the API server stores them: a pure decision for each kind, and the
 * handlers that read its input from the API server itself, never from a cache. When reading fails, the
 * request is rejected. Rules for other kinds are beside their controllers.
 */
export { type TenancyAdmissionOptions, tenancyAdmission, tenancyAdmissionPermissions } from "./tenancy-admission.ts";
