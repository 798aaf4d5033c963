const ends = (prefix: string, ...names: readonly string[]): string[] =>
  names.map((name) => `${prefix}_${name}`);

type Reason = readonly [why: string, ...names: string[]];

/** Of all programs of Kubernetes. */
const common: readonly Reason[] = [
  [
    'counts what client-go and component-base have inside, which is not here',
    ...['disabled_metrics_total', 'hidden_metrics_total', 'registered_metrics_total', 'version_info'],
    ...['informer_processing_latency_seconds', 'informer_queued_items', 'informer_store_resource_version'],
    ...['leader_election_slowpath_total', 'running_managed_controllers', 'kubernetes_feature_enabled'],
    ...ends('rest_client_transport', 'ca_reload_total', 'cache_entries', 'cache_gc_calls_total'),
    ...ends('rest_client_transport', 'cert_rotation_gc_calls_total', 'create_calls_total'),
    ...ends('rest_client_exec_plugin', 'call_total', 'certificate_rotation_age', 'policy_call_total'),
    'rest_client_exec_plugin_ttl_seconds',
    'kubernetes_build_info',
  ],
  ['requests are not throttled', 'rest_client_rate_limiter_duration_seconds'],
  ['names are resolved inside of connections of Node.js', 'rest_client_dns_resolution_duration_seconds'],
];

const ofScheduler: readonly Reason[] = [
  [
    'is of its own page, /metrics/resources, which is not here: kube-state-metrics tells it',
    ...ends('kube_pod_resource', 'limit', 'request'),
  ],
  [
    'nothing is decided for several pods at once, or for groups of them',
    ...ends('scheduler_batch', 'attempts_total', 'cache_flushed_total'),
    ...ends('scheduler_podgroup', 'schedule_attempts_total', 'scheduling_algorithm_duration_seconds'),
    'scheduler_podgroup_scheduling_attempt_duration_seconds',
    ...ends('scheduler', 'get_node_hint_duration_seconds', 'store_schedule_results_duration_seconds'),
  ],
  [
    'writes wait in no line of their own, and there are no goroutines',
    ...ends('scheduler_async_api_call_execution', 'duration_seconds', 'total'),
    ...ends('scheduler', 'pending_async_api_calls', 'goroutines', 'inflight_events'),
    ...ends('scheduler_preemption_goroutines', 'duration_seconds', 'execution_total'),
  ],
  ['no plug-in waits before a binding', 'scheduler_permit_wait_duration_seconds'],
  [
    'which changes help whom is a table, and asks no plug-in',
    ...ends('scheduler', 'queueing_hint_execution_duration_seconds', 'event_handling_duration_seconds'),
  ],
  [
    'is not counted here, plug-in by plug-in',
    ...ends('scheduler_plugin', 'evaluation_total', 'execution_duration_seconds'),
    ...ends('scheduler_dra_bindingconditions', 'allocations_total', 'wait_duration_seconds'),
    ...ends('scheduler', 'resourceclaim_creates_total', 'pod_scheduled_after_flush_total'),
    ...ends('scheduler', 'volume_binder_cache_requests_total', 'volume_scheduling_stage_error_total'),
  ],
];

const ofControllers: readonly Reason[] = [
  [
    'its feature gate is off in this release, or its controller is not here',
    ...ends('clustertrustbundle_publisher_sync', 'duration_seconds', 'total'),
    ...ends('resourcepoolstatusrequest_controller', 'request_processing_duration_seconds'),
    ...ends('resourcepoolstatusrequest_controller', 'request_processing_errors_total'),
    'resourcepoolstatusrequest_controller_requests_processed_total',
    'selinux_warning_controller_selinux_volume_conflict',
  ],
  [
    'no look is left out since what was written is not seen yet: it is put off',
    ...['daemonset', 'job', 'replicaset', 'statefulset'].map(
      (kind) => `${kind}_controller_stale_sync_skips_total`,
    ),
  ],
  [
    'kube-state-metrics tells it of the objects themselves',
    ...ends('pv_collector', 'bound_pv_count', 'bound_pvc_count', 'total_pv_count'),
    ...ends('pv_collector', 'unbound_pv_count', 'unbound_pvc_count'),
    ...ends('statefulset_controller', 'statefulset_max_unavailable', 'statefulset_unavailable_replicas'),
    'resourceclaim_controller_resource_claims',
    'attachdetach_controller_total_volumes',
    'storage_count_attachable_volumes_in_use',
  ],
  [
    'volumes are attached and detached by CSI alone, and never by force',
    'attach_detach_controller_attachdetach_controller_forced_detaches',
    ...ends('volume_operation', 'errors_total', 'total_errors'),
  ],
  [
    'is not counted here',
    ...ends('device_taint_eviction_controller', 'pod_deletion_duration_seconds', 'pod_deletions_total'),
    ...ends('taint_eviction_controller', 'pod_deletion_duration_seconds', 'pod_deletions_total'),
    ...ends('endpoint_slice_controller', 'changes', 'desired_endpoint_slices', 'endpoints_added_per_sync'),
    ...ends('endpoint_slice_controller', 'endpoints_desired', 'endpoints_removed_per_sync'),
    ...ends('endpoint_slice_controller', 'endpointslices_changed_per_sync', 'num_endpoint_slices'),
    ...ends('endpoint_slice_controller', 'services_count_by_traffic_distribution', 'syncs'),
    ...ends('endpoint_slice_mirroring_controller', 'addresses_skipped_per_sync', 'changes'),
    ...ends('endpoint_slice_mirroring_controller', 'desired_endpoint_slices', 'endpoints_added_per_sync'),
    ...ends('endpoint_slice_mirroring_controller', 'endpoints_desired', 'endpoints_removed_per_sync'),
    ...ends('endpoint_slice_mirroring_controller', 'endpoints_sync_duration', 'num_endpoint_slices'),
    'endpoint_slice_mirroring_controller_endpoints_updated_per_sync',
    ...ends('ephemeral_volume_controller', 'create_failures_total', 'create_total'),
    'garbagecollector_controller_resources_sync_error_total',
    ...ends('horizontal_pod_autoscaler_controller_metric_computation', 'duration_seconds', 'total'),
    ...ends('job_controller', 'job_finished_indexes_total', 'job_pods_creation_total'),
    ...ends('job_controller', 'job_pods_finished_total', 'jobs_by_external_controller_total'),
    ...ends('job_controller', 'pod_failures_handled_by_failure_policy_total'),
    'job_controller_terminated_pods_tracking_finalizer_total',
    ...ends('node_ipam_controller_cidrset', 'allocation_tries_per_request', 'cidrs_allocations_total'),
    ...ends('node_ipam_controller_cidrset', 'cidrs_releases_total', 'usage_cidrs'),
    'node_ipam_controller_cirdset_max_cidrs',
    ...ends('pod_gc_collector', 'force_delete_pod_errors_total', 'force_delete_pods_total'),
    'replicaset_controller_sorting_deletion_age_ratio',
    'resourceclaim_controller_creates_total',
    ...ends('retroactive_storageclass', 'errors_total', 'total'),
    ...ends('root_ca_cert_publisher_sync', 'duration_seconds', 'total'),
    'ttl_after_finished_controller_job_deletion_duration_seconds',
  ],
];

const byName = (reasons: readonly Reason[]): ReadonlyMap<string, string> =>
  new Map(reasons.flatMap(([why, ...names]) => names.map((name) => [name, why] as const)));

/**
 * Families of kube-scheduler and of kube-controller-manager that ours do not have, by name, and why. One that is built goes from here:
 * the lists can only shrink.
 */
export const absentManagerFamilies = {
  'kube-scheduler': byName([...common, ...ofScheduler]),
  'kube-controller-manager': byName([...common, ...ofControllers]),
} as const;
