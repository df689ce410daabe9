import { cpus, totalmem } from "node:os";
import { describe, expect, it } from "vitest";
import { runScriptText, withDirectory } from "../testing/run-script.ts";
import { aLocalMachine } from "../testing/objects.ts";
import { kubeletEnv } from "./kubelet-env.ts";
import { buildMachinePod, buildMachineSecret } from "./manifests.ts";

describe("the pod of a machine", () => {
  const localMachine = aLocalMachine({ spec: { cpu: 1, memory: "1Gi", nodeSelector: { disk: "fast" } } });
  const pod = buildMachinePod({ localMachine, clusterName: "blue", image: "butler-node:v1.36.3", hostname: "blue-1" });

  it("is not privileged, and has no capability that reaches beyond a node", () => {
    const { privileged, capabilities } = pod.spec.containers[0]?.securityContext ?? {};
    expect(privileged).toBe(false);
    expect(capabilities?.drop).toEqual(["ALL"]);
    expect(capabilities?.add).toEqual(expect.arrayContaining(["SYS_ADMIN", "NET_ADMIN"]));
    for (const name of ["SYS_MODULE", "SYS_RAWIO", "SYS_BOOT", "SYS_TIME", "DAC_READ_SEARCH", "MAC_ADMIN", "SYSLOG"]) {
      expect(capabilities?.add).not.toContain(name);
    }
  });

  it("mounts nothing from its host", () => {
    expect(pod.spec).toMatchObject({
      hostname: "blue-1",
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      dnsPolicy: "Default",
      restartPolicy: "Always",
      nodeSelector: { disk: "fast" },
    });
    expect(Object.keys(pod.spec)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^host(Network|PID|IPC)$/)]),
    );
    const sorts = pod.spec.volumes?.flatMap(({ name: _name, ...source }) => Object.keys(source));
    expect(new Set(sorts)).toEqual(new Set(["emptyDir", "secret"]));
  });

  it("has the machine's size as requests and limits", () => {
    const size = { cpu: "1", memory: "1Gi" };
    expect(pod.spec.containers[0]?.resources).toEqual({ requests: size, limits: size });
  });

  it("mounts every volume once, under a name that Kubernetes accepts", () => {
    const names = pod.spec.volumes?.map(({ name }) => name) ?? [];
    expect(pod.spec.containers[0]?.volumeMounts?.map(({ name }) => name)).toEqual(names);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(names.map(() => expect.stringMatching(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/)));
  });
});

describe("the Secret of a machine", () => {
  it("contains the unchanged script and the kubelet's flags", () => {
    const secret = buildMachineSecret({
      localMachine: aLocalMachine(),
      clusterName: "blue",
      script: "echo é\n",
    }) as unknown as { data: Record<string, string> };
    const text = (key: string) => Buffer.from(secret.data[key] ?? "", "base64").toString();
    expect(Object.keys(secret.data)).toEqual(["bootstrap.sh", "kubelet.env"]);
    expect(text("bootstrap.sh")).toBe("echo é\n");
    expect(text("kubelet.env")).toContain("provider_id=local:////blue-1\n");
  });
});

describe("the kubelet's flags", () => {
  const flagsOf = (size: { cpu: string | number; memory: string | number }) =>
    withDirectory(async (directory) => {
      const text = kubeletEnv({ providerID: "local:////it's $HOME", ...size });
      const { output } = await runScriptText(`${text}printf '%s' "$KUBELET_EXTRA_ARGS"\n`, directory);
      return output;
    });

  it.runIf(process.platform === "linux")("reserve the host's capacity beyond the machine", async () => {
    const hostKib = totalmem() / 1_024;
    const expected = `cpu=${cpus().length * 1_000 - 250}m,memory=${hostKib - 65_536}Ki`;
    const flags = `--provider-id=local:////it's $HOME --system-reserved=${expected}`;
    expect(await flagsOf({ cpu: "249.5m", memory: "64Mi" })).toBe(flags);
  });

  it.runIf(process.platform === "linux")("reserve nothing on a host that is too small", async () => {
    expect(await flagsOf({ cpu: 4_096, memory: "1Pi" })).toMatch(/--system-reserved=cpu=0m,memory=0Ki$/);
  });
});
