import { randomUUID } from "node:crypto";
import { renameSync, rmSync, writeFileSync } from "node:fs";

/** Options of writing a file. */
export interface FileWriting {
  /** Whether it has to survive a power loss. */
  readonly flush?: boolean;
  /** By default only the owner may read it. */
  readonly mode?: number;
}

/** Replaces a file atomically, so that readers never see a partial file. */
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
