import { InvalidInput, isRecord } from "@butler/std";
import { parseDocument } from "yaml";
import { parseCommands } from "./command-entry.ts";
import { readList } from "./entry-reader.ts";
import { type FileEntry, parseFileEntry } from "./file-entry.ts";
import { parseUserEntry, type UserEntry } from "./user-entry.ts";

/** The parsed bootstrap configuration. */
export interface CloudConfig {
  /** A shell script that runs before anything else; its failure is logged and ignored, as in cloud-init. */
  readonly bootScript: string | undefined;
  readonly files: readonly FileEntry[];
  readonly users: readonly UserEntry[];
  /** The shell script that does the work, run last. */
  readonly runScript: string | undefined;
}

const supported = ["write_files", "runcmd", "bootcmd", "users"];

/** Parses a cloud-config. Features that a pod does not support are rejected with an error that names them. */
export function parseCloudConfig(text: string): CloudConfig {
  requireCloudConfig(text);
  const config = parseYaml(text) ?? {};
  if (!isRecord(config)) throw new InvalidInput("the cloud-config must be a map of modules");
  const strangers = Object.keys(config).filter((key) => !supported.includes(key));
  if (strangers.length > 0) {
    throw new InvalidInput(
      `the cloud-config uses ${strangers.join(", ")}, which is not supported on machines that run as pods`,
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
    /^#[\w!-]+|^Content-Type:[^;]*/i.exec(first)?.[0] ?? (first.startsWith("{") ? "JSON" : "unknown content");
  throw new InvalidInput(`the bootstrap data must start with #cloud-config, found ${found}`);
}

/** cloud-init parses YAML 1.1, where 0640 is an octal number and yes is true. */
function parseYaml(text: string): unknown {
  const document = parseDocument(text, { version: "1.1", prettyErrors: true });
  const [problem] = [...document.errors, ...document.warnings];
  if (problem !== undefined)
    throw new InvalidInput(`the cloud-config is not valid YAML: ${firstLine(problem.message)}`);
  try {
    return document.toJS();
  } catch (error) {
    throw new InvalidInput("the cloud-config cannot be parsed", { cause: error });
  }
}

/** The parser appends the affected text, which may contain a token. */
function firstLine(message: string): string {
  return (message.split("\n", 1)[0] ?? "").replace(/:$/, "");
}
