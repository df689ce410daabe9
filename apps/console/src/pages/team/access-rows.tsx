import { Button, Icon, SelectField, TextField } from "@butler/ui";
import { roleOf, teamRoles } from "../../parts/roles.ts";
import type { AccessDraft } from "./environment-form.ts";

/** Roles that are limited to one environment. */
export interface AccessRowsProps {
  readonly rows: readonly AccessDraft[];
  readonly onChange: (rows: readonly AccessDraft[]) => void;
}

const options = teamRoles.map(({ role, word }) => ({ value: role, label: word }));
const kindWords = { user: "Email", group: "Group" } as const;

/** Users and groups with a role in one environment. Rows without a name are ignored. */
export function AccessRows({ rows, onChange }: AccessRowsProps) {
  const put = (id: number, change: Partial<AccessDraft>): void =>
    onChange(rows.map((row) => (row.id === id ? { ...row, ...change } : row)));
  const add = (kind: AccessDraft["kind"]) => (): void => {
    const id = 1 + Math.max(-1, ...rows.map((row) => row.id));
    onChange([...rows, { id, kind, name: "", role: "operator", identityProvider: "" }]);
  };
  return (
    <fieldset className="b-form">
      <legend className="b-field-label">Roles in this environment only</legend>
      <p className="b-field-hint">These roles add to team roles; they never restrict them.</p>
      {rows.map(({ id, kind, name, role, identityProvider }) => (
        <div key={id} className="b-form-actions" role="group" aria-label={name === "" ? kindWords[kind] : name}>
          <TextField
            label={kindWords[kind]}
            autoComplete="off"
            value={name}
            onChange={(event) => put(id, { name: event.target.value })}
          />
          {kind === "group" && (
            <TextField
              label="Identity provider"
              placeholder="any"
              autoComplete="off"
              value={identityProvider}
              onChange={(event) => put(id, { identityProvider: event.target.value })}
            />
          )}
          <SelectField
            label="Role"
            options={options}
            value={role}
            onChange={(event) => put(id, { role: roleOf(event.target.value) })}
          />
          <Button
            kind="quiet"
            shape="square"
            aria-label={`Remove ${name}`}
            onClick={() => onChange(rows.filter((row) => row.id !== id))}
          >
            <Icon name="close" />
          </Button>
        </div>
      ))}
      <div className="b-form-actions">
        <Button onClick={add("user")}>Add user</Button>
        <Button onClick={add("group")}>Add group</Button>
      </div>
    </fieldset>
  );
}
