import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { translateBootstrapData } from "./translate.ts";
import { joinData } from "../testing/tenant.ts";

const metadata = { localHostname: "blue-x7k2p", instanceId: "blue-x7k2p" };

function translate(text: string | Uint8Array, format?: string) {
  const data = typeof text === "string" ? new TextEncoder().encode(text) : text;
  return translateBootstrapData({ data, format, metadata });
}

function scriptOf(text: string | Uint8Array): string {
  const translation = translate(text);
  return translation.kind === "script" ? translation.script : expect.fail(translation.message);
}

describe("the translation of bootstrap data", () => {
  it("substitutes the machine's names", () => {
    const script = scriptOf(joinData);
    expect(script).toContain("name: \\047blue-x7k2p\\047");
    expect(script).toContain("value: local:////blue-x7k2p\n");
    expect(script).not.toContain("{{");
  });

  it("accepts gzip-compressed data", () => {
    expect(scriptOf(gzipSync(joinData))).toBe(scriptOf(joinData));
  });

  it("uses the format reported by the provider, and defaults to cloud-config", () => {
    expect(translate(joinData, "cloud-config")).toEqual(translate(joinData));
  });

  it("uses cloud-init's defaults for owner, permissions and order", () => {
    const script = scriptOf(`#cloud-config
runcmd: [["touch", "/done"], "date"]
bootcmd: [hostname]
write_files:
- { path: /etc/late, content: late, defer: true }
- { path: //etc//early, content: early, permissions: 0600 }
users: [{ name: ops }]
`);
    const marks = ["scripts/bootcmd", "> /etc/early", "make_user ops", "> /etc/late", "scripts/runcmd"];
    const places = marks.map((mark) => script.indexOf(mark));
    expect(places).toEqual(places.toSorted((left, right) => left - right));
    expect(places).not.toContain(-1);
    expect(script).toContain("chmod 0600 /etc/early && chown root:root /etc/early");
    expect(script).toContain("chmod 0644 /etc/late && chown root:root /etc/late");
    expect(script).toContain("touch /done\ndate\n");
  });

  it.each<[string, string, string]>([
    ["a value in brackets", "{{ ds.meta_data['local-hostname'] }}", "blue-x7k2p"],
    ["a standard name", "{{v1.instance_id}}", "blue-x7k2p"],
    ["literal text", '{{ "{{ x }}" }}', "{{ x }}"],
    ["a raw block", "{% raw %}{{ x }}{% endraw %}", "{{ x }}"],
    ["a comment", "a{# {{ x }} #}b", "ab"],
  ])("supports %s in a template", (_what, template, expected) => {
    const text = `## template: jinja\n#cloud-config\nruncmd:\n- |\n  echo ${template}\n`;
    expect(scriptOf(text)).toContain(`echo ${expected}\n`);
  });

  it("does not change braces without a template header", () => {
    expect(scriptOf('#cloud-config\nruncmd: ["echo {{ x }} {% y %}"]\n')).toContain("echo {{ x }} {%% y %%}");
  });

  it.each<[string, string, string]>([
    ["ntp", "ntp: { servers: [a] }", "uses ntp, which is not supported on machines that run as pods"],
    ["mounts", "mounts: [[a, b]]", "uses mounts"],
    ["disk_setup and fs_setup", "disk_setup: {}\nfs_setup: []", "uses disk_setup, fs_setup"],
    ["packages", "packages: [vim]", "uses packages"],
    ["a field of a file", "write_files: [{ path: /a, source: { uri: x } }]", "write_files[0].source is not supported"],
    ["a relative path", "write_files: [{ path: a/b }]", "write_files[0].path must be an absolute path"],
    [
      "a path of a directory",
      "write_files: [{ path: /a/ }]",
      "write_files[0].path must be a file path without a trailing slash or NUL character",
    ],
    ["a file without a path", "write_files: [{}]", "write_files[0].path is required"],
    ["permissions", "write_files: [{ path: /a, permissions: rw }]", "write_files[0].permissions must be an octal"],
    ["an owner", "write_files: [{ path: /a, owner: 'a b' }]", "write_files[0].owner must be"],
    ["an encoding", "write_files: [{ path: /a, encoding: rot13 }]", '[0].encoding "rot13" is not supported'],
    ["base64", "write_files: [{ path: /a, encoding: b64, content: '?' }]", "write_files[0].content is not base64"],
    ["gzip", "write_files: [{ path: /a, encoding: gzip, content: abc }]", "write_files[0].content is not valid gzip"],
    ["content", "write_files: [{ path: /a, content: [] }]", "write_files[0].content must be a string"],
    ["a file that is none", "write_files: [7]", "write_files[0] must be a map"],
    ["a list that is none", "write_files: yes", "write_files must be a list"],
    ["the default user", "users: [default]", "users[0] refers to the image's default user"],
    ["a user's name", "users: [{ name: 'a:b' }]", 'users[0].name "a:b" is not a valid user or group name'],
    ["a user without a name", "users: [{}]", "users[0].name is required"],
    ["an inactive user", "users: [{ name: a, inactive: true }]", "users[0].inactive is not supported"],
    ["a user's comment", "users: [{ name: a, gecos: 'x:y' }]", "users[0].gecos must be a single line without colons"],
    ["a user's groups", "users: [{ name: a, groups: [1] }]", "users[0].groups contains an invalid group name"],
    ["a user's shell", "users: [{ name: a, shell: sh }]", "users[0].shell must be an absolute path"],
    [
      "a user's key",
      'users: [{ name: a, ssh_authorized_keys: ["a\\nb"] }]',
      "ssh_authorized_keys must be a single line of text",
    ],
    ["a command", "runcmd: [{ a: b }]", "runcmd[0] must be a string or a list of strings"],
    ["an empty command", "runcmd: [[]]", "runcmd[0] is an empty command"],
    ["a word", "runcmd: [[echo, { a: b }]]", "runcmd[0][1] must be a string or a number"],
    ["YAML", "a: b: c", "the cloud-config is not valid YAML"],
    ["a tag", "runcmd: !python/object x", "the cloud-config is not valid YAML"],
    ["a list of modules", "- a", "the cloud-config must be a map of modules"],
  ])("rejects %s by name", (_what, body, message) => {
    const translation = translate(`#cloud-config\n${body}\n`);
    expect(translation).toEqual({ kind: "refused", message: expect.stringContaining(message) });
  });

  it.each<[string, string | Uint8Array, string]>([
    ["a shell script", "#!/bin/sh\ndate\n", "must start with #cloud-config, found #!"],
    ["a list of addresses", "#include\nhttp://x\n", "must start with #cloud-config, found #include"],
    [
      "MIME",
      "Content-Type: multipart/mixed; x\n",
      "must start with #cloud-config, found Content-Type: multipart/mixed",
    ],
    ["JSON", '{"ignition":{}}', "must start with #cloud-config, found JSON"],
    ["nothing", "", "must start with #cloud-config, found unknown content"],
    ["broken gzip", new Uint8Array([0x1f, 0x8b, 0]), "the bootstrap data is not valid gzip"],
    ["bytes", new Uint8Array([0xff, 0xfe]), "the bootstrap data is not valid UTF-8"],
    ["another template", "## template: basic\n#cloud-config\n", 'template language "basic" is not supported'],
    ["a statement", "## template: jinja\n#cloud-config\n# {% if x %}", 'statement "{% if x %}" is not supported'],
    ["an unknown value", "## template: jinja\n#cloud-config\n# {{ x.y }}", 'unknown template value "{{ x.y }}"'],
    ["an open value", "## template: jinja\n#cloud-config\n# {{ x", 'a "{{" without "}}"'],
    ["an open raw block", "## template: jinja\n#cloud-config\n# {% raw %}", '"{% raw %}" without'],
  ])("rejects %s", (_what, data, message) => {
    expect(translate(data)).toEqual({ kind: "refused", message: expect.stringContaining(message) });
  });

  it("rejects Ignition by name", () => {
    const message = 'bootstrap data format "ignition" is not supported; use cloud-config';
    expect(translate("{}", "ignition")).toEqual({ kind: "refused", message });
  });

  it("rejects data that does not fit into a Secret or decompresses to too much", () => {
    const content = "\\u0001".repeat(400_000);
    const large = `#cloud-config\nwrite_files: [{ path: /a, content: "${content}" }]\n`;
    expect(translate(large)).toMatchObject({ message: expect.stringContaining("too large for a Secret") });
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
    expect(translate(bomb)).toMatchObject({ message: expect.stringContaining("is not valid gzip, or is larger than") });
  });

  it("does not quote the data in errors about invalid YAML", () => {
    const translation = translate("#cloud-config\nruncmd: [abcdef.0123456789abcdef\n");
    expect(translation.kind).toBe("refused");
    expect(JSON.stringify(translation)).not.toContain("abcdef");
  });
});
