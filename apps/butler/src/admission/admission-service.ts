import { mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AdmissionHandler, AdmissionServer, type KubeClient } from "@butler/kube";
import { builtinKinds, type DynamicObject } from "@butler/resource";
import { type Clock, describeError, sleep, systemClock } from "@butler/std";
import type { Logger, MetricsRegistry } from "@butler/telemetry";
import { type CertificatePlace, ensureCertificates } from "./certificate-secret.ts";
import { ConfigurationWatch } from "./configuration-watch.ts";
import { admissionPort, webhookConfigurationKinds, webhookConfigurations } from "./manifests.ts";
import type { KeptCertificates } from "./plan.ts";

/** The handlers of an admission server, and its place. */
export interface AdmissionServiceOptions extends CertificatePlace {
  readonly client: KubeClient;
  readonly handlers: readonly AdmissionHandler[];
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
  readonly port?: number;
  readonly clock?: Clock;
}

/** Interval of checks of certificates and configurations; both are valid for months. */
const checkIntervalMs = 600_000;
const retryIntervalMs = 5_000;
/** Limits how often configurations are restored when another client changes them repeatedly. */
const changeIntervalMs = 1_000;

/**
 * An admission server with everything that makes the API server call it: a certificate of its own CA, renewed in time,
 * and the webhook configurations, restored when another client changes or deletes them. Runs in every process of a
 * role. The chart installs the configurations empty; if they are recreated here, they are still deleted with the chart.
 */
export class AdmissionService {
  readonly #options: AdmissionServiceOptions;
  readonly #clock: Clock;
  #isReady = false;

  constructor(options: AdmissionServiceOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  /** Serves until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const folder = await mkdtemp(join(tmpdir(), "admission-"));
    const { handlers, logger, metrics, port = admissionPort } = this.#options;
    const certificate = { certFile: join(folder, "tls.crt"), keyFile: join(folder, "tls.key") };
    const server = new AdmissionServer({ handlers, certificate, port, logger, metrics });
    const watch = new ConfigurationWatch(this.#options);
    const watching = watch.run(signal);
    let isServing = false;
    // Everything is applied at first and periodically; in between, only what another client has changed.
    let isInPart = false;
    try {
      while (!signal.aborted) {
        const isDone = await this.#attempt(async () => {
          const kept = await this.#certificates(signal);
          await writeCertificate(certificate, kept);
          if (!isServing) await server.start();
          isServing = true;
          watch.expect(await this.#wantedConfigurations(kept, signal));
          await this.#applyConfigurations(isInPart ? watch.faulty() : watch.expected, signal);
          this.#isReady = true;
        }, signal);
        isInPart = await this.#pause(isDone, watch, signal);
      }
    } finally {
      this.#isReady = false;
      await watching;
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** Waits until the next check, which is early when a configuration has drifted. Returns whether it was. */
  async #pause(isDone: boolean, watch: ConfigurationWatch, signal: AbortSignal): Promise<boolean> {
    const wait = (delayMs: number, end: AbortSignal): Promise<void> =>
      sleep(this.#clock, delayMs, end).catch(() => undefined);
    await wait(isDone ? changeIntervalMs : retryIntervalMs, signal);
    if (!isDone) return false;
    const fault = watch.nextFault();
    await wait(checkIntervalMs, AbortSignal.any([signal, fault]));
    return fault.aborted;
  }

  async #attempt(step: () => Promise<void>, signal: AbortSignal): Promise<boolean> {
    try {
      await step();
      return true;
    } catch (error) {
      if (!signal.aborted) this.#options.logger.error("failed to set up admission", { error: describeError(error) });
      return false;
    }
  }

  #certificates(signal: AbortSignal): Promise<KeptCertificates> {
    const { client, name, namespace } = this.#options;
    return ensureCertificates(client, { name, namespace }, { now: this.#clock.now(), signal });
  }

  async #wantedConfigurations({ trusted }: KeptCertificates, signal: AbortSignal): Promise<DynamicObject[]> {
    const { client, handlers, name, namespace } = this.#options;
    const owner = await client.get(builtinKinds.ClusterRole, { name }, signal);
    return webhookConfigurations(handlers, { name, namespace, authorities: trusted, owner });
  }

  async #applyConfigurations(objects: readonly DynamicObject[], signal: AbortSignal): Promise<void> {
    const { client, name } = this.#options;
    for (const object of objects) {
      const kind = Object.values(webhookConfigurationKinds).find((each) => each.kind === object.kind);
      if (kind !== undefined) await client.apply(kind, object, { fieldManager: name, signal });
    }
  }
}

/** The key first: the server loads a pair only when both match. */
async function writeCertificate(
  { certFile, keyFile }: { certFile: string; keyFile: string },
  { serving }: KeptCertificates,
): Promise<void> {
  for (const [file, text] of [
    [keyFile, serving.key],
    [certFile, serving.cert],
  ] as const) {
    await writeFile(`${file}.new`, text, { mode: 0o600 });
    await rename(`${file}.new`, file);
  }
}
