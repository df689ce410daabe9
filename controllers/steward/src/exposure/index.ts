/**
 * How a control plane is exposed: its Service, the objects in front of it, the announced endpoint, and which names its
 * certificate needs. Pure functions; the controller of TenantControlPlanes does with them what has to be done.
 */
export { announcedEndpoint, type AnnouncedEndpoint, type KnownEndpoint } from "./announced-endpoint.ts";
export { certificateNames } from "./certificate-names.ts";
export { claimedHostOf } from "./exposure-mode.ts";
export { exposureObjects } from "./exposure-objects.ts";
export { hostnameConflict } from "./hostname-claims.ts";
export { Ingress, optionalExposureKinds, Service } from "./kinds.ts";
export { planService } from "./service.ts";
export { validateExposure } from "./validate-exposure.ts";
