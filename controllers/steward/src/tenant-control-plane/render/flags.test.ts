import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { componentNames } from "../names.ts";
import { deploymentOf } from "../testing/rendered.ts";
import { buildArguments, flagName } from "./flags.ts";
import { argumentFault } from "./protected-flags.ts";

describe("the flags of the programs", () => {
  it("of the API server follow the spec", () => {
    const { container } = deploymentOf({
      spec: { networkProfile: { clusterDomain: "blue.internal", serviceCidr: "10.50.0.0/16", port: 7443 } },
    });
    expect(container("kube-apiserver").args).toEqual(
      expect.arrayContaining([
        "--service-account-issuer=https://kubernetes.default.svc.blue.internal",
        "--service-cluster-ip-range=10.50.0.0/16",
        "--secure-port=7443",
        "--etcd-prefix=/butler/1",
        "--etcd-servers=https://10.0.0.9:2379,https://10.0.0.10:2379",
        "--etcd-compaction-interval=0",
        "--authorization-mode=Node,RBAC",
        "--endpoint-reconciler-type=none",
        "--advertise-address=203.0.113.9",
        "--shutdown-delay-duration=5s",
        "--shutdown-watch-termination-grace-period=10s",
      ]),
    );
    const plugins = container("kube-apiserver").args?.find((flag) => flag.startsWith("--enable-admission-plugins="));
    expect(plugins).toContain("NodeRestriction");
    expect(plugins).toContain("PodSecurity");
  });

  it("can be overridden by the user, also several times, unless they are protected", () => {
    const apiServer = [
      "--profiling=true",
      "--service-account-issuer=https://a",
      "--service-account-issuer=https://b",
      "--v=4",
    ];
    const { args = [] } = deploymentOf({ deployment: { extraArgs: { apiServer } } }).container("kube-apiserver");
    expect(args.filter((flag) => /profiling|issuer|--v=/.test(flag))).toEqual(apiServer);
  });

  it.each([
    ["kube-apiserver", "--etcd-servers=https://evil:2379"],
    ["kube-apiserver", "--etcd_prefix=/butler"],
    ["kube-apiserver", "--etcd-servers-overrides=/events#https://evil"],
    ["kube-apiserver", "--client-ca-file=/x"],
    ["kube-apiserver", "--tls-cert-file=/x"],
    ["kube-apiserver", "--tls-sni-cert-key=/x,/y"],
    ["kube-apiserver", "--service-account-signing-key-file=/x"],
    ["kube-apiserver", "--authorization-mode=AlwaysAllow"],
    ["kube-apiserver", "--authorization-config=/x"],
    ["kube-apiserver", "--anonymous-auth=true"],
    ["kube-apiserver", "--requestheader-allowed-names="],
    ["kube-apiserver", "--secure-port"],
    ["kube-controller-manager", "--kubeconfig=/x"],
    ["kube-controller-manager", "--cluster-signing-key-file=/x"],
    ["kube-controller-manager", "--cluster-signing-kubelet-client-key-file=/x"],
    ["kube-controller-manager", "--leader-elect=false"],
    ["kube-scheduler", "--authentication-kubeconfig=/x"],
    ["kube-scheduler", "--secure-port=0"],
    ["kube-scheduler", "-v=4"],
    ["kube-scheduler", "scheduler --kubeconfig=/x"],
    ["kube-scheduler", "--"],
  ] as const)("of %s do not include %s", (component, argument) => {
    expect(argumentFault(component, argument)).toBeTruthy();
  });

  it.each([
    ["kube-apiserver", "--audit-log-path=-"],
    ["kube-apiserver", "--oidc-issuer-url=https://issuer"],
    ["kube-apiserver", "--tls-min-version=VersionTLS13"],
    ["kube-apiserver", "--service-account-issuer=https://a"],
    ["kube-controller-manager", "--cluster-signing-duration=1h"],
    ["kube-controller-manager", "--node-cidr-mask-size=26"],
    ["kube-scheduler", "--config=/etc/scheduler/config.yaml"],
  ] as const)("of %s may include %s", (component, argument) => {
    expect(argumentFault(component, argument)).toBeUndefined();
  });

  it("have a stable order", () => {
    const flags = fc.dictionary(fc.stringMatching(/^[a-z]{1,8}(-[a-z]{1,8})?$/), fc.string({ maxLength: 8 }));
    fc.assert(
      fc.property(flags, (own) => {
        const reversed = Object.fromEntries(Object.entries(own).reverse());
        expect(buildArguments(own)).toEqual(buildArguments(reversed));
        expect(buildArguments(own).map(flagName)).toEqual(Object.keys(own).sort());
      }),
    );
  });

  it("of every program name only files that are mounted", () => {
    const { all } = deploymentOf();
    for (const { name, args = [], volumeMounts } of all) {
      if (!(componentNames as readonly string[]).includes(name)) continue;
      const folders = (volumeMounts as { mountPath: string }[]).map(({ mountPath }) => mountPath);
      const files = args.flatMap((flag) => /=(\/etc\/[^,]+)/.exec(flag)?.[1] ?? []);
      expect(files.length).toBeGreaterThan(0);
      for (const file of files) expect(folders.some((folder) => file.startsWith(`${folder}/`))).toBe(true);
    }
  });
});
