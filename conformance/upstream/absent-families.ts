/** Families of upstream's kubelet that ours does not have, and why. One that is built goes from here: the list can only shrink. */
const reasons: readonly (readonly [why: string, ...names: string[]])[] = [
  [
    'counts what client-go and component-base have inside, which is not here',
    ...['disabled_metrics_total', 'hidden_metrics_total', 'registered_metrics_total'],
    ...['informer_processing_latency_seconds', 'informer_queued_items', 'informer_store_resource_version'],
    ...['leader_election_master_status', 'leader_election_slowpath_total', 'running_managed_controllers'],
    ...['adds_total', 'depth', 'longest_running_processor_seconds', 'queue_duration_seconds'].map(
      (name) => `workqueue_${name}`,
    ),
    ...['retries_total', 'unfinished_work_seconds', 'work_duration_seconds'].map(
      (name) => `workqueue_${name}`,
    ),
    ...['ca_reload_total', 'cache_entries', 'cache_gc_calls_total', 'cert_rotation_gc_calls_total'].map(
      (name) => `rest_client_transport_${name}`,
    ),
    'rest_client_transport_create_calls_total',
    'version_info',
  ],
  [
    'credentials of the kubeconfig that a program brings are not counted',
    ...['call_total', 'certificate_rotation_age', 'policy_call_total', 'ttl_seconds'].map(
      (name) => `rest_client_exec_plugin_${name}`,
    ),
  ],
  ['requests are not throttled: kubeAPIQPS is warned of', 'rest_client_rate_limiter_duration_seconds'],
  ['names are resolved inside of connections of Node.js', 'rest_client_dns_resolution_duration_seconds'],
  ['nothing sets it, and nothing registers it', 'kubelet_cri_losing_support'],
  ['signals of one pod become one, so that none is dropped', 'kubelet_pleg_discard_events'],
  [
    'the container figures are neither of cAdvisor nor of the list of metrics of the CRI',
    'kubelet_metrics_provider',
  ],
  [
    'is of Windows',
    'kubelet_started_host_process_containers_total',
    'kubelet_started_host_process_containers_errors_total',
  ],
  [
    'its feature gate is off in this release, and can not be switched here',
    ...['min', 'low'].map((bound) => `kubelet_memory_qos_node_memory_${bound}_bytes`),
    'kubelet_pod_watch_events_dropped_total',
    'kubelet_podcertificate_states',
    'kubelet_volume_stats_health_status_abnormal',
    ...['allocations_total', 'allocation_errors_total', 'container_assignments'].map(
      (name) => `resource_manager_${name}`,
    ),
  ],
  [
    'records of pulled images have no cache in memory',
    ...['pulledrecords', 'pullintents'].map((name) => `kubelet_imagemanager_inmemory_${name}_usage_percent`),
  ],
  [
    'a kubelet that starts puts volumes in place as at any time, and need not guess them from folders',
    ...['operations_total', 'operations_errors_total'].map((name) => `reconstruct_volume_${name}`),
    'force_cleaned_failed_volume_operations_total',
    'force_cleaned_failed_volume_operation_errors_total',
  ],
  [
    'volumes are not mounted with labels of SELinux',
    ...['container_errors', 'container_warnings', 'pod_context_mismatch_errors'].map(
      (name) => `volume_manager_selinux_${name}_total`,
    ),
    ...['pod_context_mismatch_warnings', 'volume_context_mismatch_errors'].map(
      (name) => `volume_manager_selinux_${name}_total`,
    ),
    ...['volume_context_mismatch_warnings', 'volumes_admitted'].map(
      (name) => `volume_manager_selinux_${name}_total`,
    ),
  ],
  ['of the old name of resource_scrape_error, hidden since 1.29', 'scrape_error'],
  [
    'is there with rotateCertificates or serverTLSBootstrap (packages/kubelet/src/certificates/rotation.test.ts)',
    ...['client_ttl_seconds', 'client_expiration_renew_errors'].map(
      (name) => `kubelet_certificate_manager_${name}`,
    ),
    ...['server_ttl_seconds', 'server_rotation_seconds'].map((name) => `kubelet_certificate_manager_${name}`),
    'kubelet_server_expiration_renew_errors',
  ],
  [
    'is there with a file of credential plug-ins (packages/kubelet/src/execution/images/credential-plug-ins)',
    ...['config_info', 'plugin_duration', 'plugin_errors_total'].map(
      (name) => `kubelet_credential_provider_${name}`,
    ),
  ],
  [
    'is there with the static policy of the CPU manager (packages/kubelet/src/execution/managers/resource-managers.test.ts)',
    'kubelet_cpu_manager_allocation_per_numa',
  ],
];

/** By name. */
export const absentFamilies: ReadonlyMap<string, string> = new Map(
  reasons.flatMap(([why, ...names]) => names.map((name) => [name, why] as const)),
);
