import { Follower, type KubeClient, listAll, tenantReadLimits, type Transport } from "@butler/kube";
import { apiVersionOf, type DynamicObject } from "@butler/resource";
import { type Clock, Conflict, NotFound } from "@butler/std";
import type { Logger } from "@butler/telemetry";
import { CertificateSigningRequest, Node } from "../kinds.ts";
import { type ApprovalRules, type Decision, decideServingRequest, isConcerned } from "./decide-serving-request.ts";
import {
  type CertificateRequestObject,
  factsOf,
  isDecided,
  type NodeObject,
  requestingNode,
  servingSigner,
} from "./serving-request.ts";

export interface RequestApproverOptions {
  readonly client: KubeClient;
  readonly transport: Transport;
  /** The rules as they are at the moment. */
  readonly rules: () => ApprovalRules;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly onDecision: (decision: Decision) => void;
  /** Calls back when the tenant becomes reachable again. */
  readonly onReachable?: ((listener: () => void) => () => void) | undefined;
}

const path = `/apis/${apiVersionOf(CertificateSigningRequest)}/${CertificateSigningRequest.plural}`;
/** Only rivals are kept. */
const nodeReads = { limit: 100, maximumObjects: 20_000, maximumMs: tenantReadLimits.maximumMs };
const shortestWaitMs = 1_000;
const longestWaitMs = 60_000;

/** Approves or denies kubelet serving certificate requests in one tenant, one at a time. */
export class RequestApprover {
  readonly #options: RequestApproverOptions;
  readonly #follower: Follower<typeof CertificateSigningRequest>;

  constructor(options: RequestApproverOptions) {
    this.#options = options;
    const { client, clock, logger, onReachable } = options;
    this.#follower = new Follower({
      client,
      kind: CertificateSigningRequest,
      scope: { fieldSelector: `spec.signerName=${servingSigner}` },
      clock,
      logger,
      onReachable,
      onObject: (request, signal) => this.#review(request, signal),
    });
  }

  /** Runs until the signal aborts. Never rejects. */
  run(signal: AbortSignal): Promise<void> {
    return this.#follower.run(signal);
  }

  /** A failing request must not block the others. */
  async #review(request: CertificateRequestObject, signal: AbortSignal): Promise<void> {
    if (isDecided(request)) return;
    const { logger, onDecision } = this.#options;
    try {
      const decision = await this.#decide(request, signal);
      onDecision(decision);
      const { verdict, reason, message } = decision;
      if (verdict === "approve" || verdict === "deny") await this.#write(request, decision, signal);
      if (verdict === "wait") this.#follower.listAgainIn(this.#patience(request));
      logger.info("certificate request reviewed", {
        request: request.metadata.name,
        verdict,
        reason,
        message,
      });
    } catch (error) {
      // The request was decided concurrently or deleted: either way there is nothing left to decide.
      if (signal.aborted || error instanceof Conflict || error instanceof NotFound) return;
      logger.warn("failed to approve or deny certificate request", { request: request.metadata.name, error });
      this.#follower.listAgainIn(this.#patience(request));
    }
  }

  /** Only a request that seems valid is checked against all other nodes. */
  async #decide(request: CertificateRequestObject, signal: AbortSignal): Promise<Decision> {
    const { client, clock, rules } = this.#options;
    const name = requestingNode(request);
    const own: NodeObject | undefined = name === undefined ? undefined : await client.find(Node, { name }, signal);
    const input = { request, nodes: own === undefined ? [] : [own], rules: rules(), now: clock.now() };
    const decision = decideServingRequest(input);
    if (decision.verdict !== "approve") return decision;
    return decideServingRequest({ ...input, nodes: [...input.nodes, ...(await this.#rivals(request, signal))] });
  }

  /** The nodes that have one of the requested names; listed in pages, so that only these are kept. */
  async #rivals(request: CertificateRequestObject, signal: AbortSignal): Promise<NodeObject[]> {
    const facts = factsOf(request);
    if (facts instanceof Error) return [];
    const rivals: NodeObject[] = [];
    for await (const node of listAll(this.#options.client, Node, { ...nodeReads, signal })) {
      if (node.metadata.name !== requestingNode(request) && isConcerned(node, facts)) rivals.push(node);
    }
    return rivals;
  }

  /** The write includes the resource version, so that it applies to this request and no other of its name. */
  async #write(request: CertificateRequestObject, decision: Decision, signal: AbortSignal): Promise<void> {
    const { clock, transport } = this.#options;
    const { verdict, reason, message } = decision;
    const condition = {
      type: verdict === "approve" ? "Approved" : "Denied",
      status: "True",
      reason,
      message: `Steward: ${message}`,
      lastUpdateTime: clock.now().toISOString(),
    };
    await transport.json<DynamicObject>({
      method: "PUT",
      path: `${path}/${encodeURIComponent(request.metadata.name)}/approval`,
      body: { ...request, status: { ...request.status, conditions: [condition] } },
      signal,
      action: `approve or deny certificate request ${request.metadata.name}`,
    });
  }

  /** What a request waits for comes soon or never: the longer it has waited, the less often it is checked. */
  #patience({ metadata }: CertificateRequestObject): number {
    const ageMs = this.#options.clock.now().getTime() - Date.parse(metadata.creationTimestamp ?? "");
    return Math.min(longestWaitMs, Math.max(shortestWaitMs, ageMs / 2 || 0));
  }
}
