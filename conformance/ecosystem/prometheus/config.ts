/** What Prometheus is told: whom it finds by each role of the API, what it scrapes of them, and which rules it records. */

const secrets = '/var/run/secrets/kubernetes.io/serviceaccount';
const byToken = (authority: string) => ({
  scheme: 'https',
  authorization: { credentials_file: `${secrets}/token` },
  tls_config: { ca_file: authority },
});

/** A label that is made of others, or a target that is kept by them. */
const keep = (regex: string, ...source_labels: string[]) => ({ source_labels, regex, action: 'keep' });
const label = (target_label: string, ...source_labels: string[]) => ({ source_labels, target_label });
const fixed = (target_label: string, replacement: string) => ({ target_label, replacement });

const discovered = (role: string) => [{ role }];
const meta = (rest: string) => `__meta_kubernetes_${rest}`;
const named = [label('namespace', meta('namespace')), label('service', meta('service_name'))];

/** The three ways to put samples into bytes; servers answer in one that they know. */
const protocols = {
  protobuf: ['PrometheusProto'],
  openmetrics: ['OpenMetricsText1.0.0', 'OpenMetricsText0.0.1'],
  text: ['PrometheusText1.0.0', 'PrometheusText0.0.4'],
};

/** One page of the kubelet's, as clusters commonly have it in the job `kubelet`. */
const kubelet = (path: string, protocol: keyof typeof protocols) => ({
  job_name: `kubelet${path.replaceAll('/', '-')}-${protocol}`,
  ...byToken('/etc/prometheus/kubelet-ca.crt'),
  ...{ honor_labels: true, track_timestamps_staleness: true },
  ...{ metrics_path: path, scrape_protocols: protocols[protocol] },
  kubernetes_sd_configs: discovered('node'),
  relabel_configs: [
    label('metrics_path', '__metrics_path__'),
    label('node', meta('node_name')),
    fixed('job', protocol === 'text' ? 'kubelet' : `kubelet-${protocol}`),
  ],
});

/** The API server, by its own Service. */
const apiserver = (protocol: keyof typeof protocols) => ({
  job_name: `apiserver-${protocol}`,
  ...byToken(`${secrets}/ca.crt`),
  scrape_protocols: protocols[protocol],
  kubernetes_sd_configs: discovered('endpoints'),
  relabel_configs: [
    keep('default;kubernetes;https', meta('namespace'), meta('service_name'), meta('endpoint_port_name')),
    fixed('job', protocol === 'text' ? 'apiserver' : `apiserver-${protocol}`),
  ],
});

const pages = ['/metrics', '/metrics/cadvisor', '/metrics/probes', '/metrics/resource'];

/** Whom it is to scrape every three seconds. */
export const jobs = [
  { job_name: 'prometheus', static_configs: [{ targets: ['localhost:9090'] }] },
  ...(['text', 'openmetrics', 'protobuf'] as const).flatMap((protocol) => [
    apiserver(protocol),
    ...pages.map((path) => kubelet(path, protocol)),
  ]),
  {
    job_name: 'dns',
    kubernetes_sd_configs: discovered('endpointslice'),
    relabel_configs: [
      keep(
        'kube-system;kube-dns;metrics',
        meta('namespace'),
        meta('service_name'),
        meta('endpointslice_port_name'),
      ),
      ...named,
    ],
  },
  {
    job_name: 'kube-state-metrics',
    honor_labels: true,
    kubernetes_sd_configs: discovered('endpointslice'),
    relabel_configs: [keep('kube-state-metrics', meta('service_name'))],
  },
  {
    job_name: 'pods',
    kubernetes_sd_configs: discovered('pod'),
    relabel_configs: [
      keep('true', meta('pod_annotation_prometheus_io_scrape')),
      label('pod', meta('pod_name')),
      label('namespace', meta('namespace')),
    ],
  },
  {
    job_name: 'services',
    kubernetes_sd_configs: discovered('service'),
    relabel_configs: [keep('true', meta('service_annotation_prometheus_io_probe')), ...named],
  },
  {
    job_name: 'ingresses',
    kubernetes_sd_configs: discovered('ingress'),
    relabel_configs: [
      label('host', '__address__'),
      label('path', meta('ingress_path')),
      fixed('__address__', 'exporter.default.svc:9100'),
    ],
  },
];

/** Rules as monitoring of clusters commonly records them. */
const rules = [
  {
    record: 'container_cpu:rate',
    expr: 'sum by (namespace, pod, container) (rate(container_cpu_usage_seconds_total{job="kubelet", metrics_path="/metrics/cadvisor", container!=""}[30s]))',
  },
  {
    record: 'container_memory:owned',
    expr: 'container_memory_working_set_bytes{job="kubelet", metrics_path="/metrics/cadvisor", image!=""} * on (namespace, pod) group_left (node) topk by (namespace, pod) (1, max by (namespace, pod, node) (kube_pod_info{node!=""}))',
  },
  {
    record: 'apiserver_request:p99',
    expr: 'histogram_quantile(0.99, sum by (le, verb, resource) (rate(apiserver_request_duration_seconds_bucket{job="apiserver", subresource!~"proxy|attach|log|exec|portforward", verb!="WATCH"}[30s])))',
  },
  {
    record: 'apiserver_requests:rate',
    expr: 'sum by (code, resource) (rate(apiserver_request_total{job="apiserver", verb=~"LIST|GET"}[30s]))',
  },
  {
    record: 'kubelet_relist:p99',
    expr: 'histogram_quantile(0.99, sum by (instance, le) (rate(kubelet_pleg_relist_duration_seconds_bucket{job="kubelet", metrics_path="/metrics"}[30s])) * on (instance) group_left (node) kubelet_node_name{job="kubelet", metrics_path="/metrics"})',
  },
  {
    record: 'volume:filled',
    expr: 'kubelet_volume_stats_used_bytes{job="kubelet", metrics_path="/metrics"} / kubelet_volume_stats_capacity_bytes',
  },
  {
    record: 'container:throttled',
    expr: 'sum by (container, pod, namespace) (increase(container_cpu_cfs_throttled_periods_total{job="kubelet", container!=""}[30s])) / sum by (container, pod, namespace) (increase(container_cpu_cfs_periods_total{job="kubelet"}[30s]))',
  },
];

export const config = {
  global: { scrape_interval: '3s', scrape_timeout: '3s', evaluation_interval: '3s' },
  rule_files: ['/etc/prometheus/rules.json'],
  scrape_configs: jobs,
};

export const ruleFile = { groups: [{ name: 'cluster', rules }] };
