import { ButlerConfig, IdentityProvider } from "@butler/api";
import type { BadManifest } from "./bad-manifest.ts";
import { changeSpec, manifestOf } from "./change-manifest.ts";

const butlerConfig = manifestOf(ButlerConfig, "butler", {
  gitProvider: { type: "github", secretRef: { name: "github" } },
});

const identityProvider = manifestOf(IdentityProvider, "bad-identity-provider", {
  type: "oidc",
  oidc: {
    issuerURL: "https://login.example.com",
    clientID: "butler",
    clientSecretRef: { name: "oidc" },
    redirectURL: "https://butler.example.com/api/auth/callback",
  },
  platformRoleGroups: [{ name: "platform-team", role: "admin" }],
});

/** Broken ButlerConfigs and IdentityProviders. */
export const badPlatform: readonly BadManifest[] = [
  {
    name: "ButlerConfig: is not named butler",
    manifest: { ...butlerConfig, metadata: { name: "default" } },
    expect: "metadata.name must be butler: the platform reads a single ButlerConfig",
  },
  {
    name: "ButlerConfig: tenancy mode is in lower case",
    manifest: changeSpec(butlerConfig, "multiTenancy.mode", "enforced"),
    expect:
      'spec.multiTenancy.mode: Unsupported value: "enforced": supported values: "Enforced", "Optional", "Disabled"',
  },
  {
    name: "ButlerConfig: Ingress exposure without a hostname",
    manifest: changeSpec(butlerConfig, "controlPlaneExposure", { mode: "Ingress" }),
    expect: "spec.controlPlaneExposure.hostname: Required value: must be set to a wildcard domain such as",
  },
  {
    name: "ButlerConfig: Ingress exposure with an empty hostname",
    manifest: changeSpec(butlerConfig, "controlPlaneExposure", { mode: "Ingress", hostname: "" }),
    expect: "spec.controlPlaneExposure.hostname: Required value: must be set to a wildcard domain such as",
  },
  {
    name: "ButlerConfig: Gateway exposure without a hostname",
    manifest: changeSpec(butlerConfig, "controlPlaneExposure", { mode: "Gateway", gatewayRef: "gateways/tenants" }),
    expect: "spec.controlPlaneExposure.hostname: Required value: must be set to a wildcard domain such as",
  },
  {
    name: "ButlerConfig: Gateway exposure without a Gateway",
    manifest: changeSpec(butlerConfig, "controlPlaneExposure", { mode: "Gateway", hostname: "*.k8s.example.com" }),
    expect:
      "spec.controlPlaneExposure.gatewayRef: Required value: must be set to the namespace/name of the Gateway when mode is Gateway",
  },
  {
    name: "ButlerConfig: exposure mode is a Service type",
    manifest: changeSpec(butlerConfig, "controlPlaneExposure", { mode: "NodePort" }),
    expect:
      'spec.controlPlaneExposure.mode: Unsupported value: "NodePort": supported values: "LoadBalancer", "Ingress"',
  },
  {
    name: "ButlerConfig: ingress controller is unknown",
    manifest: changeSpec(butlerConfig, "controlPlaneExposure.controllerType", "envoy"),
    expect:
      'spec.controlPlaneExposure.controllerType: Unsupported value: "envoy": supported values: "haproxy", "nginx"',
  },
  {
    name: "ButlerConfig: default limit of no clusters",
    manifest: changeSpec(butlerConfig, "defaultTeamLimits.maxClusters", 0),
    expect: "spec.defaultTeamLimits.maxClusters in body should be greater than or equal to 1",
  },
  {
    name: "ButlerConfig: memory limit with an unknown unit",
    manifest: changeSpec(butlerConfig, "defaultTeamLimits.maxTotalMemory", "256GB"),
    expect: 'spec.defaultTeamLimits.maxTotalMemory: Invalid value: "256GB": must be a quantity such as 4, 500m or 16Gi',
  },
  {
    name: "ButlerConfig: limit as in a Team",
    manifest: changeSpec(butlerConfig, "defaultTeamLimits.maxCPUCores", "64"),
    expect: 'unknown field "spec.defaultTeamLimits.maxCPUCores"',
  },
  {
    name: "ButlerConfig: API server request is no quantity",
    manifest: changeSpec(butlerConfig, "defaultControlPlaneResources.apiServer.requests.cpu", "half"),
    expect:
      'spec.defaultControlPlaneResources.apiServer.requests.cpu: Invalid value: "half": must be a quantity such as',
  },
  {
    name: "ButlerConfig: Git host is unknown",
    manifest: changeSpec(butlerConfig, "gitProvider.type", "gitea"),
    expect: 'spec.gitProvider.type: Unsupported value: "gitea": supported values: "github", "gitlab", "bitbucket"',
  },
  {
    name: "ButlerConfig: Git host without credentials",
    manifest: changeSpec(butlerConfig, "gitProvider.secretRef", undefined),
    expect: "spec.gitProvider.secretRef: Required value",
  },
  {
    name: "ButlerConfig: default provider has an empty name",
    manifest: changeSpec(butlerConfig, "defaultProviderConfigRef", { name: "" }),
    expect: "spec.defaultProviderConfigRef.name in body should be at least 1 chars long",
  },
  {
    name: "ButlerConfig: pipeline cluster without a namespace",
    manifest: changeSpec(butlerConfig, "observability.pipeline.clusterRef", { name: "observability" }),
    expect: "spec.observability.pipeline.clusterRef.namespace: Required value",
  },
  {
    name: "ButlerConfig: image factory without a scheme",
    manifest: changeSpec(butlerConfig, "imageFactory.url", "factory.example.com"),
    expect: 'spec.imageFactory.url: Invalid value: "factory.example.com": must be an http or https URL such as',
  },
  {
    name: "ButlerConfig: audit buffer is too small",
    manifest: changeSpec(butlerConfig, "audit.bufferSize", 10),
    expect: "spec.audit.bufferSize in body should be greater than or equal to 100",
  },
  {
    name: "ButlerConfig: audit buffer is too large",
    manifest: changeSpec(butlerConfig, "audit.bufferSize", 1000000),
    expect: "spec.audit.bufferSize in body should be less than or equal to 100000",
  },
  {
    name: "ButlerConfig: audit webhook without a scheme",
    manifest: changeSpec(butlerConfig, "audit.webhookURL", "siem.example.com/events"),
    expect: 'spec.audit.webhookURL: Invalid value: "siem.example.com/events": must be an http or https URL such as',
  },
  {
    name: "ButlerConfig: notification webhook is a mail address",
    manifest: changeSpec(butlerConfig, "notifications.webhookURL", "mailto:ops@example.com"),
    expect:
      'spec.notifications.webhookURL: Invalid value: "mailto:ops@example.com": must be an http or https URL such as',
  },
  {
    name: "ButlerConfig: time servers are one text",
    manifest: changeSpec(butlerConfig, "defaultTimeServers", "time.example.com"),
    expect: "spec.defaultTimeServers in body must be of type array",
  },
  {
    name: "IdentityProvider: type oidc without the oidc block",
    manifest: changeSpec(identityProvider, "oidc", undefined),
    expect: "spec.oidc: Required value: must be set when type is oidc",
  },
  {
    name: "IdentityProvider: type is unknown",
    manifest: changeSpec(identityProvider, "type", "saml"),
    expect: 'spec.type: Unsupported value: "saml": supported values: "oidc"',
  },
  {
    name: "IdentityProvider: issuer without TLS",
    manifest: changeSpec(identityProvider, "oidc.issuerURL", "http://login.example.com"),
    expect: 'spec.oidc.issuerURL: Invalid value: "http://login.example.com": must be an https URL such as',
  },
  {
    name: "IdentityProvider: redirect URL is a path",
    manifest: changeSpec(identityProvider, "oidc.redirectURL", "/api/auth/callback"),
    expect: 'spec.oidc.redirectURL: Invalid value: "/api/auth/callback": must be an http or https URL such as',
  },
  {
    name: "IdentityProvider: client is empty",
    manifest: changeSpec(identityProvider, "oidc.clientID", ""),
    expect: "spec.oidc.clientID in body should be at least 1 chars long",
  },
  {
    name: "IdentityProvider: client secret is written into the object",
    manifest: changeSpec(identityProvider, "oidc.clientSecret", "secret"),
    expect: 'unknown field "spec.oidc.clientSecret"',
  },
  {
    name: "IdentityProvider: reference to the client secret is missing",
    manifest: changeSpec(identityProvider, "oidc.clientSecretRef", undefined),
    expect: "spec.oidc.clientSecretRef: Required value",
  },
  {
    name: "IdentityProvider: Workspace administrator is no email address",
    manifest: changeSpec(identityProvider, "oidc.googleWorkspace", {
      serviceAccountSecretRef: { name: "google" },
      adminEmail: "admin",
    }),
    expect: "spec.oidc.googleWorkspace.adminEmail in body must be of type email",
  },
  {
    name: "IdentityProvider: platform role of a Team",
    manifest: changeSpec(identityProvider, "platformRoleGroups.0.role", "operator"),
    expect: 'spec.platformRoleGroups[0].role: Unsupported value: "operator": supported values: "admin", "viewer"',
  },
  {
    name: "IdentityProvider: scopes are one text",
    manifest: changeSpec(identityProvider, "oidc.scopes", "openid email"),
    expect: "spec.oidc.scopes in body must be of type array",
  },
  {
    name: "IdentityProvider: unknown group mapping",
    manifest: changeSpec(identityProvider, "groupMapping", []),
    expect: 'unknown field "spec.groupMapping"',
  },
];
