import { createHash, createPrivateKey, X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createSecureContext } from "node:tls";
import { type Clock, describeError, InvalidInput, type Timer } from "@butler/std";

/** Where a server's certificate lives. */
export interface CertificateFiles {
  readonly certFile: string;
  readonly keyFile: string;
  /** Certificate authorities whose clients are let in; without it, everyone who can connect is. */
  readonly clientCaFile?: string | undefined;
}

/** The contents of the files, in the form that TLS takes. */
export interface CertificateMaterial {
  readonly cert: Buffer;
  readonly key: Buffer;
  readonly ca?: Buffer;
}

/** Reads the files and makes sure that they can be served together; throws InvalidInput when not. */
export async function loadCertificate(files: CertificateFiles): Promise<CertificateMaterial> {
  return usable(await read(files), files);
}

export interface CertificateWatchOptions {
  readonly files: CertificateFiles;
  /** What is served already. */
  readonly current: CertificateMaterial;
  readonly clock: Clock;
  readonly intervalMs: number;
  /** Told of a new pair that fits together. */
  readonly onChange: (material: CertificateMaterial) => void;
  /** Told once of each new content that cannot be served. */
  readonly onBroken: (error: unknown) => void;
}

/**
 * Looks at the files again and again; gives a function that ends it. Content counts, not names or times, because kubelet
 * swaps a symbolic link; and only content that two looks in a row agree on, so that nothing half-written is taken.
 */
export function watchCertificate({ files, current, clock, intervalMs, ...told }: CertificateWatchOptions): () => void {
  let served = fingerprintOf(current);
  let seen = served;
  let judged = served;
  let isStopped = false;
  let timer: Timer;

  const look = async (): Promise<void> => {
    const found = await read(files).catch((error: unknown) => new InvalidInput("cannot read", { cause: error }));
    const fingerprint = found instanceof InvalidInput ? describeError(found) : fingerprintOf(found);
    const isStable = fingerprint === seen;
    seen = fingerprint;
    if (isStopped || !isStable || fingerprint === served || fingerprint === judged) return;
    judged = fingerprint;
    try {
      if (found instanceof InvalidInput) throw found;
      told.onChange(usable(found, files));
      served = fingerprint;
    } catch (error) {
      told.onBroken(error);
    }
  };
  const schedule = (): void => {
    timer = clock.after(intervalMs, () => {
      void look().finally(() => {
        if (!isStopped) schedule();
      });
    });
  };
  schedule();
  return () => {
    isStopped = true;
    timer.cancel();
  };
}

async function read({ certFile, keyFile, clientCaFile }: CertificateFiles): Promise<CertificateMaterial> {
  const [cert, key, ca] = await Promise.all([
    readFile(certFile),
    readFile(keyFile),
    clientCaFile === undefined ? undefined : readFile(clientCaFile),
  ]);
  return { cert, key, ...(ca === undefined ? {} : { ca }) };
}

function usable(material: CertificateMaterial, files: CertificateFiles): CertificateMaterial {
  try {
    if (!new X509Certificate(material.cert).checkPrivateKey(createPrivateKey(material.key))) {
      throw new InvalidInput("the key is not the certificate's");
    }
    // TLS would take text that holds no certificate without a word, and then let nobody in.
    if (material.ca !== undefined && !new X509Certificate(material.ca).ca) {
      throw new InvalidInput("the clients' authority is not one");
    }
    createSecureContext(material);
    return material;
  } catch (error) {
    throw new InvalidInput(`cannot serve ${files.certFile} with ${files.keyFile}`, { cause: error });
  }
}

function fingerprintOf({ cert, key, ca }: CertificateMaterial): string {
  const hash = createHash("sha256");
  for (const part of [cert, key, ca]) hash.update(`${part?.length ?? -1}:`).update(part ?? "");
  return hash.digest("hex");
}
