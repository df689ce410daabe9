import { keptOnUninstall } from "./chart-object-values.ts";
import type { ChartValue } from "./chart-values.ts";

/** Named templates that the others include. */
export function chartHelpers(origin: string): string {
  return `{{- /* ${origin} */ -}}
{{- define "butler.image" -}}
{{- if .Values.image.digest -}}
{{ printf "%s@%s" .Values.image.repository .Values.image.digest }}
{{- else -}}
{{ printf "%s:%s" .Values.image.repository (.Values.image.tag | default (printf "v%s" .Chart.AppVersion)) }}
{{- end -}}
{{- end -}}
`;
}

/**
 * The template of the CRDs, which are the files of deploy/crds: the chart has a link to them, which Helm follows. The
 * annotation is added as text, because Helm turns large numbers of parsed YAML into floating point.
 */
export function chartCrds(origin: string): string {
  const kept = Object.entries(keptOnUninstall).map(([name, value]) => `    ${name}: ${value}\\n`);
  return `{{- /* ${origin} */ -}}
{{- if .Values.crds.install }}
{{- range $path, $content := .Files.Glob "files/crds/*.yaml" }}
---
{{ toString $content | replace "\\nspec:\\n" "\\n  annotations:\\n${kept.join("")}spec:\\n" }}
{{- else }}
{{- fail "the chart has no files in files/crds, which is a link to deploy/crds: copy the chart with the files behind its links, or use a package" }}
{{- end }}
{{- end }}
`;
}

/** The chart's NOTES.txt. */
export const chartNotes = `Butler {{ .Chart.AppVersion }} is installed in the namespace {{ .Release.Namespace }}.

Wait for its Deployments to become available:

  kubectl --namespace {{ .Release.Namespace }} wait deployments --all --for=condition=Available --timeout=120s

Next, provide what tenant clusters require:

1. Cluster API, with its kubeadm bootstrap provider. Butler detects it automatically.
{{- if .Values.steward.defaultDataStore.enabled }}
2. The DataStore "{{ .Values.steward.defaultDataStore.name }}", where control planes store their state. Steward is creating it:

     kubectl wait datastore/{{ .Values.steward.defaultDataStore.name }} --for=create --timeout=60s
     kubectl wait datastore/{{ .Values.steward.defaultDataStore.name }} --for=condition=Ready --timeout=300s
{{- else }}
2. A DataStore named "{{ .Values.steward.defaultDataStore.name }}", where control planes store their state:

     kubectl explain datastore.spec
{{- end }}
{{- if .Values.sniGateway.enabled }}

3. DNS records for the tenants' control planes that resolve to the address of the SNI gateway:

     kubectl --namespace {{ .Release.Namespace }} get service butler-sni-gateway
{{- end }}

Then create a Team and a TenantCluster:

  kubectl explain team.spec
  kubectl explain tenantcluster.spec
{{- if not .Values.crds.install }}

Butler's CRDs are not part of this release (crds.install is false): update them yourself with each release.
{{- end }}
`;

/** The chart's README. */
export function chartReadme({ origin, values }: { origin: string; values: readonly ChartValue[] }): string {
  const rows = values.map(
    ({ path, fallback, doc }) => `| \`${path}\` | \`${inCell(JSON.stringify(fallback))}\` | ${inCell(doc)} |`,
  );
  return `<!-- ${origin} -->

# The Butler chart

This chart installs Butler's CRDs, its controllers with their webhooks, Steward, the SNI gateway and, optionally, the
local provider. Laptops, continuous integration and production use the same chart with different values.

## Install and upgrade

With Helm 4:

\`\`\`sh
helm upgrade --install butler deploy/charts/butler --namespace butler-system --create-namespace --wait
\`\`\`

For production, add \`--values deploy/charts/butler/values-production.yaml\`: two replicas of each role, spread across
nodes. Controllers elect a leader, and every replica serves admission, so writes continue while a node is drained. The
default of one replica is for laptops and tests.

To upgrade, run the same command with other values or from a newer checkout. CRDs are updated before the processes that
need them. Misspelled values and values of the wrong type are rejected before anything is changed. Object names are
fixed, so a cluster has at most one Butler installation.

With Helm 3, create the namespace first, and exclude it from the release:

\`\`\`sh
kubectl create namespace butler-system
kubectl label namespace butler-system pod-security.kubernetes.io/enforce=restricted
helm upgrade --install butler deploy/charts/butler --namespace butler-system --set namespace.create=false --wait
\`\`\`

To install from another machine, package the chart in a checkout:

\`\`\`sh
helm package deploy/charts/butler
\`\`\`

The package contains the CRDs of \`deploy/crds\`, to which \`files/crds\` is a link. To copy the directory instead, copy the
files behind the link as well (\`cp -RL\`).

For production, start from these values:

\`\`\`yaml
controller: { replicas: 2 }
steward: { replicas: 2 }
sniGateway: { replicas: 2 }
priorityClassName: system-cluster-critical
\`\`\`

## The default DataStore

Control planes store their state in a DataStore. Unless \`steward.defaultDataStore.enabled\` is false, the leading Steward
process creates one: an etcd in the release namespace, its keys, and the DataStore \`default\` that refers to it. It requires
a default StorageClass, or one set in the values. On a laptop one small member is enough:

\`\`\`sh
helm upgrade --install butler deploy/charts/butler --namespace butler-system --create-namespace --wait \\
  --set steward.defaultDataStore.members=1 --set steward.defaultDataStore.storage.size=2Gi \\
  --set-json 'steward.defaultDataStore.resources={"requests":{"cpu":"100m","memory":"128Mi"}}'
kubectl wait datastore/default --for=create --timeout=60s
kubectl wait datastore/default --for=condition=Ready --timeout=300s
\`\`\`

- Existing objects are kept. Keys are created only where none exist, and are never replaced: if a CA Secret is lost while
  certificates signed by it remain, Steward logs an error and waits for the Secret to be restored.
- Image and resources follow the values. Members and volumes do not change; Steward logs when the values differ.
- Manual changes are kept: an object that was changed manually is not updated until the change is reverted.
- The DataStore itself is only created, never updated. An existing DataStore of that name that refers to another etcd is
  not changed, and no etcd is created.
- Steward checks each time it becomes the leader, so deleted objects are recreated then, unless \`enabled\` is false.

## Webhooks

The chart installs the ValidatingWebhookConfigurations and MutatingWebhookConfigurations \`butler-steward\` and
\`butler-controller\` without webhooks. The processes add the webhooks, with the certificate that they created themselves,
as soon as they can serve requests; from then on the API server rejects requests when no webhook responds.

- Until then, and whenever the configuration is emptied, weakened or deleted, the API server itself rejects every write of
  these kinds: the ValidatingAdmissionPolicies \`butler-steward\` and \`butler-controller\` require a webhook that fails closed.
  Create your first Team once the Deployments are ready.
- The chart does not specify webhooks, so Helm does not change them or their certificates on an upgrade: with server-side
  apply because the processes own the fields, and with Helm 3 because neither the old nor the new manifest has them.
- If another client changes, empties or deletes a configuration, any process of the role restores it within seconds.
- While processes of two versions run, those that started last decide. Every process also reapplies its own configuration
  every ten minutes.

## Uninstall

\`\`\`sh
helm uninstall butler --namespace butler-system --wait
\`\`\`

This deletes all of Butler's own objects in the cluster: processes, permissions, Services, webhooks and their
certificates. It keeps what users and their tenants depend on:

- the CustomResourceDefinitions and all their objects, such as Teams, TenantClusters and DataStores;
- the namespaces of teams and tenants with their contents: tenants' control planes keep running;
- the release namespace, with the default DataStore's etcd, volumes and keys, the leader election Leases, and the server's
  sessions, passwords and keys;
- the namespaces butler-terminals, which is empty, and butler-cli and butler-cli-admins with the accounts of command lines.

A new installation adopts all of it. To remove everything permanently, delete the TenantClusters, Teams and DataStores
before you uninstall, because no controller cleans up afterwards; then delete the namespace and the CRDs:

\`\`\`sh
kubectl delete namespace butler-system
kubectl get crd -o name | grep -E 'butlerlabs.dev|/(stewardcontrolplane|localcluster|localmachine)' | xargs kubectl delete
\`\`\`

## Logs

Processes write one JSON object per line. \`logLevel\` sets the minimum level: \`debug\`, \`info\`, \`warn\` or \`error\`. It is
passed as \`--log-level\` to every \`butler ROLE\`.

## Not included

Cluster API, with its kubeadm bootstrap provider. \`npm start\` installs it. Until it is installed, teams, users and pools
work, and tenant clusters wait. Butler detects it within half a minute, without a restart. The same applies to the
CRDs of infrastructure providers, which you can also remove while Butler runs.

## Values

| Value | Default | Description |
| --- | --- | --- |
${rows.join("\n")}
`;
}

function inCell(words: string): string {
  return words.replaceAll("|", "\\|");
}
