import { z } from "zod";

const defaultPlugins = [
  "CertificateApproval",
  "CertificateSigning",
  "CertificateSubjectRestriction",
  "DefaultIngressClass",
  "DefaultStorageClass",
  "DefaultTolerationSeconds",
  "LimitRanger",
  "MutatingAdmissionWebhook",
  "NamespaceLifecycle",
  "NodeRestriction",
  "PersistentVolumeClaimResize",
  "PodSecurity",
  "Priority",
  "ResourceQuota",
  "RuntimeClass",
  "ServiceAccount",
  "StorageObjectInUseProtection",
  "TaintNodesByCondition",
  "ValidatingAdmissionWebhook",
] as const;

const furtherPlugins = [
  "AlwaysAdmit",
  "AlwaysDeny",
  "AlwaysPullImages",
  "ClusterTrustBundleAttest",
  "DenyEscalatingExec",
  "DenyExecOnPrivileged",
  "DenyServiceExternalIPs",
  "EventRateLimit",
  "ExtendedResourceToleration",
  "ImagePolicyWebhook",
  "LimitPodHardAntiAffinityTopology",
  "MutatingAdmissionPolicy",
  "NamespaceAutoProvision",
  "NamespaceExists",
  "OwnerReferencesPermissionEnforcement",
  "PersistentVolumeLabel",
  "PodNodeSelector",
  "PodSecurityPolicy",
  "PodTolerationRestriction",
  "SecurityContextDeny",
  "ValidatingAdmissionPolicy",
] as const;

const plugin = z.enum([...defaultPlugins, ...furtherPlugins]);

/** The `admissionControllers` field: plug-ins that the tenant's API server runs beside its built-in ones. */
export const admissionControllers = () =>
  z
    .array(plugin)
    .default([...defaultPlugins])
    .describe("Admission plug-ins that the tenant's API server switches on.");
