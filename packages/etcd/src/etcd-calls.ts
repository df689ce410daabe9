import { X509Certificate } from "node:crypto";
import { type ClientUnaryCall, type Client, Client as GrpcClient, credentials, type ServiceError } from "@grpc/grpc-js";
import { Bug, InvalidInput, Unavailable } from "@butler/std";
import { type EtcdMethod, type EtcdMethods, methodDefinition } from "./etcd-methods.ts";
import { errorFromCall, hasReason, mayAnotherMemberAnswer } from "./etcd-errors.ts";

/** The endpoints and credentials of an etcd. All certificates and keys are PEM. */
export interface EtcdConnection {
  /** Client addresses of the members, each `host:port`. */
  readonly endpoints: readonly string[];
  /** The CA of the members' certificates. */
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

export interface EtcdCallOptions {
  readonly signal?: AbortSignal | undefined;
  /** The timeout of a call with all its attempts; that of the client by default. */
  readonly limitMs?: number | undefined;
}

/** Settings for a store in the same cluster: reconnect soon, and resolve names again when a pod has moved. */
const channelOptions = {
  "grpc.use_local_subchannel_pool": 1,
  "grpc.enable_http_proxy": 0,
  "grpc.initial_reconnect_backoff_ms": 100,
  "grpc.max_reconnect_backoff_ms": 2_000,
  "grpc.dns_min_time_between_resolutions_ms": 1_000,
  "grpc.max_receive_message_length": 64 * 1024 * 1024,
};

interface AttemptOptions {
  /** The timeout of this attempt. */
  readonly shareMs: number;
  readonly callLimitMs: number;
  readonly signal: AbortSignal | undefined;
}

/** A member's address and its channel. */
class Member {
  readonly endpoint: string;
  readonly #credentials: ReturnType<typeof credentials.createSsl>;
  #client: Client | undefined;

  constructor(endpoint: string, channelCredentials: ReturnType<typeof credentials.createSsl>) {
    this.endpoint = endpoint;
    this.#credentials = channelCredentials;
  }

  /** Makes one attempt. Rejects with what gRPC reported, or with the signal's reason. */
  attempt<M extends EtcdMethod>(
    method: M,
    request: EtcdMethods[M]["in"],
    { shareMs, callLimitMs, signal }: AttemptOptions,
  ): Promise<EtcdMethods[M]["out"]> {
    this.#client ??= new GrpcClient(`dns:${this.endpoint}`, this.#credentials, channelOptions);
    const client = this.#client;
    const { path, requestSerialize, responseDeserialize } = methodDefinition(method);
    return new Promise((resolve, reject) => {
      const abort = (): void => {
        call.cancel();
        reject(signal?.reason as Error);
      };
      const answered = (error: ServiceError | null, answer?: object): void => {
        signal?.removeEventListener("abort", abort);
        if (error === null) resolve(answer as EtcdMethods[M]["out"]);
        else reject(errorFromCall(error, { action: method, endpoint: this.endpoint, callLimitMs }));
      };
      const deadline = Date.now() + shareMs;
      const call: ClientUnaryCall = client.makeUnaryRequest(
        path,
        requestSerialize,
        responseDeserialize,
        request,
        { deadline },
        answered,
      );
      signal?.addEventListener("abort", abort, { once: true });
    });
  }

  /** Drops the connection. Calls in progress still finish; the next one reconnects. */
  disconnect(): void {
    this.#client?.close();
    this.#client = undefined;
  }
}

/**
 * Calls to an etcd with several members. Every call has a timeout; an attempt gets a share of the remaining time, and
 * when one member does not respond the next is tried. So all calls here must be idempotent.
 */
export class EtcdCalls {
  readonly #members: readonly Member[];
  readonly #limitMs: number;
  /** The member that responded last; tried first, so that a dead one costs time only once. */
  #preferred = 0;
  #isClosed = false;

  constructor({ endpoints, ca, cert, key }: EtcdConnection, limitMs: number) {
    if (endpoints.length === 0) throw new InvalidInput("a connection to etcd requires at least one endpoint");
    const channelCredentials = sslCredentials({ ca, cert, key });
    this.#members = endpoints.map((endpoint) => new Member(endpoint, channelCredentials));
    this.#limitMs = limitMs;
  }

  get endpoints(): readonly string[] {
    return this.#members.map(({ endpoint }) => endpoint);
  }

  /** Calls any member that responds. */
  async call<M extends EtcdMethod>(
    method: M,
    request: EtcdMethods[M]["in"],
    { signal, limitMs = this.#limitMs }: EtcdCallOptions = {},
  ): Promise<EtcdMethods[M]["out"]> {
    const deadline = performance.now() + limitMs;
    for (;;) {
      try {
        return await this.#callAny(method, request, { signal, deadline, callLimitMs: limitMs });
      } catch (error) {
        // Users or roles were changed between our call and its turn. That says nothing about our call.
        if (!hasReason(error, "AccessRulesChanged") || performance.now() >= deadline) throw error;
      }
    }
  }

  /** Calls one member and no other. */
  async callMember<M extends EtcdMethod>(
    endpoint: string,
    method: M,
    { signal, limitMs = this.#limitMs }: EtcdCallOptions = {},
  ): Promise<EtcdMethods[M]["out"]> {
    const member = this.#members.find((candidate) => candidate.endpoint === endpoint);
    if (member === undefined) throw new Bug(`${endpoint} is not an endpoint of this connection`);
    return this.#attempt(member, method, { request: {}, shareMs: limitMs, callLimitMs: limitMs, signal });
  }

  close(): void {
    this.#isClosed = true;
    for (const member of this.#members) member.disconnect();
  }

  async #callAny<M extends EtcdMethod>(
    method: M,
    request: EtcdMethods[M]["in"],
    { deadline, ...options }: Omit<AttemptOptions, "shareMs"> & { deadline: number },
  ): Promise<EtcdMethods[M]["out"]> {
    const count = this.#members.length;
    const first = this.#preferred;
    const failures: unknown[] = [];
    for (let tried = 0; tried < count; tried++) {
      const at = (first + tried) % count;
      const member = this.#members[at];
      if (member === undefined) break;
      const shareMs = Math.max(1, (deadline - performance.now()) / (count - tried));
      try {
        const answer = await this.#attempt(member, method, { request, shareMs, ...options });
        this.#preferred = at;
        return answer;
      } catch (error) {
        if (!mayAnotherMemberAnswer(error)) throw error;
        failures.push(error);
      }
    }
    throw joinFailures(failures);
  }

  async #attempt<M extends EtcdMethod>(
    member: Member,
    method: M,
    { request, ...options }: AttemptOptions & { request: EtcdMethods[M]["in"] },
  ): Promise<EtcdMethods[M]["out"]> {
    options.signal?.throwIfAborted();
    if (this.#isClosed) throw new Unavailable("the connection to etcd was closed");
    try {
      return await member.attempt(method, request, options);
    } catch (error) {
      // A connection whose peer vanished silently would hang for a quarter of an hour.
      if (hasReason(error, "Timeout")) member.disconnect();
      throw error;
    }
  }
}

/** One error for the failures of several members. A rejection is more informative than unreachable members. */
export function joinFailures(failures: readonly unknown[]): unknown {
  const silent = failures.filter((failure) => failure instanceof Unavailable);
  const refusal = failures.find((failure) => !(failure instanceof Unavailable));
  const [first] = silent;
  if (refusal !== undefined || first === undefined) return refusal ?? new Bug("no failures to join");
  if (silent.length === 1) return first;
  const { details, hint } = first;
  const message = silent.map((failure) => failure.message).join("; ");
  return new Unavailable(message, { details, ...(hint === undefined ? {} : { hint }) });
}

function sslCredentials({ ca, cert, key }: Pick<EtcdConnection, "ca" | "cert" | "key">) {
  try {
    // Node ignores a CA that it cannot read, and would then trust no server.
    void new X509Certificate(ca);
    return credentials.createSsl(Buffer.from(ca), Buffer.from(key), Buffer.from(cert));
  } catch (error) {
    throw new InvalidInput("invalid certificates for etcd", {
      cause: error,
      hint: "The CA, client certificate and key must be PEM, and the key must match the certificate.",
    });
  }
}
