import { execFile } from "node:child_process";
import { createServer, type Server } from "node:http";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { ensureTools } from "@butler/engine";

const execute = promisify(execFile);

/**
 * One ConfigMap; with `breaks` also a Service that the API server rejects, with `workload` a Deployment that a test marks as
 * ready, with `hangs` a hook that never runs, so that Helm waits for it.
 */
const template = `apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Release.Name }}
data:
  greeting: {{ .Values.greeting | quote }}
  version: {{ .Chart.Version | quote }}
{{- if .Values.breaks }}
---
apiVersion: v1
kind: Service
metadata:
  name: {{ .Release.Name }}-refused
spec:
  ports:
    - { name: http, port: 99999 }
{{- end }}
{{- if .Values.workload }}
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ .Release.Name }}
spec:
  selector: { matchLabels: { app: web } }
  template:
    metadata:
      labels: { app: web }
      annotations: { greeting: {{ .Values.greeting | quote }} }
    spec:
      containers: [{ name: web, image: web }]
{{- end }}
{{- if .Values.hangs }}
---
apiVersion: batch/v1
kind: Job
metadata:
  name: {{ .Release.Name }}-hook
  annotations:
    helm.sh/hook: pre-install,pre-upgrade
    helm.sh/hook-delete-policy: before-hook-creation
spec:
  template:
    spec:
      restartPolicy: Never
      containers: [{ name: hook, image: hook }]
{{- end }}
`;

/** A repository of charts over HTTP, with one chart in several versions. */
export class ChartShelf {
  readonly #folder: string;
  readonly #server: Server;
  /** Number of fetches. */
  requests = 0;
  /** Whether requests hang. */
  hangs = false;

  private constructor(folder: string) {
    this.#folder = folder;
    this.#server = createServer((request, response) => {
      this.requests += 1;
      if (this.hangs) return;
      readFile(join(this.#folder, basename(request.url ?? ""))).then(
        (content) => response.end(content),
        () => response.writeHead(404).end(),
      );
    });
  }

  /** Packs the versions with the real helm and serves them. */
  static async start(versions: readonly string[]): Promise<ChartShelf> {
    const folder = await mkdtemp(join(tmpdir(), "butler-chart-shelf-"));
    const { helm } = await ensureTools(["helm"]);
    const env = { HOME: folder };
    for (const version of versions) {
      const chart = join(folder, "source", "web");
      await mkdir(join(chart, "templates"), { recursive: true });
      await writeFile(
        join(chart, "Chart.yaml"),
        `apiVersion: v2\nname: web\nversion: ${version}\nkubeVersion: ">=1.25.0-0"\n`,
      );
      await writeFile(join(chart, "values.yaml"), "greeting: hello\n");
      await writeFile(join(chart, "templates", "web.yaml"), template);
      await execute(helm, ["package", chart, `--destination=${folder}`], { env });
    }
    await execute(helm, ["repo", "index", folder], { env });
    const shelf = new ChartShelf(folder);
    await new Promise<void>((resolve) => shelf.#server.listen(0, "127.0.0.1", resolve));
    return shelf;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
    await rm(this.#folder, { recursive: true, force: true });
  }
}
