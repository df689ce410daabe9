import { execFileSync } from "node:child_process";
import { parse as parseYaml } from "yaml";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { preparationFiles, preparationPath } from "./rocky-preparation.ts";
import { plainSshKey } from "./rocky-ssh-key.ts";
import { rockyBootstrap, rockyFaults } from "./rocky.ts";
import { anInput, anSshKey, type InputTraits } from "./testing/machine-inputs.ts";
import { aPool, anyWorkers, mainPool } from "./testing/pools.ts";

const bootstrap = (traits: InputTraits = {}) => {
  const input = anInput("harvester", traits);
  return rockyBootstrap(input, mainPool(input), {});
};
const contentOf = (path: string, version = "v1.34.1"): string =>
  preparationFiles(version).find((file) => file.path === path)?.content ?? "";

describe("rockyBootstrap", () => {
  it("joins with containerd, labels and taints", () => {
    const workers = {
      labels: { tier: "a", "example.com/b": "c", "node-role.kubernetes.io/gpu": "" },
      taints: [{ key: "gpu", effect: "NoSchedule" }],
    };
    expect(bootstrap({ cluster: { workers } }).joinConfiguration?.nodeRegistration).toEqual({
      criSocket: "unix:///run/containerd/containerd.sock",
      imagePullPolicy: "IfNotPresent",
      kubeletExtraArgs: [{ name: "node-labels", value: "example.com/b=c,tier=a" }],
      taints: [{ key: "gpu", effect: "NoSchedule" }],
    });
  });

  it("runs the provider's commands first, and keeps its files", () => {
    const input = anInput("harvester");
    const own = { path: "/etc/own", content: "own\n" };
    const parts = { files: [own], preKubeadmCommands: ["first"], postKubeadmCommands: ["last"] };
    const spec = rockyBootstrap(input, mainPool(input), parts);
    expect(spec.preKubeadmCommands).toEqual(["set -e", "first", preparationPath]);
    expect(spec.postKubeadmCommands).toEqual(["last"]);
    expect(spec.files).toContainEqual(own);
  });

  it("authorizes the SSH key, and creates no user without one", () => {
    const key = anSshKey();
    expect(bootstrap()).not.toHaveProperty("users");
    expect(bootstrap({ sshAuthorizedKey: "" })).not.toHaveProperty("users");
    expect(bootstrap({ sshAuthorizedKey: `${key} ada@example.com` }).users).toEqual([
      expect.objectContaining({ name: "rocky", lockPassword: true, sshAuthorizedKeys: [key] }),
    ]);
  });

  it("prefers the key of the pool", () => {
    const own = anSshKey("ssh-rsa");
    const workers = { machineTemplate: { os: { sshAuthorizedKey: own } } };
    expect(bootstrap({ sshAuthorizedKey: anSshKey(), cluster: { workers } }).users?.[0]?.sshAuthorizedKeys).toEqual([
      own,
    ]);
  });

  it("installs packages of the exact version, from the repository of its minor version", () => {
    expect(contentOf("/etc/yum.repos.d/kubernetes.repo", "v1.30.14")).toContain(
      "baseurl=https://pkgs.k8s.io/core:/stable:/v1.30/rpm/\n",
    );
    expect(contentOf(preparationPath, "v1.30.14")).toContain("kubelet-1.30.14 kubeadm-1.30.14 kubectl-1.30.14\n");
  });

  it.each(["1.34.1", "v1.34", "v1.34.1; reboot", "v1.34.1-rc.0", "$(reboot)", ""])(
    "rejects the version %j",
    (version) => {
      expect(() => preparationFiles(version)).toThrow("is not a Kubernetes version");
      expect(rockyFaults({ ...anInput("harvester"), kubernetesVersion: version }, [])).toEqual([
        expect.stringContaining("no packages exist for kubernetesVersion"),
      ]);
    },
  );

  it("is a valid bash script", () => {
    execFileSync("bash", ["-n"], { input: contentOf(preparationPath) });
  });

  it("depends on the version only", () => {
    expect(bootstrap()).toEqual(bootstrap());
    expect(bootstrap({ kubernetesVersion: "v1.34.2" })).not.toEqual(bootstrap());
  });

  it("contains no cloud-init template, for any pool", () => {
    fc.assert(
      fc.property(anyWorkers, fc.string(), (workers, comment) => {
        const input = anInput("harvester", { cluster: { workers }, sshAuthorizedKey: `${anSshKey()} ${comment}` });
        const pool = mainPool(input);
        if (rockyFaults(input, [pool]).length > 0) return;
        const spec = rockyBootstrap(input, pool, {});
        expect(JSON.stringify(spec)).not.toMatch(/\{\{|\{%|\{#/);
        const users = spec.users?.map(({ sshAuthorizedKeys = [] }) => sshAuthorizedKeys) ?? [];
        expect(parseYaml(`keys:\n  - ${users.flat().join("\n  - ")}`)).toEqual({ keys: users.flat() });
      }),
    );
  });
});

describe("rockyFaults", () => {
  const ok = { cpu: 1, memory: "1Gi", diskSize: "10Gi" };

  it.each([
    [ok, []],
    [{ ...ok, memory: "1023Mi" }, ["memory of pool workers is 1023Mi; machines require at least 1Gi"]],
    [{ ...ok, memory: 1 }, ["memory of pool workers is 1; machines require at least 1Gi"]],
    [{ ...ok, diskSize: "9.9Gi" }, ["diskSize of pool workers is 9.9Gi; machines require at least 10Gi"]],
  ])("reports for %j: %j", (size, faults) => {
    expect(rockyFaults(anInput("harvester"), [aPool(size)])).toEqual(faults);
  });

  it("finds an invalid key in any place", () => {
    const sentence = expect.stringContaining("not an OpenSSH public key") as string;
    const workers = { machineTemplate: { os: { sshAuthorizedKey: "not a key" } } };
    const inPool = anInput("harvester", { cluster: { workers } });
    expect(rockyFaults(inPool, [mainPool(inPool)])).toEqual([sentence]);
    expect(rockyFaults(anInput("harvester", { sshAuthorizedKey: "not a key" }), [])).toEqual([sentence]);
  });
});

describe("plainSshKey", () => {
  const key = anSshKey();

  it.each([
    [key, key],
    [`  ${key}\n`, key],
    [`${key} ada@example.com`, key],
    [`${key}\t{{ ds.meta_data }}: # - x`, key],
    [anSshKey("ecdsa-sha2-nistp256"), anSshKey("ecdsa-sha2-nistp256")],
  ])("reads %j", (text, plain) => {
    expect(plainSshKey(text)).toBe(plain);
  });

  it.each([
    ["nothing", ""],
    ["a private key", "-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----"],
    ["options before the key", `command="reboot" ${key}`],
    ["a second line", `${key}\n${anSshKey("ssh-rsa")}`],
    ["a second key behind a comment", `${key} ada@example.com\n${anSshKey("ssh-rsa")}`],
    ["a lone line break", `${key}\rx`],
    ["another type than the key's own", key.replace("ssh-ed25519", "ssh-rsa")],
    ["an old type", anSshKey("ssh-dss")],
    ["a key that was cut off", key.slice(0, 24)],
    ["no base64", "ssh-ed25519 {{x}}"],
    ["too much", `${key} ${"a".repeat(20_000)}`],
  ])("refuses %s", (_name, text) => {
    expect(plainSshKey(text)).toBeUndefined();
  });

  it("never returns anything except a type and base64", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string(), (before, after) => {
        const plain = plainSshKey(`${before}${key}${after}`);
        if (plain !== undefined) expect(plain).toMatch(/^[a-z0-9@.-]+ [A-Za-z0-9+/]+={0,2}$/);
      }),
    );
  });
});
