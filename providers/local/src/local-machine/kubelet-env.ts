import { parseQuantity } from "@butler/std";
import { shellWord } from "../cloud-config/shell-text.ts";

export interface KubeletEnvInput {
  readonly providerID: string;
  readonly cpu: string | number;
  readonly memory: string | number;
}

const [nanoPerMilli, nanoPerKibibyte] = [1_000_000n, 1_024n * 1_000_000_000n];

/**
 * Shell text that sets KUBELET_EXTRA_ARGS. A kubelet in a pod sees the CPUs and memory of the host regardless of the
 * pod's limits, and only the machine itself can measure them. The text therefore computes there how much must be
 * reserved so that the rest equals the machine's size.
 */
export function kubeletEnv({ providerID, cpu, memory }: KubeletEnvInput): string {
  return `machine_cpu_millis=${roundUp(parseQuantity(cpu), nanoPerMilli)}
machine_memory_kib=${roundUp(parseQuantity(memory), nanoPerKibibyte)}
host_cpus=0
while read -r word _; do [ "$word" != processor ] || host_cpus=$((host_cpus + 1)); done < /proc/cpuinfo
host_memory_kib=0
while read -r word amount _; do [ "$word" != MemTotal: ] || host_memory_kib=$amount; done < /proc/meminfo
other_cpu_millis=$((host_cpus * 1000 - machine_cpu_millis))
other_memory_kib=$((host_memory_kib - machine_memory_kib))
[ "$other_cpu_millis" -gt 0 ] || other_cpu_millis=0
[ "$other_memory_kib" -gt 0 ] || other_memory_kib=0
provider_id=${shellWord(providerID)}
KUBELET_EXTRA_ARGS="--provider-id=$provider_id --system-reserved=cpu=\${other_cpu_millis}m,memory=\${other_memory_kib}Ki"
`;
}

function roundUp(amount: bigint, unit: bigint): bigint {
  return (amount + unit - 1n) / unit;
}
