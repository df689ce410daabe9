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

/** The `admissionControllers` field: admission plugins enabled in the tenant's API server. */
export const admissionControllers = () =>
  z
    .array(plugin)
    .default([...defaultPlugins])
    .describe("Admission plugins enabled in the tenant's API server.");
