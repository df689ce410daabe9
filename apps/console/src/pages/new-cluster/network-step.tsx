import { TextField } from "@butler/ui";
import { textAt } from "./draft.ts";
import { faultOf } from "./findings.ts";
import { addressesOf } from "./quota.ts";
import { chosenProvider, numberOf, setting, type StepProps } from "./step-props.ts";

const fields = [
  ["networking.podCIDR", "Pod network", "10.244.0.0/16", "Platform default: 10.244.0.0/16."],
  ["networking.serviceCIDR", "Service network", "10.96.0.0/12", "Platform default: 10.96.0.0/12."],
  [
    "networking.loadBalancerPool.start",
    "First load balancer address",
    "",
    "Set only if addresses do not come from a NetworkPool.",
  ],
  ["networking.loadBalancerPool.end", "Last load balancer address", "", "Required if the first address is set."],
] as const;

/** Fourth step: cluster networks and load balancer addresses. */
export function NetworkStep(props: StepProps) {
  const { draft, team, findings } = props;
  const set = setting(props);
  const provider = chosenProvider(props);
  const addresses = addressesOf(draft, team, provider);
  const elsewhere =
    provider?.spec.network?.mode === "ipam"
      ? "Leave empty for the provider default."
      : "Applies only if the provider allocates from NetworkPools.";
  return (
    <>
      <div className="b-pair">
        {fields.map(([path, label, placeholder, hint]) => (
          <TextField
            key={path}
            label={label}
            className="b-mono"
            placeholder={placeholder}
            hint={hint}
            value={textAt(draft.spec, path) ?? ""}
            error={faultOf(findings, path)}
            onChange={(event) => set(path, event.target.value || undefined)}
          />
        ))}
      </div>
      <TextField
        label="Load balancer addresses"
        inputMode="numeric"
        hint={elsewhere}
        value={textAt(draft.spec, "networking.lbPoolSize") ?? ""}
        error={faultOf(findings, "networking.lbPoolSize") ?? faultOf(findings, "networking")}
        onChange={(event) =>
          set("networking.lbPoolSize", event.target.value === "" ? undefined : numberOf(event.target.value))
        }
      />
      {addresses !== undefined && (
        <p className="b-soft b-numbers">
          The cluster needs about {addresses.asked} of {addresses.left} free addresses.
        </p>
      )}
    </>
  );
}
