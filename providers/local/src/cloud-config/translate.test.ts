import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { translateBootstrapData } from "./translate.ts";

const metadata = { localHostname: "blue-x7k2p", instanceId: "blue-x7k2p" };

function translate(text: string | Uint8Array, format?: string) {
  const data = typeof text === "string" ? new TextEncoder().encode(text) : text;
  return translateBootstrapData({ data, format, metadata });
}

function scriptOf(text: string | Uint8Array): string {
  const translation = translate(text);
  return translation.kind === "script" ? translation.script : expect.fail(translation.message);
}

const join = `## template: jinja
#cloud-config

write_files:
-   path: /run/kubeadm/kubeadm-join-config.yaml
    owner: root:root
    permissions: '0640'
    content: |
      ---
      nodeRegistration:
        name: '{{ ds.meta_data.local_hostname }}'
        kubeletExtraArgs:
        - name: provider-id
          value: local:////{{ ds.meta_data.instance_id }}
runcmd:
  - kubeadm join --config /run/kubeadm/kubeadm-join-config.yaml  && echo success > /run/cluster-api/bootstrap-success.complete
`;

describe("the translation of bootstrap data", () => {
  it("fills in the machine's names", () => {
    const script = scriptOf(join);
    expect(script).toContain("name: \\047blue-x7k2p\\047");
    expect(script).toContain("value: local:////blue-x7k2p\n");
    expect(script).not.toContain("{{");
  });

  it("takes data that is packed with gzip", () => {
    expect(scriptOf(gzipSync(join))).toBe(scriptOf(join));
  });

  it("takes the provider's word for the format, and none for cloud-config", () => {
    expect(translate(join, "cloud-config")).toEqual(translate(join));
  });

  it("gives owner, permissions and order of cloud-init where nothing is said", () => {
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
  ])("understands %s in a template", (_what, template, expected) => {
    const text = `## template: jinja\n#cloud-config\nruncmd:\n- |\n  echo ${template}\n`;
    expect(scriptOf(text)).toContain(`echo ${expected}\n`);
  });

  it("leaves braces alone where there is no template", () => {
    expect(scriptOf('#cloud-config\nruncmd: ["echo {{ x }} {% y %}"]\n')).toContain("echo {{ x }} {%% y %%}");
  });

  it.each<[string, string, string]>([
    ["ntp", "ntp: { servers: [a] }", "asks for ntp, which a machine that is a pod cannot do"],
    ["mounts", "mounts: [[a, b]]", "asks for mounts"],
    ["disk_setup and fs_setup", "disk_setup: {}\nfs_setup: []", "asks for disk_setup, fs_setup"],
    ["packages", "packages: [vim]", "asks for packages"],
    ["a field of a file", "write_files: [{ path: /a, source: { uri: x } }]", "write_files[0].source is not supported"],
    ["a relative path", "write_files: [{ path: a/b }]", "write_files[0].path must begin with a slash"],
    ["a path of a directory", "write_files: [{ path: /a/ }]", "write_files[0].path does not name a file"],
    ["a file without a path", "write_files: [{}]", "write_files[0].path is missing"],
    ["permissions", "write_files: [{ path: /a, permissions: rw }]", "write_files[0].permissions must be an octal"],
    ["an owner", "write_files: [{ path: /a, owner: 'a b' }]", "write_files[0].owner must be"],
    ["an encoding", "write_files: [{ path: /a, encoding: rot13 }]", '[0].encoding "rot13" is not supported'],
    ["base64", "write_files: [{ path: /a, encoding: b64, content: '?' }]", "write_files[0].content is not base64"],
    ["gzip", "write_files: [{ path: /a, encoding: gzip, content: abc }]", "write_files[0].content is not gzip"],
    ["content", "write_files: [{ path: /a, content: [] }]", "write_files[0].content must be text"],
    ["a file that is none", "write_files: [7]", "write_files[0] is not a map of fields"],
    ["a list that is none", "write_files: yes", "write_files is not a list"],
    ["the default user", "users: [default]", "users[0] is the image's default user"],
    ["a user's name", "users: [{ name: 'a:b' }]", 'users[0].name "a:b" is not a name'],
    ["a user without a name", "users: [{}]", "users[0].name is missing"],
    ["an inactive user", "users: [{ name: a, inactive: true }]", "users[0].inactive is not supported"],
    ["a user's comment", "users: [{ name: a, gecos: 'x:y' }]", "users[0].gecos must be on one line and without colons"],
    ["a user's groups", "users: [{ name: a, groups: [1] }]", "users[0].groups has something"],
    ["a user's shell", "users: [{ name: a, shell: sh }]", "users[0].shell must begin with a slash"],
    [
      "a user's key",
      'users: [{ name: a, ssh_authorized_keys: ["a\\nb"] }]',
      "ssh_authorized_keys must be text on one line",
    ],
    ["a command", "runcmd: [{ a: b }]", "runcmd[0] is neither a text nor a list of words"],
    ["an empty command", "runcmd: [[]]", "runcmd[0] is an empty command"],
    ["a word", "runcmd: [[echo, { a: b }]]", "runcmd[0][1] is not a word"],
    ["YAML", "a: b: c", "the cloud-config is not YAML"],
    ["a tag", "runcmd: !python/object x", "the cloud-config is not YAML"],
    ["a list of modules", "- a", "the cloud-config is not a map of modules"],
  ])("refuses %s by name", (_what, body, message) => {
    const translation = translate(`#cloud-config\n${body}\n`);
    expect(translation).toEqual({ kind: "refused", message: expect.stringContaining(message) });
  });

  it.each<[string, string | Uint8Array, string]>([
    ["a shell script", "#!/bin/sh\ndate\n", "begins with #!"],
    ["a list of addresses", "#include\nhttp://x\n", "begins with #include"],
    ["MIME", "Content-Type: multipart/mixed; x\n", "begins with Content-Type: multipart/mixed"],
    ["JSON", '{"ignition":{}}', "begins with JSON"],
    ["nothing", "", "begins with something else"],
    ["broken gzip", new Uint8Array([0x1f, 0x8b, 0]), "the bootstrap data is not gzip"],
    ["bytes", new Uint8Array([0xff, 0xfe]), "the bootstrap data is not text in UTF-8"],
    ["another template", "## template: basic\n#cloud-config\n", 'templates in "basic" are not supported'],
    ["a statement", "## template: jinja\n#cloud-config\n# {% if x %}", 'statement "{% if x %}" is not supported'],
    ["an unknown value", "## template: jinja\n#cloud-config\n# {{ x.y }}", 'value "{{ x.y }}" is not known here'],
    ["an open value", "## template: jinja\n#cloud-config\n# {{ x", 'a "{{" without "}}"'],
    ["an open raw block", "## template: jinja\n#cloud-config\n# {% raw %}", '"{% raw %}" without'],
  ])("refuses %s", (_what, data, message) => {
    expect(translate(data)).toEqual({ kind: "refused", message: expect.stringContaining(message) });
  });

  it("refuses Ignition by name", () => {
    const message = 'bootstrap data in the format "ignition" is not supported, only cloud-config is';
    expect(translate("{}", "ignition")).toEqual({ kind: "refused", message });
  });

  it("refuses what no Secret could carry, and what unpacks to too much", () => {
    const content = "\\u0001".repeat(400_000);
    const large = `#cloud-config\nwrite_files: [{ path: /a, content: "${content}" }]\n`;
    expect(translate(large)).toMatchObject({ message: expect.stringContaining("a Secret has no room for it") });
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
    expect(translate(bomb)).toMatchObject({ message: expect.stringContaining("unpacks to more than") });
  });

  it("quotes nothing of the data in what it says about bad YAML", () => {
    const translation = translate("#cloud-config\nruncmd: [abcdef.0123456789abcdef\n");
    expect(translation.kind).toBe("refused");
    expect(JSON.stringify(translation)).not.toContain("abcdef");
  });
});
