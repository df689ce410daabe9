import { sentenceCase } from "./names.ts";
import { ScaffoldRefusal, type Shape } from "./scaffold.ts";

const port = "packages/provider/src/machine-provider.ts";
const types = "packages/api/src/butler/provider-type.ts";

/** A machine provider of an existing provider type: Rocky Linux machines, rendered as Cluster API objects. */
export const providerShape: Shape = {
  name: "provider",
  summary: "a machine provider for a type of infrastructure in ProviderConfig, in providers",
  plan: async ({ kebab, camel, pascal }, repository) => {
    if (!repository.has(port) || !(await repository.read(types)).includes(`"${kebab}"`)) {
      throw new ScaffoldRefusal(
        `provider type ${kebab} not found in ${types}; add it with its settings and credentials`,
      );
    }
    const folder = `providers/${kebab}`;
    const machines = `${camel}Machines`;
    const list = "apps/butler/src/machine-providers.ts";
    return {
      files: {
        [`${folder}/package.json`]: `${JSON.stringify(
          {
            name: `@butler/provider-${kebab}`,
            version: "0.1.0",
            private: true,
            license: "Apache-2.0",
            type: "module",
            exports: { ".": "./src/index.ts" },
            dependencies: { "@butler/api": "*", "@butler/provider": "*", "@butler/resource": "*" },
          },
          null,
          2,
        )}\n`,
        [`${folder}/src/index.ts`]: `
/** Worker machines on ${sentenceCase(kebab)}, created by its Cluster API provider. This only renders objects. */
export { ${machines} } from "./${kebab}.ts";
`,
        [`${folder}/src/kinds.ts`]: `
import type { Kind } from "@butler/resource";

const common = { group: "infrastructure.cluster.x-k8s.io", version: "v1alpha1", scope: "Namespaced" } as const;

/** The infrastructure cluster. */
export const ${pascal}Cluster = {
  ...common,
  kind: "${pascal}Cluster",
  plural: "${pascal.toLowerCase()}clusters",
} as const satisfies Kind;

/** A machine. */
export const ${pascal}Machine = {
  ...common,
  kind: "${pascal}Machine",
  plural: "${pascal.toLowerCase()}machines",
} as const satisfies Kind;

/** A template for machines. */
export const ${pascal}MachineTemplate = {
  ...common,
  kind: "${pascal}MachineTemplate",
  plural: "${pascal.toLowerCase()}machinetemplates",
} as const satisfies Kind;
`,
        [`${folder}/src/${kebab}.ts`]: `
import { credentialKeys } from "@butler/api";
import {
  type ClusterInput,
  credentialsSecret,
  type MachineProvider,
  missingCredentials,
  type PoolInput,
  poolsOf,
  remoteMachineAddons,
  rockyFaults,
  unsupportedSystem,
  wholeBytes,
  withoutRepeats,
} from "@butler/provider";
import { apiVersionOf, type KubeObject } from "@butler/resource";
import { ${pascal}Cluster, ${pascal}Machine, ${pascal}MachineTemplate } from "./kinds.ts";

/** Machines that are virtual machines on ${sentenceCase(kebab)}. */
export const ${machines}: MachineProvider = {
  type: "${kebab}",
  operatingSystems: ["rocky"],
  credentialKeys: credentialKeys["${kebab}"][0] ?? [],
  clusterKind: ${pascal}Cluster,
  machineKind: ${pascal}Machine,
  machineTemplateKind: ${pascal}MachineTemplate,
  podSecurity: "restricted",
  imagesAreReady: false,
  faults,
  clusterObjects,
  machineTemplateSpec,
  bootstrapParts: () => ({}),
  controlPlaneAddons: () => remoteMachineAddons,
};

function faults(input: ClusterInput): readonly string[] {
  const pools = poolsOf(input.cluster);
  const systems = pools.flatMap(({ machine }) => unsupportedSystem(${machines}, machine.os.type) ?? []);
  return withoutRepeats([...missingCredentials(input, ${machines}), ...systems, ...rockyFaults(input, pools)]);
}

/** Without a control plane endpoint: Steward sets it. */
function clusterObjects(input: ClusterInput): readonly KubeObject[] {
  const { cluster, namespace, labels, annotations, credentials } = input;
  const secretName = \`\${cluster.metadata.name}-${kebab}\`;
  const infrastructure = {
    apiVersion: apiVersionOf(${pascal}Cluster),
    kind: ${pascal}Cluster.kind,
    metadata: { name: cluster.metadata.name, namespace, labels: { ...labels }, annotations: { ...annotations } },
    spec: { credentialsRef: { name: secretName } },
  };
  const texts = ${machines}.credentialKeys.map((key) => [key, credentials[key] ?? ""]);
  return [infrastructure, credentialsSecret(input, secretName, Object.fromEntries(texts) as Record<string, string>)];
}

function machineTemplateSpec(_input: ClusterInput, { machine }: PoolInput): Record<string, unknown> {
  const { cpu, memory, diskSize } = machine;
  return { template: { spec: { cpu, memory: wholeBytes(memory), diskSize: wholeBytes(diskSize) } } };
}
`,
        [`${folder}/src/${kebab}.test.ts`]: `
import { ProviderConfig, TenantCluster } from "@butler/api";
import { type ClusterInput, poolsOf } from "@butler/provider";
import { parseObject } from "@butler/resource";
import { describe, expect, it } from "vitest";
import { ${machines} } from "./index.ts";

const complete = Object.fromEntries(${machines}.credentialKeys.map((key) => [key, "secret"]));

function inputWith(credentials: Readonly<Record<string, string>>, type = "rocky"): ClusterInput {
  return {
    cluster: parseObject(TenantCluster, {
      apiVersion: TenantCluster.apiVersion,
      kind: TenantCluster.kind,
      metadata: { name: "shop", namespace: "payments" },
      spec: { kubernetesVersion: "v1.34.1", workers: { machineTemplate: { os: { type } } } },
    }),
    namespace: "shop-0a1b2c3d",
    labels: {},
    annotations: {},
    kubernetesVersion: "v1.34.1",
    provider: parseObject(ProviderConfig, {
      apiVersion: ProviderConfig.apiVersion,
      kind: ProviderConfig.kind,
      metadata: { name: "${kebab}", namespace: "butler-system" },
      spec: { provider: "${kebab}", credentialsRef: { name: "${kebab}" } },
    }),
    credentials,
    sshAuthorizedKey: undefined,
  };
}

describe("machines on ${sentenceCase(kebab)}", () => {
  it("are an infrastructure cluster with its credentials, and a template", () => {
    const input = inputWith(complete);
    expect(${machines}.faults(input)).toEqual([]);
    const kinds = ${machines}.clusterObjects(input).map(({ kind, metadata }) => \`\${kind} \${metadata.name}\`);
    expect(kinds).toEqual(["${pascal}Cluster shop", "Secret shop-${kebab}"]);
    for (const pool of poolsOf(input.cluster)) {
      expect(${machines}.machineTemplateSpec(input, pool)).toMatchObject({
        template: { spec: { cpu: pool.machine.cpu, memory: expect.any(String) } },
      });
    }
  });

  it("are not created without credentials, nor with an unsupported operating system", () => {
    expect(${machines}.faults(inputWith({}))).toHaveLength(${machines}.credentialKeys.length);
    expect(${machines}.faults(inputWith(complete, "talos"))).toContainEqual(expect.stringContaining("unsupported"));
  });
});
`,
      },
      edits: [
        { type: "import", path: list, line: `import { ${machines} } from "@butler/provider-${kebab}";` },
        {
          type: "entry",
          path: list,
          from: "machineProviders: readonly MachineProvider[] = [",
          to: "];",
          line: `  ${machines},`,
        },
        {
          type: "entry",
          path: "apps/butler/package.json",
          from: `"dependencies": {`,
          to: `\n    "@butler/resource"`,
          line: `    "@butler/provider-${kebab}": "*",`,
        },
      ],
      nextSteps: [
        "Run npm install, then npm run complete-lock, to link the package",
        `Replace the kinds and fields in ${folder}/src with those of the Cluster API provider`,
        "Add its resources to apps/butler/src/machine-providers.test.ts and its schemas to apps/butler/src/testing",
        "Run npm run generate to update the permissions in the chart",
      ],
    };
  },
};
