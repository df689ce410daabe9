import { createHash, createPrivateKey, X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createSecureContext } from "node:tls";
import { type Clock, describeError, InvalidInput, type Timer } from "@butler/std";

/** The files of a server's certificate. */
export interface CertificateFiles {
  readonly certFile: string;
  readonly keyFile: string;
  /** CAs of accepted clients; without it, all clients are accepted. */
  readonly clientCaFile?: string | undefined;
}

/** The contents of the files, as TLS options. */
export interface CertificateMaterial {
  readonly cert: Buffer;
  readonly key: Buffer;
  readonly ca?: Buffer;
}

/** Reads and validates the files; throws InvalidInput when they do not match. */
export async function loadCertificate(files: CertificateFiles): Promise<CertificateMaterial> {
  return usable(await read(files), files);
}

export interface CertificateWatchOptions {
  readonly files: CertificateFiles;
  /** The content in use. */
  readonly current: CertificateMaterial;
  readonly clock: Clock;
  readonly intervalMs: number;
  /** Called with each new valid pair. */
  readonly onChange: (material: CertificateMaterial) => void;
  /** Called once for each new content that is invalid. */
  readonly onBroken: (error: unknown) => void;
}

/**
 * Polls the files; returns a function that stops it. Content counts, not names or times, because kubelet swaps a
 * symbolic link; and only content that two looks in a row agree on, so that no half-written file is used.
 */
export function watchCertificate({
  files,
  current,
  clock,
  intervalMs,
  ...listeners
}: CertificateWatchOptions): () => void {
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
      listeners.onChange(usable(found, files));
      served = fingerprint;
    } catch (error) {
      listeners.onBroken(error);
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
      throw new InvalidInput("the private key does not match the certificate");
    }
    // TLS would silently accept text without a certificate, and then reject every client.
    if (material.ca !== undefined && !new X509Certificate(material.ca).ca) {
      throw new InvalidInput("the client CA is not a CA certificate");
    }
    createSecureContext(material);
    return material;
  } catch (error) {
    throw new InvalidInput(`cannot load certificate ${files.certFile} with key ${files.keyFile}`, { cause: error });
  }
}

function fingerprintOf({ cert, key, ca }: CertificateMaterial): string {
  const hash = createHash("sha256");
  for (const part of [cert, key, ca]) hash.update(`${part?.length ?? -1}:`).update(part ?? "");
  return hash.digest("hex");
}
