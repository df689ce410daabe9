import { holds, lacks } from "@butler/controller";
import type { ConditionStatement } from "@butler/resource";
import { endpointText } from "@butler/std";
import type { Facts } from "./facts.ts";
import type { Observed } from "./observed.ts";
import { podTrouble } from "./pod-trouble.ts";

/** What is true of a control plane, and what it waits for. */
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
  if (missing !== undefined) return lacks("Ready", missing.reason, missing.message);
  if (!rollout.isComplete) return lacks("Ready", "RollingOut", "pods are being replaced; the control plane serves");
  return holds("Ready", "UpAndRunning", "all pods serve");
}

function endpointCondition({ endpoint, exposureTrouble }: Facts): ConditionStatement {
  if (endpoint.kind === "waiting") return lacks("EndpointReady", endpoint.reason, endpoint.message);
  if (exposureTrouble !== undefined) return lacks("EndpointReady", exposureTrouble.reason, exposureTrouble.message);
  return holds("EndpointReady", "Announced", `clients reach the API server at ${endpointText(endpoint)}`);
}

function dataStoreCondition({ store, secrets }: Observed, { secrets: plan }: Facts): ConditionStatement {
  const type = "DataStoreReady";
  if (store.found === undefined) {
    return lacks(type, "DataStoreMissing", `there is no DataStore ${store.name}; make it or name another`);
  }
  const { trouble, endpoints } = store.found;
  if (trouble !== undefined) return lacks(type, trouble.reason, `DataStore ${store.name}: ${trouble.message}`);
  if (endpoints.length === 0) return lacks(type, "DataStoreStarting", `DataStore ${store.name} has no address yet`);
  if (secrets.dataStore === undefined || plan.verdicts.dataStore === undefined) {
    return lacks(type, "SettingUp", `the control plane is being set up in DataStore ${store.name}`);
  }
  return holds(type, "SetUp", `the control plane has its place in DataStore ${store.name}`);
}

function certificatesCondition({ secrets, endpoint }: Facts): ConditionStatement {
  const type = "CertificatesReady";
  if (secrets.trouble !== undefined) return lacks(type, secrets.trouble.reason, secrets.trouble.message);
  const own = secrets.orders.filter(({ blueprint }) => blueprint.id !== "dataStore");
  if (own.length > 0) {
    return lacks(type, "Issuing", `being made: ${own.map(({ blueprint }) => blueprint.name).join(", ")}`);
  }
  if (endpoint.kind === "waiting") {
    return lacks(type, "WaitingForEndpoint", "certificates name the endpoint, which is not known yet");
  }
  return holds(type, "Issued", "all keys and certificates are there and valid");
}

function availableCondition({ pods, tcp }: Observed, { rollout, deployment }: Facts): ConditionStatement {
  const type = "Available";
  if (tcp.spec.controlPlane.deployment.replicas === 0) {
    return lacks(type, "Sleeping", "there are no pods because replicas is 0; the data is kept");
  }
  const trouble = podTrouble(pods);
  if (rollout.isAvailable) {
    return holds(
      type,
      "Serving",
      trouble === undefined ? "the API server answers" : `it serves, but ${trouble.message}`,
    );
  }
  if (trouble !== undefined) return lacks(type, trouble.reason, trouble.message);
  if (deployment === undefined) return lacks(type, "WaitingForParts", "what the pods need is not there yet");
  return lacks(type, "PodsStarting", "no pod serves yet");
}

function addonsCondition({ keptAs }: Observed, { tenant, rollout }: Facts): ConditionStatement {
  const type = "AddonsReady";
  if (tenant.trouble !== undefined) return lacks(type, tenant.trouble.reason, tenant.trouble.message);
  if (!rollout.isAvailable)
    return lacks(type, "WaitingForApiServer", "nothing can be put in before the API server answers");
  if (tenant.wanted === undefined || keptAs !== tenant.wanted.digest) {
    return lacks(type, "Applying", "what nodes need to join is being put in");
  }
  return holds(type, "Applied", "nodes can join");
}
