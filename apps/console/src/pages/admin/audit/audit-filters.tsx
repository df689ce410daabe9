import { SelectField, TextField } from "@butler/ui";
import { type ChangeEvent, type FormEvent, useEffect, useState } from "react";
import { RecordSearch } from "../../../parts/audit/record-search.tsx";
import type { SearchProps } from "../shared/list-search.ts";
import { type AuditSearch, filterCount } from "./audit-search.ts";

const fields = [
  ["user", "User (email)", "text"],
  ["team", "Team", "text"],
  ["action", "Action (e.g. create)", "text"],
  ["resourceType", "Kind (e.g. TenantCluster)", "text"],
  ["resourceName", "Name", "text"],
  ["from", "From", "date"],
  ["to", "To", "date"],
] as const;

const outcomes = [
  { value: "", label: "Any outcome" },
  { value: "true", label: "Succeeded" },
  { value: "false", label: "Failed" },
];

/** Filters of the audit log. They are applied on submit and kept in the URL. */
export function AuditFilters({ search, onSearch }: SearchProps<AuditSearch>) {
  const [written, setWritten] = useState(search);
  useEffect(() => setWritten(search), [search]);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    onSearch({ ...written, open: undefined });
  };
  const clear = (): void => {
    const empty = Object.fromEntries(fields.map(([name]) => [name, undefined]));
    onSearch({ ...empty, q: undefined, success: undefined, open: undefined });
  };
  const bound = (name: (typeof fields)[number][0] | "q") => ({
    value: written[name] ?? "",
    onChange: ({ target }: ChangeEvent<HTMLInputElement>) =>
      setWritten({ ...written, [name]: target.value || undefined }),
  });
  return (
    <RecordSearch
      label="Search the audit log"
      words={<TextField label="Keywords" type="search" data-filter {...bound("q")} />}
      narrowed={filterCount(search)}
      onSubmit={submit}
      onClear={clear}
    >
      {fields.map(([name, label, type]) => (
        <TextField key={name} label={label} type={type} {...bound(name)} />
      ))}
      <SelectField
        label="Outcome"
        options={outcomes}
        value={written.success ?? ""}
        onChange={({ target: { value } }) =>
          setWritten({ ...written, success: value === "true" || value === "false" ? value : undefined })
        }
      />
    </RecordSearch>
  );
}
