import { isAllowedProvider } from "@butler/access";
import { SelectField, TextField } from "@butler/ui";
import { faultOf } from "./findings.ts";
import { type Provider, providerText } from "./quota.ts";
import { chosenProvider, setting, type StepProps } from "./step-props.ts";

/** First step: name, environment and provider. */
export function PlaceStep(props: StepProps) {
  const { draft, onDraft, team, findings } = props;
  const environments = [
    { value: "", label: "None" },
    ...team.environments.map(({ name, description = "" }) => ({
      value: name,
      label: description === "" ? name : `${name}: ${description}`,
    })),
  ];
  const isKnown = environments.some(({ value }) => value === draft.environment);
  return (
    <>
      <TextField
        label="Name"
        hint="Lowercase letters, digits and '-', starting with a letter."
        className="b-mono"
        autoComplete="off"
        spellCheck={false}
        maxLength={54}
        value={draft.name}
        error={draft.name === "" ? undefined : faultOf(findings, "name")}
        onChange={(event) => onDraft({ ...draft, name: event.target.value })}
      />
      <SelectField
        label="Environment"
        hint="Sets access, limits and defaults for the cluster."
        options={isKnown ? environments : [...environments, { value: draft.environment, label: draft.environment }]}
        value={draft.environment}
        error={faultOf(findings, "environment")}
        onChange={(event) => onDraft({ ...draft, environment: event.target.value })}
      />
      <ProviderField {...props} />
    </>
  );
}

function ProviderField(props: StepProps) {
  const { draft, findings, providers } = props;
  const set = setting(props);
  const chosen = chosenProvider(props);
  const value = draft.spec["providerConfigRef"] === undefined || chosen === undefined ? "" : providerText(chosen);
  const choose = (text: string): void => {
    const [namespace, name] = text.split("/");
    set("providerConfigRef", text === "" ? undefined : { name, namespace });
  };
  return (
    <SelectField
      label="Provider"
      hint={providers === undefined ? "Loading the team's providers." : providerHint(props)}
      options={[
        { value: "", label: "Team or platform default" },
        ...(providers ?? []).map((provider) => ({
          value: providerText(provider),
          label: providerLabel(provider, props),
        })),
      ]}
      value={value}
      error={faultOf(findings, "providerConfigRef") ?? faultOf(findings, "providerConfigRef.name")}
      onChange={(event) => choose(event.target.value)}
    />
  );
}

function providerLabel({ metadata, spec, status }: Provider, { team }: StepProps): string {
  const isAllowed = isAllowedProvider(metadata, team.resourceLimits?.allowedProviders);
  const words = `${status?.ready === false ? ", not ready" : ""}${isAllowed ? "" : ", not allowed for this team"}`;
  return `${metadata.name} (${spec.provider})${words}`;
}

function providerHint(props: StepProps): string {
  const capacity = chosenProvider(props)?.status?.capacity;
  if (capacity?.availableIPs === undefined) return "Infrastructure that the nodes run on.";
  const clusters =
    capacity.estimatedTenants === undefined ? "" : `, enough for about ${capacity.estimatedTenants} clusters`;
  return `${capacity.availableIPs} addresses free${clusters}.`;
}
