const ends = (prefix: string, ...names: readonly string[]): string[] =>
  names.map((name) => `${prefix}_${name}`);

/** Families of kube-apiserver that ours does not have, and why. One that is built goes from here: the list can only shrink. */
const reasons: readonly (readonly [why: string, ...names: string[]])[] = [
  [
    'counts what client-go and component-base have inside, which is not here',
    ...['disabled_metrics_total', 'hidden_metrics_total', 'registered_metrics_total', 'version_info'],
    ...['informer_processing_latency_seconds', 'informer_queued_items', 'informer_store_resource_version'],
    ...['leader_election_master_status', 'leader_election_slowpath_total', 'running_managed_controllers'],
    ...ends('rest_client_transport', 'ca_reload_total', 'cache_entries', 'cache_gc_calls_total'),
    ...ends('rest_client_transport', 'cert_rotation_gc_calls_total', 'create_calls_total'),
    ...ends('rest_client_exec_plugin', 'call_total', 'certificate_rotation_age', 'policy_call_total'),
    'rest_client_exec_plugin_ttl_seconds',
  ],
  [
    'the server is no client of itself',
    ...ends('rest_client', 'dns_resolution_duration_seconds', 'rate_limiter_duration_seconds'),
    ...ends('rest_client', 'request_duration_seconds', 'request_retries_total', 'request_size_bytes'),
    ...ends('rest_client', 'requests_total', 'response_size_bytes'),
    'apiserver_selfrequest_total',
  ],
  [
    'it has no queues of work: what it follows it does at once',
    ...ends('workqueue', 'adds_total', 'depth', 'longest_running_processor_seconds'),
    ...ends('workqueue', 'queue_duration_seconds', 'retries_total', 'unfinished_work_seconds'),
    'workqueue_work_duration_seconds',
  ],
  [
    'lists and watches come from the store and its history, and no cache stands before it',
    ...ends('apiserver_cache_list', 'fetched_objects_total', 'returned_objects_total', 'total'),
    ...ends('apiserver_watch_cache', 'consistent_read_total', 'events_dispatched_total'),
    ...ends('apiserver_watch_cache', 'events_received_total', 'initializations_total'),
    ...ends('apiserver_watch_cache', 'read_wait_seconds', 'resource_version'),
    ...ends('watch_cache', 'capacity', 'capacity_decrease_total', 'capacity_increase_total'),
    ...['apiserver_init_events_total', 'apiserver_storage_consistency_checks_total'],
    ...ends('etcd', 'bookmark_counts', 'bookmark_total'),
    'apiserver_storage_events_received_total',
  ],
  ['watches have no shards', 'apiserver_watch_filtered_events_total', 'apiserver_watch_shards_total'],
  [
    'the store tells how many objects it has, and nothing of their sizes, leases or what can not be read',
    ...['apiserver_resource_size_estimate_bytes', 'etcd_lease_object_counts'],
    'apiserver_storage_decode_errors_total',
  ],
  [
    'of an old name, hidden upstream',
    ...['apiserver_request_slo_duration_seconds', 'apiserver_storage_db_total_size_in_bytes'],
    ...ends('apiserver_flowcontrol_request_concurrency', 'in_use', 'limit'),
    ...ends('kube_apiserver_pod_logs_pods_logs', 'backend_tls_failure_total', 'insecure_backend_total'),
  ],
  [
    'documents of discovery and OpenAPI are made when they are asked for',
    ...ends('aggregator_discovery', 'aggregation_count_total', 'nopeer_requests_total'),
    ...ends('aggregator_openapi_v2', 'regeneration_count', 'regeneration_duration'),
    ...ends('apiextensions_openapi', 'v2_regeneration_count', 'v3_regeneration_count'),
  ],
  [
    'servers do not pass requests on to each other',
    ...ends('aggregator_discovery_peer_aggregated', 'cache_hits_total', 'cache_misses_total'),
    ...['apiserver_peer_discovery_sync_errors_total', 'apiserver_peer_proxy_errors_total'],
    'apiserver_rerouted_request_total',
  ],
  [
    'a level lends what it does not need at the moment, and no time is divided among levels',
    ...ends('apiserver_flowcontrol', 'current_limit_seats', 'current_r', 'demand_seats'),
    ...ends('apiserver_flowcontrol_demand_seats', 'average', 'high_watermark', 'smoothed', 'stdev'),
    ...ends('apiserver_flowcontrol', 'dispatch_r', 'epoch_advance_total', 'latest_s'),
    ...ends('apiserver_flowcontrol', 'next_discounted_s_bounds', 'next_s_bounds', 'seat_fair_frac'),
    ...ends('apiserver_flowcontrol', 'target_seats', 'request_dispatch_no_accommodation_total'),
    ...ends('apiserver_flowcontrol_priority_level', 'request_utilization', 'seat_utilization'),
    'apiserver_flowcontrol_read_vs_write_current_requests',
  ],
  [
    'each request takes one seat, and each flow waits in a line of its own',
    ...ends('apiserver_flowcontrol', 'work_estimated_seats', 'watch_count_samples'),
    'apiserver_flowcontrol_request_queue_length_after_enqueue',
  ],
  [
    'what services have follows from the stored services: nothing is kept beside them that could be counted or repaired',
    ...ends('apiserver_clusterip_repair', 'ip_errors_total', 'reconcile_errors_total'),
    ...ends('apiserver_nodeport_repair', 'port_errors_total', 'reconcile_errors_total'),
    ...ends('kube_apiserver_clusterip_allocator', 'allocated_ips', 'allocation_duration_seconds'),
    ...ends('kube_apiserver_clusterip_allocator', 'allocation_errors_total', 'allocation_total'),
    ...['kube_apiserver_clusterip_allocator_available_ips'],
    ...ends('kube_apiserver_nodeport_allocator', 'allocated_ports', 'allocation_errors_total'),
    ...ends('kube_apiserver_nodeport_allocator', 'allocation_total', 'available_ports'),
  ],
  [
    'Node.js does not say it of certificates',
    ...ends('apiserver_kube_aggregator_x509', 'insecure_sha1_total', 'missing_san_total'),
    ...ends('apiserver_webhooks_x509', 'insecure_sha1_total', 'missing_san_total'),
    'kube_apiserver_pod_logs_backend_tls_failure_total',
  ],
  [
    'told by a server alone whose connections are led through proxies',
    ...ends('apiserver_egress_dialer', 'dial_duration_seconds', 'dial_failure_count', 'dial_start_total'),
  ],
  [
    'there is no such flag here',
    ...ends('apiserver_externaljwt', 'fetch_keys_data_timestamp', 'fetch_keys_request_total'),
    ...ends('apiserver_externaljwt', 'fetch_keys_success_timestamp', 'request_duration_seconds'),
    'apiserver_externaljwt_sign_request_total',
    ...ends('apiserver_delegated_authn', 'request_duration_seconds', 'request_total'),
    ...ends('apiserver_delegated_authz', 'request_duration_seconds', 'request_total'),
    'kubernetes_feature_enabled',
  ],
  [
    'its feature gate is off in this release, and can not be switched here',
    ...ends(
      'apiserver_manifest_admission_config_controller',
      ...['automatic_reload_last_timestamp_seconds', 'automatic_reloads_total', 'last_config_info'],
    ),
  ],
  [
    'is about rules that upstream has written down twice',
    ...ends('apiserver_validation_declarative_validation', 'mismatch_total', 'panic_total'),
    ...ends('apiserver_validation_declarative_validation', 'panics_total', 'parity_discrepancies_total'),
  ],
  ['KMS v1 is refused', ...ends('apiserver_envelope_encryption_dek_cache', 'fill_percent')],
  [
    'keys that seal one value each are of KMS v1',
    'apiserver_envelope_encryption_dek_cache_inter_arrival_time_seconds',
    'apiserver_storage_envelope_transformation_cache_misses_total',
    ...ends('apiserver_storage_data_key_generation', 'duration_seconds', 'failures_total'),
  ],
  [
    'is a summary over ten hours, which the histogram of the same name says better',
    'apiserver_admission_step_admission_duration_seconds_summary',
  ],
  [
    'who asks is always answered by the one who serves it',
    'apiserver_request_post_timeout_total',
    'apiserver_request_timestamp_comparison_time',
  ],
  [
    'is not counted here',
    ...ends('apiserver_cel', 'compilation_duration_seconds', 'evaluation_duration_seconds'),
    'apiextensions_apiserver_validation_ratcheting_seconds',
    ...ends('apiserver_certificates_registry_csr', 'honored_duration_total', 'requested_duration_total'),
    ...ends('apiserver_impersonation_attempts', 'duration_seconds', 'total'),
    ...ends('apiserver_impersonation_authorization_attempts', 'duration_seconds', 'total'),
    ...ends('authentication_token_cache', 'active_fetch_count', 'fetch_total'),
    ...ends('authentication_token_cache', 'request_duration_seconds', 'request_total'),
    'node_authorizer_graph_actions_duration_seconds',
    'kube_apiserver_pod_logs_insecure_backend_total',
    'pod_security_errors_total',
  ],
  [
    'is there with identity providers (packages/apiserver/src/authentication/jwt)',
    ...ends('apiserver_authentication_jwt_authenticator', 'latency_seconds'),
    ...ends('apiserver_authentication_jwt_authenticator_jwks_fetch', 'last_key_set_info'),
    ...ends('apiserver_authentication_jwt_authenticator_jwks_fetch', 'last_timestamp_seconds'),
    ...ends(
      'apiserver_authentication_config_controller',
      ...['automatic_reload_last_timestamp_seconds', 'automatic_reloads_total', 'last_config_info'],
    ),
  ],
];

/** By name. */
export const absentApiserverFamilies: ReadonlyMap<string, string> = new Map(
  reasons.flatMap(([why, ...names]) => names.map((name) => [name, why] as const)),
);
