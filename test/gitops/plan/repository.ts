import {
  type Files,
  type Plan,
  type PlanInput,
  type PlanOptions,
  planChange,
  planJson,
} from '../../../src/gitops/plan/index.ts';
import { defaultSettings } from '../../../src/render/options/index.ts';

/** The texts of a repository by their path. */
export type Texts = Readonly<Record<string, string>>;

export const filesOf = (texts: Texts): Files => ({ paths: Object.keys(texts).sort(), text: (path) => texts[path] });

/** Plans a change of an in-memory repository. `changed` are the paths that differ, by default those with other texts. */
export function planOf(
  before: Texts | Files,
  after: Texts | Files,
  run?: PlanInput['run'],
  urls: readonly string[] = [],
  more: Partial<PlanOptions> = {},
  changed?: readonly string[],
): Plan {
  const [old, newer] = [before, after].map((one) =>
    'paths' in one && typeof one.text === 'function' ? (one as Files) : filesOf(one as Texts),
  ) as [Files, Files];
  const differing = (): string[] =>
    [...old.paths, ...newer.paths].filter((path) => old.text(path) !== newer.text(path));
  return planChange(
    { before: old, after: newer, changed: new Set(changed ?? differing()), run },
    { settings: defaultSettings, urls, holdsData: [], ...more },
  );
}

interface Answer {
  found: number;
  compared: number;
  applications: {
    name: string;
    kind: string;
    path: string;
    added: { kind: string; name: string }[];
    changed: { kind: string; name: string }[];
    removed: { kind: string; name: string }[];
    error?: string;
    isRejected?: boolean;
  }[];
  dangers: {
    code: string;
    application: string;
    object: { kind: string; name: string } | null;
    message: string;
    takeover?: unknown;
  }[];
}

/** Returns the output of `plan -o json`. */
export const answerOf = (...args: Parameters<typeof planOf>): Answer => JSON.parse(planJson(planOf(...args)));

/** `web: +ConfigMap/a ~ConfigMap/b -ConfigMap/c` for each application. */
export const summaryOf = (...args: Parameters<typeof planOf>): string[] =>
  answerOf(...args).applications.map(({ name, added, changed, removed, error }) => {
    const titles = (sign: string, objects: { kind: string; name: string }[]): string[] =>
      objects.map((object) => `${sign}${object.kind}/${object.name}`);
    const parts = [...titles('+', added), ...titles('~', changed), ...titles('-', removed)];
    return `${name}: ${error ?? parts.join(' ')}`;
  });

/** An RGD of the kind Web, which renders a ConfigMap for each instance. */
export const WEB = `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: { name: web }
spec:
  schema:
    apiVersion: v1alpha1
    kind: Web
    spec:
      title: string | default=Hello
  resources:
    - id: page
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata: { name: "\${schema.metadata.name}" }
        data:
          title: \${schema.spec.title}
`;

export const instance = (name: string, spec = '{}'): string =>
  `apiVersion: kro.run/v1alpha1\nkind: Web\nmetadata: { name: ${name}, namespace: web }\nspec: ${spec}\n`;

/** An Application of Argo CD with a source in the repository. */
export const application = (name: string, source: string): string =>
  `apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: { name: ${name} }\nspec:\n  project: default\n  destination: { server: https://kubernetes.default.svc, namespace: web }\n  source: ${source.replace(/^\{(?! repoURL)/, '{ repoURL: https://git.example.com/r.git,')}\n`;
