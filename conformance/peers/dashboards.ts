/**
 * What the dashboards and alerts of kubernetes-mixin read from kubelets: a page, a metric and the labels that its queries
 * name (dashboards/kubelet, resources, network-usage, storage; alerts/kubelet). Selectors of the scraping side
 * (`job`, `instance`, `cluster`, `metrics_path`) are left out.
 */
export const dashboardReads: readonly (readonly [page: string, metric: string, ...labels: string[]])[] = [
  ['/metrics', 'kubelet_node_name', 'node'],
  ['/metrics', 'kubelet_running_pods'],
  ['/metrics', 'kubelet_running_containers'],
  ['/metrics', 'volume_manager_total_volumes', 'state'],
  ['/metrics', 'kubelet_runtime_operations_total', 'operation_type'],
  ['/metrics', 'kubelet_runtime_operations_duration_seconds_bucket', 'operation_type', 'le'],
  ['/metrics', 'kubelet_pod_start_duration_seconds_count'],
  ['/metrics', 'kubelet_pod_start_duration_seconds_bucket', 'le'],
  ['/metrics', 'kubelet_pod_worker_duration_seconds_count'],
  ['/metrics', 'kubelet_pod_worker_duration_seconds_bucket', 'le'],
  ['/metrics', 'storage_operation_duration_seconds_count', 'operation_name', 'volume_plugin'],
  ['/metrics', 'storage_operation_duration_seconds_bucket', 'operation_name', 'volume_plugin', 'le'],
  ['/metrics', 'kubelet_cgroup_manager_duration_seconds_count', 'operation_type'],
  ['/metrics', 'kubelet_cgroup_manager_duration_seconds_bucket', 'operation_type', 'le'],
  ['/metrics', 'kubelet_pleg_relist_duration_seconds_count'],
  ['/metrics', 'kubelet_pleg_relist_duration_seconds_bucket', 'le'],
  ['/metrics', 'kubelet_pleg_relist_interval_seconds_bucket', 'le'],
  ['/metrics', 'rest_client_requests_total', 'code'],
  ['/metrics', 'rest_client_request_duration_seconds_bucket', 'verb', 'le'],
  ['/metrics', 'process_resident_memory_bytes'],
  ['/metrics', 'process_cpu_seconds_total'],
  ['/metrics/probes', 'prober_probe_total', 'probe_type', 'result', 'container', 'pod', 'namespace'],
  ['/metrics/probes', 'prober_probe_duration_seconds_bucket', 'probe_type', 'container', 'pod', 'namespace'],
  ...[
    'container_cpu_usage_seconds_total',
    'container_memory_working_set_bytes',
    'container_memory_rss',
    'container_memory_cache',
    'container_memory_swap',
  ].map((metric) => ['/metrics/cadvisor', metric, 'namespace', 'pod', 'container', 'image'] as const),
  ...['cpu_cfs_periods_total', 'cpu_cfs_throttled_periods_total'].map(
    (metric) => ['/metrics/cadvisor', `container_${metric}`, 'namespace', 'pod', 'container'] as const,
  ),
  ...[
    ...['receive_bytes_total', 'transmit_bytes_total', 'receive_packets_total', 'transmit_packets_total'],
    ...['receive_packets_dropped_total', 'transmit_packets_dropped_total'],
  ].map((metric) => ['/metrics/cadvisor', `container_network_${metric}`, 'namespace', 'pod'] as const),
  ...['available_bytes', 'capacity_bytes', 'inodes_used', 'inodes'].map(
    (figure) => ['/metrics', `kubelet_volume_stats_${figure}`, 'namespace', 'persistentvolumeclaim'] as const,
  ),
];

/** What they read besides, and why a kubelet of ours that is well has no series of it. */
export const absentReads: ReadonlyMap<string, string> = new Map([
  ['kubelet_runtime_operations_errors_total', 'has series once a call has failed'],
  ['kubelet_node_config_error', "upstream's kubelet has it no more since 1.24"],
  ['storage_operation_errors_total', 'upstream has the label status of the durations instead, since 1.21'],
  ['go_goroutines', 'this is no program in Go'],
  ...['reads_total', 'writes_total', 'reads_bytes_total', 'writes_bytes_total'].map(
    (name) => [`container_fs_${name}`, "CRI's statistics of containers have no I/O by device"] as const,
  ),
  ['kubelet_certificate_manager_client_ttl_seconds', 'is there with rotateCertificates'],
  ['kubelet_certificate_manager_client_expiration_renew_errors', 'is there with rotateCertificates'],
  ['kubelet_certificate_manager_server_ttl_seconds', 'is there with serverTLSBootstrap'],
  ['kubelet_server_expiration_renew_errors', 'is there with serverTLSBootstrap'],
]);

const requests = [
  ['rest_client_requests_total', 'code', 'method'],
  ['rest_client_request_duration_seconds_bucket', 'verb', 'le'],
  ['process_resident_memory_bytes'],
  ['process_cpu_seconds_total'],
] as const;

/** What they read of controllers and scheduler (dashboards/controller-manager, scheduler; rules/kube_scheduler). */
export const managerReads = {
  'kube-controller-manager': [
    ...requests,
    ['workqueue_adds_total', 'name'],
    ['workqueue_depth', 'name'],
    ['workqueue_queue_duration_seconds_bucket', 'name', 'le'],
  ],
  'kube-scheduler': [
    ...requests,
    ...[
      'scheduler_scheduling_attempt_duration_seconds',
      'scheduler_scheduling_algorithm_duration_seconds',
      'scheduler_pod_scheduling_sli_duration_seconds',
    ].flatMap((name): [string, ...string[]][] => [[`${name}_bucket`, 'le'], [`${name}_count`]]),
  ],
} as const satisfies Record<string, readonly (readonly [metric: string, ...labels: string[]])[]>;

/** What they read of the API server (dashboards/apiserver; alerts, rules/kube_apiserver), queues of work left out. */
export const apiserverReads: readonly (readonly [metric: string, ...labels: string[]])[] = [
  ['apiserver_request_total', 'code', 'verb', 'resource', 'subresource', 'scope', 'group', 'version'],
  ['apiserver_request_sli_duration_seconds_bucket', 'verb', 'scope', 'subresource', 'resource', 'le'],
  ['apiserver_request_sli_duration_seconds_count', 'verb', 'scope', 'subresource', 'resource'],
  ['aggregator_unavailable_apiservice', 'name'],
  ['apiserver_client_certificate_expiration_seconds_bucket', 'le'],
  ['apiserver_client_certificate_expiration_seconds_count'],
  ['process_resident_memory_bytes'],
  ['process_cpu_seconds_total'],
];
