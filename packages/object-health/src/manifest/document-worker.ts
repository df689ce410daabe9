// Reads documents in a separate thread: a large one would block the event loop for too long.
import { isMainThread, parentPort, workerData } from "node:worker_threads";
import type { DocumentResult } from "./document-json.ts";

/** URL of this module, also when bundled; a worker is started from it. */
export const workerUrl = new URL(import.meta.url);

/** The thread's input; the mark keeps the module inactive in threads that only import it. */
export interface DocumentWork {
  readonly mark: "butler-documents";
  readonly documents: readonly string[];
}

const work = workerData as DocumentWork | null | undefined;

if (!isMainThread && work?.mark === "butler-documents") {
  // Only here: an import of this module for its URL must not load the parser.
  const { documentJson, DocumentTotal } = await import("./document-json.ts");
  const total = new DocumentTotal();
  const results: DocumentResult[] = [];
  for (const text of work.documents) {
    const result = total.add(documentJson(text));
    results.push(result);
    // The first fault fails the manifest, so the rest is not read.
    if ("fault" in result) break;
  }
  parentPort?.postMessage(results, []);
}
