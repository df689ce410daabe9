// Reads documents in a thread of its own: a large one takes longer than the rest of the process can wait.
import { isMainThread, parentPort, workerData } from "node:worker_threads";
import type { DocumentResult } from "./document-json.ts";

/** Where this very module is, also when it has become a file of a bundle; a worker is started from it. */
export const workerUrl = new URL(import.meta.url);

/** What the thread is given; the mark keeps the module quiet in threads that only import it. */
export interface DocumentWork {
  readonly mark: "butler-documents";
  readonly documents: readonly string[];
}

const work = workerData as DocumentWork | null | undefined;

if (!isMainThread && work?.mark === "butler-documents") {
  // Only here: whoever imports this module for its place alone should not have to load a whole parser.
  const { documentJson } = await import("./document-json.ts");
  const results: DocumentResult[] = [];
  for (const text of work.documents) {
    const result = documentJson(text);
    results.push(result);
    // The first fault decides: nothing that follows is of use.
    if ("fault" in result) break;
  }
  parentPort?.postMessage(results, []);
}
