import { listCatalog } from "@butler/contract";
import { CheckField, SelectField, TextField } from "@butler/ui";
import { useQuery } from "@tanstack/react-query";
import { routeQuery } from "../../data/route-query.ts";
import { QueryView } from "../../parts/query-view.tsx";
import { addonChoices, ingressChoice, withIngress } from "./addon-choices.ts";
import { textAt } from "./draft.ts";
import { faultOf } from "./findings.ts";
import { setting, type StepProps } from "./step-props.ts";

const ingresses = [
  { value: "", label: "Platform default" },
  { value: "traefik", label: "Traefik" },
  { value: "nginx", label: "NGINX" },
  { value: "none", label: "None (saves one address)" },
];

const gitops = [
  { value: "", label: "None" },
  { value: "fluxcd", label: "Flux" },
  { value: "argocd", label: "Argo CD" },
];

/** Fifth step: ingress, GitOps and additional add-ons. */
export function AddonsStep(props: StepProps) {
  const { draft, onDraft, findings } = props;
  const set = setting(props);
  const ingress = ingressChoice(draft.spec);
  const follows = textAt(draft.spec, "addons.gitops.provider") ?? "";
  return (
    <>
      <SelectField
        label="Ingress"
        hint="Routes HTTP traffic to services in the cluster."
        options={ingresses}
        value={ingress}
        error={faultOf(findings, "addons.ingress")}
        onChange={(event) => onDraft({ ...draft, spec: withIngress(draft.spec, event.target.value) })}
      />
      <SelectField
        label="GitOps"
        hint="Applies manifests from a Git repository."
        options={gitops}
        value={follows}
        error={faultOf(findings, "addons.gitops")}
        onChange={({ target: { value } }) =>
          // Without a product the other GitOps settings are meaningless; another product keeps them.
          value === "" ? set("addons.gitops", undefined) : set("addons.gitops.provider", value)
        }
      />
      {follows !== "" && (
        <TextField
          label="Git repository"
          hint="Optional. Without a repository, GitOps is installed but syncs nothing."
          className="b-mono"
          value={textAt(draft.spec, "addons.gitops.repository.url") ?? ""}
          error={faultOf(findings, "addons.gitops.repository.url")}
          onChange={(event) => set("addons.gitops.repository.url", event.target.value || undefined)}
        />
      )}
      <Catalog {...props} />
    </>
  );
}

function Catalog({ draft, onDraft, team }: StepProps) {
  const query = useQuery(routeQuery(listCatalog, { query: { limit: 500 } }));
  const toggle = (name: string, isWanted: boolean): void => {
    const others = draft.addons.filter((each) => each !== name);
    onDraft({ ...draft, addons: isWanted ? [...others, name] : others });
  };
  return (
    <fieldset className="n-pool">
      <legend>From the catalog</legend>
      <QueryView query={query}>
        {({ addons }) => {
          const choices = addonChoices(addons, { team, environment: draft.environment, chosen: draft.addons });
          if (choices.length === 0) return <p className="b-soft">No catalog add-ons available for this team.</p>;
          return choices.map(({ name, title, words, isChosen, isFixed }) => (
            <CheckField
              key={name}
              label={title}
              hint={words}
              checked={isChosen}
              disabled={isFixed}
              onChange={(event) => toggle(name, event.target.checked)}
            />
          ));
        }}
      </QueryView>
    </fieldset>
  );
}
