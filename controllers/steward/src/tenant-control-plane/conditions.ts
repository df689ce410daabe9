import { holds, lacks } from "@butler/controller";
import { blocked, type ConditionStatement } from "@butler/resource";
import { endpointText } from "@butler/std";
import type { Facts } from "./facts.ts";
import type { Observed } from "./observed.ts";
import { blockerOfPods } from "./blocker-of-pods.ts";

/** The conditions of a control plane. */
export function conditionsOf(observed: Observed, facts: Facts): ConditionStatement[] {
  const parts = [
    endpointCondition(facts),
    dataStoreCondition(observed, facts),
    certificatesCondition(facts),
    availableCondition(observed, facts),
    addonsCondition(observed, facts),
  ];
  return [readyCondition(parts, facts), ...parts];
}

function readyCondition(parts: readonly ConditionStatement[], { rollout }: Facts): ConditionStatement {
  const missing = parts.find(({ status }) => status !== "True");
  if (missing !== undefined) return blocked("Ready", missing);
  if (!rollout.isComplete) return lacks("Ready", "RollingOut", "rolling out new pods; the API server is serving");
  return holds("Ready", "UpAndRunning", "all pods ready");
}

function endpointCondition({ endpoint, exposureBlocker }: Facts): ConditionStatement {
  if (endpoint.kind === "waiting") return blocked("EndpointReady", endpoint);
  if (exposureBlocker !== undefined) return blocked("EndpointReady", exposureBlocker);
  return holds("EndpointReady", "Announced", `API server endpoint: ${endpointText(endpoint)}`);
}

function dataStoreCondition({ store, secrets }: Observed, { secrets: plan }: Facts): ConditionStatement {
  const type = "DataStoreReady";
  if (store.found === undefined) {
    return lacks(
      type,
      "DataStoreMissing",
      `DataStore ${store.name} not found; create it or set spec.dataStore to another one`,
    );
  }
  const { blocker, endpoints } = store.found;
  if (blocker !== undefined) return lacks(type, blocker.reason, `DataStore ${store.name}: ${blocker.message}`);
  if (endpoints.length === 0) return lacks(type, "DataStoreStarting", `DataStore ${store.name} has no endpoints yet`);
  if (secrets.dataStore === undefined || plan.verdicts.dataStore === undefined) {
    return lacks(type, "SettingUp", `setting up the control plane in DataStore ${store.name}`);
  }
  return holds(type, "SetUp", `control plane set up in DataStore ${store.name}`);
}

function certificatesCondition({ secrets, endpoint }: Facts): ConditionStatement {
  const type = "CertificatesReady";
  if (secrets.blocker !== undefined) return blocked(type, secrets.blocker);
  const own = secrets.orders.filter(({ blueprint }) => blueprint.id !== "dataStore");
  if (own.length > 0) {
    return lacks(type, "Issuing", `issuing: ${own.map(({ blueprint }) => blueprint.name).join(", ")}`);
  }
  if (endpoint.kind === "waiting") {
    return lacks(type, "WaitingForEndpoint", "waiting for the endpoint, which the certificates must include");
  }
  return holds(type, "Issued", "all keys and certificates issued and valid");
}

function availableCondition({ pods, tcp }: Observed, { rollout, deployment }: Facts): ConditionStatement {
  const type = "Available";
  if (tcp.spec.controlPlane.deployment.replicas === 0) {
    return lacks(type, "Sleeping", "scaled to 0 replicas; the data is kept");
  }
  const blocker = blockerOfPods(pods);
  if (rollout.isAvailable) {
    return holds(
      type,
      "Serving",
      blocker === undefined ? "the API server is serving" : `the API server is serving, but ${blocker.message}`,
    );
  }
  if (blocker !== undefined) return blocked(type, blocker);
  if (deployment === undefined)
    return lacks(type, "WaitingForParts", "waiting for the endpoint, Secrets and DataStore that the pods need");
  return lacks(type, "PodsStarting", "no pods ready yet");
}

function addonsCondition({ keptAs }: Observed, { tenant, rollout }: Facts): ConditionStatement {
  const type = "AddonsReady";
  if (tenant.blocker !== undefined) return blocked(type, tenant.blocker);
  if (!rollout.isAvailable)
    return lacks(type, "WaitingForApiServer", "waiting for the API server before applying add-ons");
  if (tenant.wanted === undefined || keptAs !== tenant.wanted.digest) {
    return lacks(type, "Applying", "applying the objects that nodes need to join");
  }
  return holds(type, "Applied", "join configuration and add-ons applied");
}
