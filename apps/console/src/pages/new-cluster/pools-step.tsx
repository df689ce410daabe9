import { Button, Notice, TextField } from "@butler/ui";
import { arePoolsReadable, newPool, type PoolDraft, poolsOf, textAt, withValueAt } from "./draft.ts";
import { faultOf } from "./findings.ts";
import { PresetField } from "./preset-field.tsx";
import { type PresetField as PresetPath, presetsOf } from "./presets.ts";
import { numberOf, setting, type StepProps } from "./step-props.ts";

const sizes: readonly { readonly path: PresetPath; readonly label: string; readonly isNumber: boolean }[] = [
  { path: "workers.replicas", label: "Nodes", isNumber: true },
  { path: "workers.machineTemplate.cpu", label: "CPU cores per node", isNumber: true },
  { path: "workers.machineTemplate.memory", label: "Memory per node", isNumber: false },
  { path: "workers.machineTemplate.diskSize", label: "Disk per node", isNumber: false },
];

/** Third step: the node pools. */
export function PoolsStep(props: StepProps) {
  const { draft, team, findings } = props;
  const set = setting(props);
  const presets = presetsOf(team, draft.environment);
  return (
    <>
      <fieldset className="n-pool">
        <legend>Main pool</legend>
        {sizes.map(({ path, label, isNumber }) => (
          <PresetField
            key={path}
            label={label}
            inputMode={isNumber ? "numeric" : "text"}
            value={textAt(draft.spec, path)}
            preset={presets[path]}
            error={faultOf(findings, path)}
            onChange={(text) => set(path, text !== undefined && isNumber ? numberOf(text) : text)}
          />
        ))}
      </fieldset>
      {faultOf(findings, "workers") !== undefined && (
        <p className="b-field-error" role="alert">
          <span aria-hidden="true">▲</span>
          {faultOf(findings, "workers")}
        </p>
      )}
      <FurtherPools {...props} />
    </>
  );
}

function FurtherPools(props: StepProps) {
  const { draft, findings } = props;
  const set = setting(props);
  const pools = poolsOf(draft.spec);
  const setPools = (next: readonly PoolDraft[]): void => set("workerPools", next.length === 0 ? undefined : next);
  if (!arePoolsReadable(draft.spec)) {
    return <Notice tone="attention">The additional pools are incomplete. Edit them as YAML.</Notice>;
  }
  return (
    <>
      {pools.map((pool, at) => (
        <PoolFields
          key={at}
          pool={pool}
          errorOf={(field) => faultOf(findings, `workerPools[${at}].${field}`)}
          onPool={(next) => setPools(pools.map((each, index) => (index === at ? next : each)))}
          onRemove={() => setPools(pools.filter((_each, index) => index !== at))}
        />
      ))}
      <div>
        <Button onClick={() => setPools([...pools, newPool(pools)])}>Add pool</Button>
      </div>
    </>
  );
}

interface PoolFieldsProps {
  readonly pool: PoolDraft;
  readonly errorOf: (field: string) => string | undefined;
  readonly onPool: (pool: PoolDraft) => void;
  readonly onRemove: () => void;
}

const ownSizes = [
  ["machineTemplate.cpu", "CPU cores per node", true],
  ["machineTemplate.memory", "Memory per node", false],
  ["machineTemplate.diskSize", "Disk per node", false],
] as const;

function PoolFields({ pool, errorOf, onPool, onRemove }: PoolFieldsProps) {
  return (
    <fieldset className="n-pool">
      <legend>Pool {pool.name}</legend>
      <TextField
        label="Pool name"
        className="b-mono"
        value={pool.name}
        error={errorOf("name")}
        onChange={(event) => onPool({ ...pool, name: event.target.value })}
      />
      <TextField
        label="Nodes"
        type="number"
        min={0}
        value={pool.replicas}
        error={errorOf("replicas")}
        onChange={(event) => onPool({ ...pool, replicas: Number(event.target.value) })}
      />
      {ownSizes.map(([path, label, isNumber]) => (
        <TextField
          key={path}
          label={label}
          hint="Leave empty to use the value from the main pool."
          inputMode={isNumber ? "numeric" : "text"}
          value={textAt(pool, path) ?? ""}
          error={errorOf(path)}
          onChange={({ target: { value } }) =>
            onPool(withValueAt(pool, path, value === "" ? undefined : isNumber ? numberOf(value) : value) as PoolDraft)
          }
        />
      ))}
      <div>
        <Button kind="quiet" onClick={onRemove} aria-label={`Remove pool ${pool.name}`}>
          Remove pool
        </Button>
      </div>
    </fieldset>
  );
}
