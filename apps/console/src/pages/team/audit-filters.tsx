import { SelectField, TextField } from "@butler/ui";
import type { FormEvent } from "react";
import { RecordSearch } from "../../parts/audit/record-search.tsx";
import { type AuditSearch, auditSearch } from "./audit.ts";

/** Filters of the records and the callback for changes. */
export interface AuditFiltersProps {
  readonly search: AuditSearch;
  readonly onSearch: (search: AuditSearch) => void;
}

const outcomes = [
  { value: "", label: "Any" },
  { value: "success", label: "Succeeded" },
  { value: "failure", label: "Rejected or failed" },
];

/** Filters for the records. They are applied on Enter, not on every keystroke: each search reads the log. */
export function AuditFilters({ search, onSearch }: AuditFiltersProps) {
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const written = Object.fromEntries(
      [...new FormData(event.currentTarget)].map(([name, value]) => [
        name,
        typeof value === "string" ? value.trim() : "",
      ]),
    );
    onSearch(auditSearch(written));
  };
  return (
    // The key resets the fields when the URL changes.
    <RecordSearch
      key={JSON.stringify(search)}
      label="Search activity"
      words={<TextField label="Keywords" name="q" type="search" data-filter defaultValue={search.q} />}
      narrowed={Object.values(search).filter((value) => value !== undefined).length}
      onSubmit={submit}
      onClear={() => onSearch({})}
    >
      <TextField label="User" name="user" placeholder="ada@example.com" defaultValue={search.user} />
      <TextField label="Action" name="action" placeholder="create, scale…" defaultValue={search.action} />
      <TextField label="Kind" name="kind" placeholder="TenantCluster" defaultValue={search.kind} />
      <TextField label="Name" name="name" defaultValue={search.name} />
      <SelectField label="Outcome" name="outcome" options={outcomes} defaultValue={search.outcome ?? ""} />
      <TextField label="From (UTC)" name="from" type="date" defaultValue={search.from} />
      <TextField label="To (UTC)" name="to" type="date" defaultValue={search.to} />
    </RecordSearch>
  );
}
