import { existsSync } from "node:fs";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { bootstrapSentinelPath } from "@butler/api-external";
import { shortOrLong } from "@butler/testkit/soak";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runScript, runScriptText, withDirectory } from "../testing/run-script.ts";
import { translateBootstrapData } from "./translate.ts";

const isRoot = process.getuid?.() === 0;
const owner = `${process.getuid?.() ?? 0}:${process.getgid?.() ?? 0}`;

function translated(config: unknown, root: string): string {
  const data = new TextEncoder().encode(`#cloud-config\n${JSON.stringify(config)}\n`);
  const metadata = { localHostname: "blue", instanceId: "blue" };
  const translation = translateBootstrapData({ data, format: undefined, metadata, root });
  return translation.kind === "script" ? translation.script : expect.fail(translation.message);
}

const run = async (config: unknown, root: string) => runScriptText(translated(config, root), root);

/** File names that are likely to contain every character that is special to a shell. */
const segment = fc
  .oneof(
    fc.string({
      unit: fc.constantFrom(...Array.from("ab'\"`$();&|<>*?[]{}!#~%\\ \n\t=-")),
      minLength: 1,
      maxLength: 12,
    }),
    fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 }),
  )
  .filter((name) => !/[/\0]/.test(name) && name !== "." && name !== ".." && Buffer.byteLength(name) <= 200);

const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 300 }),
  fc.string({ unit: "binary", maxLength: 100 }).map((text) => new TextEncoder().encode(text)),
  fc.string({ unit: fc.constantFrom(...Array.from("a'\"\\%$`\n\0-0")) }).map((text) => new TextEncoder().encode(text)),
);

const file = fc.record({
  directory: fc.array(segment, { maxLength: 2 }),
  name: segment,
  content: bytes,
  encoding: fc.constantFrom("b64", "base64", "gz+b64", "gzip+base64"),
  mode: fc.constantFrom(0o600, 0o640, 0o644, 0o755),
});

function encode(content: Uint8Array, encoding: string): string {
  return Buffer.from(encoding.startsWith("gz") ? gzipSync(content) : content).toString("base64");
}

describe("the bootstrap script", () => {
  it("writes files byte for byte, with any content and name", async () => {
    const property = fc.asyncProperty(fc.array(file, { minLength: 1, maxLength: 4 }), async (files) => {
      await withDirectory(async (root) => {
        const placed = files.map((entry, at) => ({
          ...entry,
          path: ["", `f${at}`, ...entry.directory, entry.name].join("/"),
        }));
        const write_files = placed.map(({ path, content, encoding, mode }) => {
          return { path, owner, permissions: mode.toString(8), encoding, content: encode(content, encoding) };
        });
        const { exitCode, output } = await run({ write_files }, root);
        expect({ exitCode, output }).toEqual({ exitCode: 0, output: "" });
        for (const { path, content, mode } of placed) {
          expect(Buffer.compare(await readFile(root + path), Buffer.from(content))).toBe(0);
          expect((await stat(root + path)).mode & 0o7777).toBe(mode);
        }
        expect((await readdir(root)).toSorted()).toEqual(
          [...placed.map((_entry, at) => `f${at}`), "run", "script.sh"].toSorted(),
        );
      });
    });
    await fc.assert(property, { numRuns: shortOrLong(15, 1_000) });
  });

  it("writes plain text unchanged", async () => {
    const text = fc.string({ unit: "grapheme", maxLength: 60 });
    const property = fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 5 }), async (texts) => {
      await withDirectory(async (root) => {
        await run({ write_files: texts.map((content, at) => ({ path: `/f${at}`, owner, content })) }, root);
        for (const [at, content] of texts.entries()) expect(await readFile(join(root, `f${at}`), "utf8")).toBe(content);
      });
    });
    await fc.assert(property, { numRuns: shortOrLong(10, 500) });
  });

  it("passes the words of a command on unchanged", async () => {
    const word = fc.string({ unit: "grapheme", maxLength: 20 }).filter((text) => !text.includes("\0"));
    const property = fc.asyncProperty(fc.array(word, { maxLength: 6 }), async (words) => {
      await withDirectory(async (root) => {
        const seen = join(root, "seen");
        const command = ["/bin/sh", "-c", String.raw`printf '%s\0' "$@" > "$0"`, seen, "first", ...words];
        const { exitCode } = await run({ runcmd: [command] }, root);
        expect(exitCode).toBe(0);
        expect((await readFile(seen, "utf8")).split("\0")).toEqual(["first", ...words, ""]);
      });
    });
    await fc.assert(property, { numRuns: shortOrLong(10, 500) });
  });

  it.skipIf(!existsSync("/bin/bash"))("behaves the same in another shell", async () => {
    const content = Buffer.from(Uint8Array.from({ length: 256 }, (_value, at) => at));
    await withDirectory(async (root) => {
      const write_files = [{ path: "/all", owner, encoding: "b64", content: content.toString("base64") }];
      const script = join(root, "script.sh");
      await writeFile(script, translated({ write_files }, root));
      expect(await runScript(script, "/bin/bash")).toEqual({ exitCode: 0, output: "" });
      expect(Buffer.compare(await readFile(join(root, "all")), content)).toBe(0);
    });
  });

  it("appends on request, and creates missing files", async () => {
    await withDirectory(async (root) => {
      const lines = ["one\n", "two\n"].map((content) => ({ path: "/etc/x", owner, append: true, content }));
      await run({ write_files: lines }, root);
      expect(await readFile(join(root, "etc/x"), "utf8")).toBe("one\ntwo\n");
    });
  });

  it("succeeds only if the commands create the sentinel file", async () => {
    const outcome = async (...commands: string[]) =>
      withDirectory(async (root) => {
        const runcmd = commands.map((command) => command.replace("SENTINEL", root + bootstrapSentinelPath));
        const write_files = [{ path: "/run/cluster-api/placeholder", owner }];
        return (await run({ write_files, runcmd }, root)).exitCode;
      });
    expect(await outcome("true && echo success > SENTINEL")).toBe(0);
    expect(await outcome("true && echo success > SENTINEL", "false")).toBe(0);
    expect(await outcome("(exit 7) && echo success > SENTINEL")).toBe(7);
    expect(await outcome("(exit 7) && echo success > SENTINEL", "true")).toBe(1);
    expect(await outcome("exit 3", "echo success > SENTINEL")).toBe(3);
    expect(await outcome("if then", "echo success > SENTINEL")).not.toBe(0);
    expect(await outcome("true")).toBe(0);
    expect(await outcome("(exit 4)")).toBe(4);
    expect(await outcome()).toBe(0);
  });

  it("does nothing on a machine that was bootstrapped before", async () => {
    await withDirectory(async (root) => {
      const config = { runcmd: [`echo once >> ${join(root, "runs")}`] };
      await run(config, root);
      expect((await run(config, root)).exitCode).toBe(0);
      expect(await readFile(join(root, "runs"), "utf8")).toBe("once\n");
    });
  });

  it("continues after a failed boot command, and logs the failure", async () => {
    await withDirectory(async (root) => {
      const { exitCode, output } = await run({ bootcmd: ["exit 9"], runcmd: ["echo still here"] }, root);
      expect(exitCode).toBe(0);
      expect(output).toContain("a boot command failed");
      expect(output).toContain("still here");
    });
  });

  it("stops at a file that cannot be written, and names it", async () => {
    await withDirectory(async (root) => {
      const write_files = [
        { path: "/a", owner },
        { path: "/a/b", owner },
      ];
      const { exitCode, output } = await run({ write_files, runcmd: [`touch ${join(root, "ran")}`] }, root);
      expect(exitCode).toBe(1);
      expect(output).toContain(`cannot make the directory ${root}/a`);
      expect(await readdir(root)).not.toContain("ran");
    });
  });

  it.skipIf(!isRoot)("creates users with groups, keys and sudo rules, and creates nothing twice", async () => {
    await withDirectory(async (root) => {
      const gecos = 'it\'s $(touch /tmp/x) `y` "z" é';
      const keys = ["ssh-ed25519 AAAA ops@example", "from='10.0.0.0/8' ssh-rsa $(BBBB)"];
      const users = [
        { name: "root", ssh_authorized_keys: keys },
        { name: "ops", gecos, groups: "wheel, adm", sudo: "ALL=(ALL) NOPASSWD:ALL", ssh_authorized_keys: keys },
        {
          name: "dev",
          groups: ["adm"],
          passwd: "$6$salt$hash",
          lock_passwd: false,
          homedir: "/srv/dev",
          shell: "/bin/bash",
        },
      ];
      const write_files = [
        { path: "/etc/passwd", content: "root:x:0:0:root:/root:/bin/bash" },
        { path: "/etc/group", content: "root:x:0:\nadm:x:4:syslog" },
      ];
      await run({ write_files }, root);
      const again = translated({ users, runcmd: ["true"] }, root).replace('[ ! -e "$sentinel" ] || exit 0', "");
      const text = (path: string) => readFile(join(root, path), "utf8");
      for (const attempt of [1, 2]) {
        expect((await runScriptText(again, root)).output, `attempt ${attempt}`).toBe("");
        expect(await text("etc/passwd")).toBe(
          "root:x:0:0:root:/root:/bin/bash\n" +
            `ops:x:1000:1000:${gecos}:/home/ops:/bin/sh\ndev:x:1001:1002::/srv/dev:/bin/bash\n`,
        );
        expect(await text("etc/group")).toBe(
          "root:x:0:\nadm:x:4:syslog,ops,dev\nops:x:1000:\nwheel:x:1001:ops\ndev:x:1002:\n",
        );
        expect(await text("etc/shadow")).toBe("ops:!::0:99999:7:::\ndev:$6$salt$hash::0:99999:7:::\n");
        expect(await text("etc/sudoers.d/90-cloud-init-users")).toBe("ops ALL=(ALL) NOPASSWD:ALL\n");
        expect(await text("home/ops/.ssh/authorized_keys")).toBe(`${keys.join("\n")}\n`);
        expect(await text("root/.ssh/authorized_keys")).toBe(`${keys.join("\n")}\n`);
      }
      const { uid, gid, mode } = await stat(join(root, "home/ops/.ssh/authorized_keys"));
      expect({ uid, gid, mode: mode & 0o777 }).toEqual({ uid: 1000, gid: 1000, mode: 0o600 });
    });
  });
});
