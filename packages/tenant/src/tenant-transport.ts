import { type ApiRequest, type ApiStream, ConnectionSource, KubeConfig, Transport } from "@butler/kube";
import type { MetricsRegistry } from "@butler/telemetry";

/** Whoever sends a tenant's requests at the moment. */
export type Sender = Pick<Transport, "json" | "stream">;

/**
 * A transport that outlives every connection: each request goes to whoever is the sender by then. It has connections of
 * its own only because every transport has; they lead nowhere and are never asked for.
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
