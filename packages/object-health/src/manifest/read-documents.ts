import { setImmediate } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { InvalidInput, Timeout } from "@butler/std";
import pLimit from "p-limit";
import type { DocumentResult } from "./document-json.ts";
import type { DocumentWork } from "./document-worker.ts";

const longestMs = 60_000;
const mostMemoryMiB = 256;

/** Each thread uses a CPU and some memory; more at once would only slow each other down. */
const threads = pLimit(2);

/** Reads documents in order: here when all are short, otherwise all of them in a separate thread. */
export async function readDocuments(
  documents: readonly string[],
  signal?: AbortSignal,
): Promise<readonly DocumentResult[]> {
  return documents.every(isShort) ? readHere(documents, signal) : readInThread(documents, signal);
}

/** A text this short is read within one turn of the event loop, for less than the cost of a thread. */
const shortText = 8 * 1024;

/** Anchors can expand a short text into a large document. */
function isShort(text: string): boolean {
  return text.length <= shortText && !text.includes("&");
}

async function readHere(documents: readonly string[], signal: AbortSignal | undefined): Promise<DocumentResult[]> {
  const { documentJson, DocumentTotal } = await import("./document-json.ts");
  const total = new DocumentTotal();
  const results: DocumentResult[] = [];
  for (const text of documents) {
    await setImmediate();
    signal?.throwIfAborted();
    const result = total.add(documentJson(text));
    results.push(result);
    if ("fault" in result) break;
  }
  return results;
}

/** Always terminates the thread. */
async function readInThread(
  documents: readonly string[],
  signal: AbortSignal | undefined,
): Promise<readonly DocumentResult[]> {
  return threads(async () => {
    signal?.throwIfAborted();
    const { workerUrl } = await import("./document-worker.ts");
    const workerData: DocumentWork = { mark: "butler-documents", documents };
    const worker = new Worker(workerUrl, {
      workerData,
      execArgv: [],
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: mostMemoryMiB },
    });
    try {
      return await answerOf(worker, signal);
    } finally {
      await worker.terminate();
    }
  });
}

function answerOf(worker: Worker, signal: AbortSignal | undefined): Promise<readonly DocumentResult[]> {
  const { promise, resolve, reject } = Promise.withResolvers<readonly DocumentResult[]>();
  const late = setTimeout(
    () => reject(new Timeout(`reading the manifest timed out after ${longestMs / 1000} s`)),
    longestMs,
  );
  const onAbort = (): void => reject(signal?.reason as Error);
  signal?.addEventListener("abort", onAbort, { once: true });
  worker.once("message", resolve);
  worker.once("error", (error: Error & { code?: string }) => {
    const isTooMuch = error.code === "ERR_WORKER_OUT_OF_MEMORY";
    reject(isTooMuch ? new InvalidInput("the manifest needs too much memory to parse") : error);
  });
  worker.once("exit", () => reject(new InvalidInput("cannot read the manifest: the parser exited unexpectedly")));
  return promise.finally(() => {
    clearTimeout(late);
    signal?.removeEventListener("abort", onAbort);
  });
}
