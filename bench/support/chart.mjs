import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { valuesOf } from './workload.mjs';

/** Writes a Helm chart whose template renders the objects of the workload, as its authors would write it. */
export function writeChart(folder, count) {
  mkdirSync(join(folder, 'templates'));
  writeFileSync(join(folder, 'Chart.yaml'), 'apiVersion: v2\nname: bench\nversion: 1.0.0\n');
  writeFileSync(join(folder, 'templates/apps.yaml'), TEMPLATE);
  const apps = Array.from({ length: count }, (_, index) => valuesOf(index));
  writeFileSync(join(folder, 'values.yaml'), `apps:\n${apps.map((app) => `  - ${JSON.stringify(app)}\n`).join('')}`);
}

const LABELS = `
    app.kubernetes.io/managed-by: {{ $.Release.Service }}
    app.kubernetes.io/instance: {{ .name }}
    app.kubernetes.io/part-of: {{ $.Chart.Name }}`;

const TEMPLATE = `{{- range .Values.apps }}
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .name }}-config
  namespace: {{ .namespace }}
  labels:${LABELS}
data:
  {{- toYaml .env | nindent 2 }}
---
apiVersion: v1
kind: ServiceAccount
metadata:
  name: {{ .name }}
  namespace: {{ .namespace }}
  labels:${LABELS}
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ .name }}
  namespace: {{ .namespace }}
  labels:${LABELS}
    app: {{ .name }}
spec:
  replicas: {{ .replicas }}
  selector:
    matchLabels:
      app: {{ .name }}
  template:
    metadata:
      labels:
        app: {{ .name }}
    spec:
      serviceAccountName: {{ .name }}
      containers:
        - name: app
          image: {{ .image }}
          ports:
            - containerPort: {{ .port }}
          env:
            {{- range $key, $value := .env }}
            - name: {{ $key }}
              value: {{ $value | quote }}
            {{- end }}
          envFrom:
            - configMapRef:
                name: {{ .name }}-config
          resources:
            requests: {cpu: 100m, memory: 128Mi}
            limits: {memory: 256Mi}
          livenessProbe:
            httpGet: {path: /healthz, port: {{ .port }}}
          readinessProbe:
            httpGet: {path: /ready, port: {{ .port }}}
---
apiVersion: v1
kind: Service
metadata:
  name: {{ .name }}
  namespace: {{ .namespace }}
  labels:${LABELS}
spec:
  selector:
    app: {{ .name }}
  ports:
    - name: http
      port: 80
      targetPort: {{ .port }}
{{- $app := . }}
{{- range $index, $region := .regions }}
{{- with $app }}
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .name }}-{{ $region }}
  namespace: {{ .namespace }}
  labels:${LABELS}
data:
  region: {{ $region }}
  endpoint: http://{{ .name }}.{{ $region }}.svc
{{- end }}
{{- end }}
{{- end }}
`;
