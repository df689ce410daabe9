import { SelectField, TextField } from "@butler/ui";
import type { FormEvent } from "react";
import { RecordSearch } from "../../parts/audit/record-search.tsx";
import { type AuditSearch, auditSearch } from "./audit.ts";

/** What the records are narrowed by, and who is told of a change. */
export interface AuditFiltersProps {
  readonly search: AuditSearch;
  readonly onSearch: (search: AuditSearch) => void;
}

const outcomes = [
  { value: "", label: "Any" },
  { value: "success", label: "Done" },
  { value: "failure", label: "Refused or failed" },
];

/** Fields to search the records by. They are asked for on Enter, not at every letter: each search reads the log. */
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
    // Drawn anew when the address changes, so that the fields say what is searched for.
    <RecordSearch
      key={JSON.stringify(search)}
      label="Search the records"
      words={<TextField label="Words" name="q" type="search" data-filter defaultValue={search.q} />}
      narrowed={Object.values(search).filter((value) => value !== undefined).length}
      onSubmit={submit}
      onClear={() => onSearch({})}
    >
      <TextField label="Who" name="user" placeholder="ada@example.com" defaultValue={search.user} />
      <TextField label="What was done" name="action" placeholder="create, scale ..." defaultValue={search.action} />
      <TextField label="Kind" name="kind" placeholder="TenantCluster" defaultValue={search.kind} />
      <TextField label="Name" name="name" defaultValue={search.name} />
      <SelectField label="Outcome" name="outcome" options={outcomes} defaultValue={search.outcome ?? ""} />
      <TextField label="From (UTC)" name="from" type="date" defaultValue={search.from} />
      <TextField label="To (UTC)" name="to" type="date" defaultValue={search.to} />
    </RecordSearch>
  );
}
