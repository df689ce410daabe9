import { posix } from "node:path";
import { bootstrapSentinelPath } from "@butler/api-external";
import type { FileEntry } from "./file-entry.ts";
import type { CloudConfig } from "./parse-cloud-config.ts";
import { printfFormat, shellWord } from "./shell-text.ts";
import type { UserEntry } from "./user-entry.ts";
import { userFunctions } from "./user-functions.ts";

export interface RenderScriptOptions {
  /** A directory used as the root of the file system; for tests. */
  readonly root?: string;
}

/** The directory in which cloud-init stores the scripts it generates from commands. */
const scriptDirectory = "/var/lib/cloud/instance/scripts";

/**
 * Renders a cloud-config as a POSIX shell script, in cloud-init's order: boot commands, files, users, deferred files,
 * commands. Every value is quoted by shellWord, commands are in separate files, and the whole script is ASCII. The
 * script exits with 0 only if the sentinel file exists on the machine, and does nothing if it exists already.
 */
export function renderScript(config: CloudConfig, { root = "" }: RenderScriptOptions = {}): string {
  const { bootScript, files, users, runScript } = config;
  const at = (path: string): string => shellWord(root + path);
  const writeAll = (isDeferred: boolean): string[] =>
    files.filter((file) => file.isDeferred === isDeferred).flatMap((file) => writeFile(file, at));
  const lines = [
    ...prelude(at),
    ...(bootScript === undefined ? [] : runCommands("bootcmd", bootScript, at)),
    ...(bootScript === undefined ? [] : ['[ "$status" -eq 0 ] || echo "bootstrap: a boot command failed" >&2']),
    ...writeAll(false),
    ...(users.length === 0 ? [] : [userFunctions, ...users.map(makeUser)]),
    ...writeAll(true),
    ...(runScript === undefined ? ["status=0"] : runCommands("runcmd", runScript, at)),
    ...verdict(runScript),
  ];
  return `${lines.join("\n")}\n`;
}

function prelude(at: (path: string) => string): string[] {
  return [
    "#!/bin/sh",
    "# Bootstrap script of a machine, generated from its cloud-config.",
    `root=${at("")}`,
    `sentinel=${at(bootstrapSentinelPath)}`,
    '[ ! -e "$sentinel" ] || exit 0',
    "umask 077",
    'fail() { printf "bootstrap: %s\\n" "$1" >&2; exit 1; }',
    'make_directory() { ( umask 022; mkdir -p "$1" ) || fail "cannot make the directory $1"; }',
  ];
}

function writeFile({ path, owner, mode, append, content }: FileEntry, at: (path: string) => string): string[] {
  const file = at(path);
  const redirection = `${append ? ">>" : ">"} ${file}`;
  const message = shellWord(`cannot write ${path}`);
  return [
    `make_directory ${at(posix.dirname(path))}`,
    print(content, redirection, message),
    `chmod ${mode.toString(8).padStart(4, "0")} ${file} && chown ${owner} ${file} || fail ${message}`,
  ];
}

function print(content: Uint8Array, redirection: string, message: string): string {
  return `printf ${printfFormat(content)} ${redirection} || fail ${message}`;
}

/** Commands run in a separate shell, so that neither an `exit` nor a syntax error in them ends the bootstrap. */
function runCommands(name: string, script: string, at: (path: string) => string): string[] {
  const file = at(posix.join(scriptDirectory, name));
  return [
    `make_directory ${at(scriptDirectory)}`,
    print(new TextEncoder().encode(script), `> ${file}`, shellWord(`cannot write ${name}`)),
    `( umask 022; exec /bin/sh ${file} < /dev/null )`,
    "status=$?",
  ];
}

function makeUser(user: UserEntry): string {
  const { name, comment, home, shell, primaryGroup, groups, password, sudoRules, authorizedKeys } = user;
  const words = [name, comment, home ?? `/home/${name}`, shell, primaryGroup ?? name, password].map(shellWord);
  return [
    `make_user ${words.join(" ")}`,
    ...groups.map((group) => `join_group ${shellWord(name)} ${shellWord(group)}`),
    ...sudoRules.map((rule) => `allow_sudo ${shellWord(name)} ${shellWord(rule)}`),
    ...authorizedKeys.map((key) => `authorize_key ${shellWord(name)} ${shellWord(key)}`),
  ].join("\n");
}

/**
 * Bootstrap providers signal success by a file (bootstrap provider contract, "Sentinel file"), because commands that
 * follow may succeed after a failed join. Only if the commands do not mention the file, their exit status decides.
 */
function verdict(runScript: string | undefined): string[] {
  const writesSentinel = runScript?.includes(bootstrapSentinelPath) ?? false;
  return [
    ...(writesSentinel
      ? []
      : ['if [ "$status" -eq 0 ]; then make_directory "${sentinel%/*}"; echo success > "$sentinel"; fi']),
    '[ ! -e "$sentinel" ] || exit 0',
    'echo "bootstrap: the commands ended with $status and without success" >&2',
    '[ "$status" -ne 0 ] || status=1',
    'exit "$status"',
  ];
}
