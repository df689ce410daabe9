import { readFile, writeFile } from "node:fs/promises";
import { describeError } from "@butler/std";

const setting = "/proc/sys/fs/inotify/max_user_instances";
/** Enough for some hundred control planes and nodes. */
const wantedInstances = 8_192;

/**
 * Raises the limit of inotify instances if it is lower. Linux allows 128 for all processes of a user together, and each
 * API server and controller manager uses 7 of them: beyond the limit, kubelets fail to start and their nodes never join.
 */
export async function raiseInotifyLimit(say: (sentence: string) => void, file = setting): Promise<void> {
  const present = Number(await readFile(file, "utf8").catch(() => Number.NaN));
  if (!(present < wantedInstances)) return;
  try {
    await writeFile(file, String(wantedInstances));
    say(`raised fs.inotify.max_user_instances from ${present} to ${wantedInstances}`);
  } catch (error) {
    say(`cannot raise fs.inotify.max_user_instances from ${present}: ${describeError(error)}`);
  }
}
