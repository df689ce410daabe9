import type { SessionOptions } from "@butler/cli-session";
import { Argument } from "commander";

/** Options of the commands that change an account. */
export interface ChangeOptions extends SessionOptions {
  readonly yes?: boolean;
  readonly dryRun?: boolean;
}

/** The account. */
export const accountArgument = (): Argument => new Argument("<user>", "name or email address of the account");

/** Description of --dry-run. */
export const dryRunText = "validate on the server without changing anything";
