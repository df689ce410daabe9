import { isMainThread, parentPort, workerData } from "node:worker_threads";
import { compare, hash } from "bcryptjs";
import { describeError } from "@butler/std";
import { type PasswordAnswer, type PasswordTask, passwordThread } from "./password-tasks.ts";

/**
 * URL of this module, also in a bundle. Importing the module for its URL does none of its work, which only starts in
 * the worker thread.
 */
export const workerUrl = new URL(import.meta.url);

/** Each task uses a CPU for a good part of a second. */
async function answerTo(task: PasswordTask): Promise<PasswordAnswer> {
  try {
    const result =
      task.kind === "hash" ? await hash(task.password, task.cost) : await compare(task.password, task.hash);
    return { id: task.id, result };
  } catch (error) {
    return { id: task.id, error: describeError(error) };
  }
}

if (!isMainThread && workerData === passwordThread) {
  parentPort?.on("message", (task: PasswordTask) => {
    void answerTo(task).then((answer) => parentPort?.postMessage(answer, []));
  });
}
