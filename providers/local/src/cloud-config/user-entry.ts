import { InvalidInput } from "@butler/std";
import { EntryReader, isOneLine, readList } from "./entry-reader.ts";

/** A user that the bootstrap creates. */
export interface UserEntry {
  readonly name: string;
  readonly comment: string;
  /** Undefined for the default home directory. */
  readonly home: string | undefined;
  readonly shell: string;
  /** Undefined for a group named after the user. */
  readonly primaryGroup: string | undefined;
  readonly groups: readonly string[];
  /** The password field of the shadow file; a leading `!` disables password logins. */
  readonly password: string;
  readonly sudoRules: readonly string[];
  readonly authorizedKeys: readonly string[];
}

const fields = [
  "name",
  "gecos",
  "homedir",
  "shell",
  "primary_group",
  "groups",
  "passwd",
  "lock_passwd",
  "inactive",
  "sudo",
  "ssh_authorized_keys",
];

/** Parses one entry of `users`. */
export function parseUserEntry(value: unknown, path: string): UserEntry {
  if (value === "default") throw new InvalidInput(`${path} refers to the image's default user, but the image has none`);
  const reader = new EntryReader(typeof value === "string" ? { name: value } : value, path, fields);
  if (reader.flag("inactive") ?? false) return reader.refuse("inactive", "is not supported");
  const hash = reader.column("passwd") ?? "";
  const isLocked = reader.flag("lock_passwd") ?? true;
  return {
    name: parseName(reader, "name") ?? reader.refuse("name", "is required"),
    comment: reader.column("gecos") ?? "",
    home: parseAbsolute(reader, "homedir"),
    shell: parseAbsolute(reader, "shell") ?? "/bin/sh",
    primaryGroup: parseName(reader, "primary_group"),
    groups: parseGroups(reader),
    password: isLocked || hash === "" ? `!${hash}` : hash,
    sudoRules: parseLines(reader, "sudo"),
    authorizedKeys: parseLines(reader, "ssh_authorized_keys"),
  };
}

const nameShape = /^[A-Za-z_][A-Za-z0-9_.-]{0,31}$/;

function parseName(reader: EntryReader, field: string): string | undefined {
  const name = reader.text(field);
  if (name === undefined || nameShape.test(name)) return name;
  return reader.refuse(field, `"${name}" is not a valid user or group name`);
}

function parseAbsolute(reader: EntryReader, field: string): string | undefined {
  const path = reader.column(field);
  if (path === undefined || path.startsWith("/")) return path;
  return reader.refuse(field, "must be an absolute path");
}

function parseGroups(reader: EntryReader): string[] {
  const value = reader.value("groups") ?? [];
  const names = typeof value === "string" ? value.split(",").map((name) => name.trim()) : value;
  if (!Array.isArray(names)) return reader.refuse("groups", "must be a comma-separated string or a list");
  return names
    .filter((name) => name !== "")
    .map((name: unknown) => {
      if (typeof name === "string" && nameShape.test(name)) return name;
      return reader.refuse("groups", "contains an invalid group name");
    });
}

/** One line, or a list of them. False and absent are an empty list. */
function parseLines(reader: EntryReader, field: string): string[] {
  const value = reader.value(field);
  if (value === undefined || value === false) return [];
  const lines =
    typeof value === "string" ? [value] : readList(value, `${reader.path}.${field}`).map(({ item }) => item);
  return lines.map((line) => {
    if (typeof line === "string" && isOneLine(line)) return line;
    return reader.refuse(field, "must be a single line of text");
  });
}
