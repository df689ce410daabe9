import { InvalidInput, isRecord } from "@butler/std";
import { parseDocument } from "yaml";
import { parseCommands } from "./command-entry.ts";
import { readList } from "./entry-reader.ts";
import { type FileEntry, parseFileEntry } from "./file-entry.ts";
import { parseUserEntry, type UserEntry } from "./user-entry.ts";

/** What a bootstrap asks of the machine. */
export interface CloudConfig {
  /** A shell script that runs before anything else; its failure is told and ignored, as cloud-init does. */
  readonly bootScript: string | undefined;
  readonly files: readonly FileEntry[];
  readonly users: readonly UserEntry[];
  /** The shell script that does the work, at the end. */
  readonly runScript: string | undefined;
}

const supported = ["write_files", "runcmd", "bootcmd", "users"];

/** Reads a cloud-config. What a machine that is a pod cannot do is refused by name. */
export function parseCloudConfig(text: string): CloudConfig {
  requireCloudConfig(text);
  const config = parseYaml(text) ?? {};
  if (!isRecord(config)) throw new InvalidInput("the cloud-config is not a map of modules");
  const strangers = Object.keys(config).filter((key) => !supported.includes(key));
  if (strangers.length > 0) {
    throw new InvalidInput(
      `the cloud-config asks for ${strangers.join(", ")}, which a machine that is a pod cannot do`,
    );
  }
  return {
    bootScript: parseCommands(config["bootcmd"], "bootcmd"),
    files: readList(config["write_files"], "write_files").map(({ item, path }) => parseFileEntry(item, path)),
    users: readList(config["users"], "users").map(({ item, path }) => parseUserEntry(item, path)),
    runScript: parseCommands(config["runcmd"], "runcmd"),
  };
}

function requireCloudConfig(text: string): void {
  const [first = ""] = text.trimStart().split(/\r?\n/, 1);
  if (/^#cloud-config\s*$/i.test(first)) return;
  const found =
    /^#[\w!-]+|^Content-Type:[^;]*/i.exec(first)?.[0] ?? (first.startsWith("{") ? "JSON" : "something else");
  throw new InvalidInput(`the bootstrap data begins with ${found} where #cloud-config is needed`);
}

/** cloud-init reads YAML 1.1, where 0640 is an octal number and yes is true. */
function parseYaml(text: string): unknown {
  const document = parseDocument(text, { version: "1.1", prettyErrors: true });
  const [trouble] = [...document.errors, ...document.warnings];
  if (trouble !== undefined) throw new InvalidInput(`the cloud-config is not YAML: ${firstLine(trouble.message)}`);
  try {
    return document.toJS();
  } catch (error) {
    throw new InvalidInput("the cloud-config cannot be read", { cause: error });
  }
}

/** The parser quotes the text in question below, and that text may hold a token. */
function firstLine(message: string): string {
  return (message.split("\n", 1)[0] ?? "").replace(/:$/, "");
}
