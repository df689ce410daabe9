import { type ApiRequest, type ApiStream, ConnectionSource, KubeConfig, Transport } from "@butler/kube";
import type { MetricsRegistry } from "@butler/telemetry";

/** The current sender of a tenant's requests. */
export type Sender = Pick<Transport, "json" | "stream">;

/**
 * A transport that outlives every connection: each request goes to the current sender. It has connections of its own
 * only because every transport has; they are never used.
 */
export class TenantTransport extends Transport {
  readonly #sender: () => Sender;

  constructor(sender: () => Sender, metrics: MetricsRegistry) {
    super(new ConnectionSource(new KubeConfig()), { metrics });
    this.#sender = sender;
  }

  override async json<T>(call: ApiRequest): Promise<T> {
    return this.#sender().json<T>(call);
  }

  override async stream(call: ApiRequest): Promise<ApiStream> {
    return this.#sender().stream(call);
  }
}
