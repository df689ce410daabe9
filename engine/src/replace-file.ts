import { randomUUID } from "node:crypto";
import { renameSync, rmSync, writeFileSync } from "node:fs";

/** How a file is to be written. */
export interface FileWriting {
  /** Whether it has to survive a power loss. */
  readonly flush?: boolean;
  /** Only the owner may read it, unless said otherwise. */
  readonly mode?: number;
}

/** Replaces a file in one step, so that no reader ever sees half of it. */
export function replaceFile(file: string, text: string, { flush = false, mode = 0o600 }: FileWriting = {}): void {
  const temporary = `${file}.${randomUUID()}.tmp`;
  try {
    writeFileSync(temporary, text, { mode, flush });
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
