import { describe, expect, it } from "vitest";
import { aCluster, aDeployment, aReadyCluster, aWarning, secondsAgo, someFacts } from "./testing/some-facts.ts";
import { aProvider, itExplains, type Situation } from "./testing/situation.ts";
import { why } from "./why.ts";

const situations: readonly Situation[] = [
  {
    name: "ready",
    facts: { cluster: aReadyCluster() },
    cause: "Ready",
    state: "well",
    says: "blue is ready",
    next: "butlerctl cluster kubeconfig blue -n payments",
  },
  {
    name: "ready and paused",
    facts: { cluster: aReadyCluster({ spec: { paused: true } }) },
    cause: "Ready",
    state: "well",
    says: "Reconciliation is paused",
  },
  {
    name: "paused before it was ready",
    facts: { cluster: aCluster({ spec: { paused: true } }) },
    cause: "Paused",
    state: "stuck",
    says: "is paused",
    next: "spec.paused",
  },
  {
    name: "no controller reconciles it",
    facts: { cluster: aCluster({ status: { phase: undefined, observedGeneration: undefined } }) },
    cause: "NotTakenUp",
    state: "stuck",
    says: "no controller has reconciled it yet",
    next: "butler-system",
  },
  {
    name: "just accepted",
    facts: {
      cluster: aCluster({
        metadata: { creationTimestamp: secondsAgo(2) },
        status: { phase: undefined, observedGeneration: undefined },
      }),
    },
    cause: "ChangeNotTakenUp",
    state: "busy",
    says: "has not been reconciled yet",
  },
  {
    name: "over quota",
    facts: {
      cluster: aCluster({
        conditions: ["QuotaSatisfied=False QuotaExceeded team payments: maxClusters is 2, 2 in use"],
      }),
    },
    cause: "QuotaExceeded",
    state: "stuck",
    says: "maxClusters is 2, 2 in use",
    next: "raise the limit",
  },
  {
    name: "the provider is another team's",
    facts: {
      cluster: aCluster({ conditions: ["ProviderAccessGranted=False ProviderAccessDenied it belongs to team red"] }),
    },
    cause: "ProviderAccessDenied",
    state: "stuck",
    says: "has no access to its provider: it belongs to team red",
  },
  {
    name: "the provider does not exist",
    facts: { provider: undefined },
    cause: "ProviderMissing",
    state: "stuck",
    says: "butler-system/local, which does not exist",
  },
  {
    name: "no permission to read the provider",
    facts: {
      provider: undefined,
      unreadable: [{ what: "ProviderConfig butler-system/local", why: "permission denied" }],
    },
    cause: "Provisioning",
    state: "busy",
    says: "blue is progressing (Provisioning)",
  },
  {
    name: "the provider's credentials are wrong",
    facts: { provider: aProvider("CredentialsValid=False CredentialsInvalid the server says 401") },
    cause: "CredentialsInvalid",
    state: "stuck",
    says: "the server says 401",
    ends: /^ProviderConfig butler-system\/local: CredentialsValid=False/,
  },
  {
    name: "the provider has no addresses left",
    facts: { provider: aProvider("PoolAvailable=False PoolExhausted 0 addresses left") },
    cause: "ProviderNotReady",
    state: "stuck",
    says: "0 addresses left",
  },
  {
    name: "the image sync failed",
    facts: { cluster: aCluster({ conditions: ["ImageReady=False ImageSyncFailed the factory says 404"] }) },
    cause: "ImageSyncFailed",
    state: "stuck",
    says: "is waiting for its machine image: the factory says 404",
  },
  {
    name: "the image sync is in progress",
    facts: { cluster: aCluster({ conditions: ["ImageReady=False ImageUploading 40 %"] }) },
    cause: "Provisioning",
    state: "busy",
    says: "blue is progressing (Provisioning)",
  },
  {
    name: "no addresses are left",
    facts: { cluster: aCluster({ conditions: ["NetworkReady=False PoolExhausted pool lab has 0 free"] }) },
    cause: "PoolExhausted",
    state: "stuck",
    says: "has no IP addresses: pool lab has 0 free",
  },
  {
    name: "no provider is set",
    facts: {
      cluster: aCluster({
        spec: { providerConfigRef: undefined },
        status: { phase: "Pending" },
        conditions: [
          "InfrastructureReady=False NoProvider no ProviderConfig is set on the cluster, its team or the platform",
        ],
      }),
    },
    cause: "NoProvider",
    state: "stuck",
    says: "No resources have been created for blue yet: no ProviderConfig is set on the cluster",
  },
  {
    name: "a webhook does not respond",
    facts: {
      cluster: aCluster({
        conditions: [
          'ControlPlaneReady=False Failed apply: Internal error: failed calling webhook "validate.steward": connection refused',
        ],
      }),
    },
    cause: "WebhookDoesNotAnswer",
    state: "stuck",
    says: "the webhook validate.steward does not respond",
    next: "webhookconfigurations",
  },
  {
    name: "a conversion webhook does not respond",
    facts: {
      unreadable: [
        {
          what: "machines.cluster.x-k8s.io in blue-0a1b2c3d",
          why: "list machines: conversion webhook for cluster.x-k8s.io/v1beta1, Kind=Machine failed: connection refused",
        },
      ],
    },
    cause: "WebhookDoesNotAnswer",
    state: "stuck",
    says: "the webhook cluster.x-k8s.io/v1beta1, Kind=Machine does not respond",
  },
  {
    name: "a webhook rejected an object long ago",
    facts: {
      warnings: [
        aWarning({
          message: 'admission webhook "policy.example.com" denied the request: no',
          lastSeen: secondsAgo(1800),
        }),
      ],
    },
    cause: "Provisioning",
    state: "busy",
    says: "blue is progressing (Provisioning)",
  },
  {
    name: "a webhook rejects an object of the cluster",
    facts: {
      warnings: [
        aWarning({
          reason: "ApplyFailed",
          object: { kind: "TenantCluster", name: "blue" },
          message: 'admission webhook "policy.example.com" denied the request: no',
        }),
      ],
    },
    cause: "WebhookDenies",
    state: "stuck",
    says: "the webhook policy.example.com rejects",
  },
  {
    name: "an add-on has failed",
    facts: {
      cluster: aCluster({
        status: {
          phase: "Installing",
          workerNodesReady: 2,
          observedState: { addons: [{ name: "traefik", version: "34.3.0", status: "Failed", managedBy: "butler" }] },
        },
        conditions: ["AddonsReady=False AddonFailed the release timed out"],
      }),
    },
    cause: "AddonFailed",
    state: "stuck",
    says: "Add-on traefik 34.3.0 on cluster blue is unhealthy: the release timed out",
  },
  {
    name: "failed with a reason",
    facts: {
      cluster: aCluster({
        status: { phase: "Failed" },
        conditions: ["InfrastructureReady=False UnsupportedSystem talos machines on local are unsupported"],
      }),
    },
    cause: "UnsupportedSystem",
    state: "stuck",
    says: "blue has failed: talos machines on local are unsupported",
  },
  {
    name: "the latest change is not reconciled yet",
    facts: { cluster: aReadyCluster({ metadata: { generation: 3 } }) },
    cause: "ChangeNotTakenUp",
    state: "busy",
    says: "has not been reconciled yet",
  },
  {
    name: "waiting for workers",
    facts: {
      cluster: aCluster({
        conditions: [
          "InfrastructureReady=True Ok",
          "ControlPlaneReady=True Ok",
          "WorkersReady=False WorkersProvisioning pool workers: 1/2 nodes ready",
        ],
      }),
      machineDeployments: [aDeployment()],
    },
    cause: "WorkersProvisioning",
    state: "busy",
    says: "pool workers: 1/2 nodes ready",
    next: "--watch",
  },
];

describe("why a cluster is not ready", () => {
  itExplains(situations);

  it("strips control characters from the sentence", () => {
    const evil = aCluster({
      conditions: ["QuotaSatisfied=False QuotaExceeded \u001B[2J\u001B]0;title\u0007 no\nroom"],
    });
    const { sentence } = why(someFacts({ cluster: evil }));
    expect(sentence).not.toMatch(/\p{Cc}/u);
    expect(sentence).toContain("no room");
  });
});
