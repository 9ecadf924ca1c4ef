/**
 * The domains of API groups of widely used projects. Objects in them are correct: their kinds have common names, such
 * as `Application`, `Cluster` or `Service`, which an RGD may define in its own group.
 */
const DOMAINS: ReadonlySet<string> = new Set([
  'argoproj.io',
  'azure.com',
  'backstage.io',
  'cert-manager.io',
  'cilium.io',
  'cnpg.io',
  'cnrm.cloud.google.com',
  'controlplane.io',
  'coreos.com',
  'crossplane.io',
  'dapr.io',
  'elastic.co',
  'external-secrets.io',
  'fluxcd.io',
  'gke.io',
  'grafana.com',
  'hashicorp.com',
  'istio.io',
  'jaegertracing.io',
  'k8s.aws',
  'k8s.io',
  'karmada.io',
  'karpenter.sh',
  'keda.sh',
  'knative.dev',
  'konghq.com',
  'kubeflow.org',
  'kubevirt.io',
  'kyverno.io',
  'linkerd.io',
  'longhorn.io',
  'min.io',
  'oam.dev',
  'open-cluster-management.io',
  'opentelemetry.io',
  'openshift.io',
  'projectcalico.org',
  'projectcontour.io',
  'rabbitmq.com',
  'redhat.com',
  'rook.io',
  'score.dev',
  'spotahome.com',
  'strimzi.io',
  'tekton.dev',
  'toolkit.fluxcd.io',
  'traefik.io',
  'upbound.io',
  'velero.io',
  'zalan.do',
]);

/** Reports whether a group, or a parent domain, belongs to such a project. */
export function isOfProject(group: string): boolean {
  const labels = group.split('.');
  return labels.some((_, index) => DOMAINS.has(labels.slice(index).join('.')));
}
