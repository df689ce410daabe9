import { mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type CacheReader,
  defineSingleton,
  type SingletonDefinition,
  SingletonRuntime,
  watching,
} from "@butler/controller";
import { type AdmissionHandler, AdmissionServer, CacheSet, type KubeClient } from "@butler/kube";
import { builtinKinds, type DynamicObject, kindId } from "@butler/resource";
import { Bug, type Clock } from "@butler/std";
import type { Logger, MetricsRegistry } from "@butler/telemetry";
import { type CertificatePlace, ensureCertificates } from "./certificate-secret.ts";
import { admissionPort, webhookConfigurationKinds, webhookConfigurations } from "./manifests.ts";
import { isToBePutRight, type KeptCertificates } from "./plan.ts";

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

const kinds = Object.values(webhookConfigurationKinds);

/**
 * An admission server with everything that makes the API server call it: a certificate of its own CA, renewed in time,
 * and the webhook configurations, restored when another client changes or deletes them. Runs in every process of a
 * role. The chart installs the configurations empty; if they are recreated here, they are still deleted with the chart.
 */
export class AdmissionService {
  readonly #options: AdmissionServiceOptions;
  /** The desired configurations, of the current certificates. */
  #wanted: readonly DynamicObject[] = [];
  #isReady = false;

  constructor(options: AdmissionServiceOptions) {
    this.#options = options;
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  /** Serves until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const folder = await mkdtemp(join(tmpdir(), "admission-"));
    const { client, handlers, clock, logger, metrics, port = admissionPort } = this.#options;
    const certificate = { certFile: join(folder, "tls.crt"), keyFile: join(folder, "tls.key") };
    const server = new AdmissionServer({ handlers, certificate, port, logger, metrics });
    const caches = new CacheSet(client, { logger, metrics });
    const common = { ports: {}, caches, logger, metrics, ...(clock === undefined ? {} : { clock }) };
    const runtime = new SingletonRuntime(this.#singleton(server, certificate), common);
    // The API server must be able to call the webhooks even while the configurations cannot be watched.
    const started = caches.start(signal);
    try {
      await runtime.run(signal);
    } finally {
      this.#isReady = false;
      await started;
      await caches.stopped();
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    }
  }

  #singleton(server: AdmissionServer, certificate: CertificateFiles): SingletonDefinition<object> {
    const { client, name, namespace } = this.#options;
    const scope = { fieldSelector: `metadata.name=${name}` };
    let isServing = false;
    return defineSingleton({
      name: `${name}-admission`,
      watches: kinds.map((kind) =>
        watching(kind, { scope, matters: (_event, read) => this.#drifted(read).length > 0 }),
      ),
      resyncMs: checkIntervalMs,
      pauseMs: changeIntervalMs,
      backoff: { initialMs: retryIntervalMs, maximumMs: retryIntervalMs, factor: 1, jitter: 0 },
      failure: { message: "failed to set up admission", level: "error" },
      reconcile: async ({ occasion, read, now, signal, act }) => {
        const kept = await ensureCertificates(client, { name, namespace }, { now, signal });
        await writeCertificate(certificate, kept);
        if (!isServing) await server.start();
        isServing = true;
        this.#wanted = await this.#configurations(kept, signal);
        // Everything is applied at first and periodically; in between, only what another client has changed.
        for (const object of occasion === "change" ? this.#drifted(read) : this.#wanted) {
          const kind = kindOf(object);
          await act({ verb: "apply", target: `${kindId(kind)} ${name}` }, () =>
            client.apply(kind, object, { fieldManager: name, signal }),
          );
        }
        this.#isReady = true;
      },
    });
  }

  /** The desired configurations that are missing or have drifted. */
  #drifted(read: CacheReader): DynamicObject[] {
    return this.#wanted.filter((wanted) => isToBePutRight(read.get(kindOf(wanted), wanted.metadata), wanted));
  }

  async #configurations({ trusted }: KeptCertificates, signal: AbortSignal): Promise<DynamicObject[]> {
    const { client, handlers, name, namespace } = this.#options;
    const owner = await client.get(builtinKinds.ClusterRole, { name }, signal);
    return webhookConfigurations(handlers, { name, namespace, authorities: trusted, owner });
  }
}

function kindOf(configuration: DynamicObject) {
  const kind = kinds.find((each) => each.kind === configuration.kind);
  if (kind === undefined) throw new Bug(`${configuration.kind} is not a webhook configuration`);
  return kind;
}

/** The files that the server reads. */
interface CertificateFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

/** The key first: the server loads a pair only when both match. */
async function writeCertificate({ certFile, keyFile }: CertificateFiles, { serving }: KeptCertificates): Promise<void> {
  for (const [file, text] of [
    [keyFile, serving.key],
    [certFile, serving.cert],
  ] as const) {
    await writeFile(`${file}.new`, text, { mode: 0o600 });
    await rename(`${file}.new`, file);
  }
}
