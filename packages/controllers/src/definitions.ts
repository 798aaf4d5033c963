import { attachDetachController } from './attach-detach/attach-detach-controller.ts';
import { bootstrapSigner } from './bootstrap-tokens/bootstrap-signer.ts';
import { tokenCleaner } from './bootstrap-tokens/token-cleaner.ts';
import { approvingController } from './certificates/approving-controller.ts';
import { requestCleaner } from './certificates/cleaner-controller.ts';
import { signingController } from './certificates/signing-controller.ts';
import { clusterRoleAggregation } from './cluster-role-aggregation/cluster-role-aggregation.ts';
import { cronJobController } from './cron-job/cron-job-controller.ts';
import { daemonSetController } from './daemon-set/daemon-set-controller.ts';
import { deploymentController } from './deployment/deployment-controller.ts';
import { deviceTaintEviction } from './device-taints/device-taint-eviction.ts';
import { disruptionController } from './disruption/disruption-controller.ts';
import { endpointSliceController } from './endpoints/endpoint-slice-controller.ts';
import { endpointSliceMirroringController } from './endpoints/endpoint-slice-mirroring-controller.ts';
import { endpointsController } from './endpoints/endpoints-controller.ts';
import { ephemeralVolumeController } from './ephemeral-volume/ephemeral-volume-controller.ts';
import { garbageCollector } from './garbage-collector/garbage-collector.ts';
import { horizontalPodAutoscaler } from './horizontal-pod-autoscaler/autoscaler-controller.ts';
import { jobController } from './job/job-controller.ts';
import type { ControllerDefinition } from './machinery/run-controller.ts';
import { namespaceController } from './namespace/namespace-controller.ts';
import { nodeIpamController } from './node-ipam/node-ipam-controller.ts';
import { nodeLifecycle } from './node-lifecycle/node-lifecycle.ts';
import { persistentVolumeBinder } from './persistent-volume/persistent-volume-binder.ts';
import { podGarbageCollector } from './pod-garbage-collector/pod-garbage-collector.ts';
import { policyTypeController } from './policy-types/policy-type-controller.ts';
import { replicaSetController, replicationControllerController } from './replica-set/replica-controller.ts';
import { resourceClaimController } from './resource-claim/resource-claim-controller.ts';
import { resourceQuotaController } from './resource-quota/resource-quota-controller.ts';
import { rootCaCertificatePublisher } from './root-ca-certificate/root-ca-certificate-publisher.ts';
import { scheduler } from './scheduler/scheduler.ts';
import { legacyTokenCleaner } from './service-account/legacy-token-cleaner.ts';
import { serviceAccountController } from './service-account/service-account-controller.ts';
import { tokenController } from './service-account/token-controller.ts';
import { serviceCidrController } from './service-cidr/service-cidr-controller.ts';
import { statefulSetController } from './stateful-set/stateful-set-controller.ts';
import { attributesClassProtection } from './storage-protection/attributes-class-protection.ts';
import { claimProtection } from './storage-protection/claim-protection.ts';
import { volumeProtection } from './storage-protection/volume-protection.ts';
import { ttlAfterFinished } from './ttl-after-finished/ttl-after-finished.ts';
import { volumeExpansion } from './volume-expansion/volume-expansion.ts';

/** Upstream's processes that run controllers: the name of a lease in `kube-system`, and of the user `system:NAME`. */
export type Manager = 'kube-scheduler' | 'kube-controller-manager';

/** All controllers there are: a new one is a folder and a line. */
export const definitionsOf: Readonly<Record<Manager, readonly ControllerDefinition[]>> = {
  'kube-scheduler': [scheduler],
  'kube-controller-manager': [
    namespaceController,
    serviceAccountController,
    tokenController,
    legacyTokenCleaner,
    rootCaCertificatePublisher,
    garbageCollector,
    podGarbageCollector,
    replicaSetController,
    replicationControllerController,
    deploymentController,
    statefulSetController,
    daemonSetController,
    jobController,
    cronJobController,
    ttlAfterFinished,
    endpointsController,
    endpointSliceController,
    endpointSliceMirroringController,
    disruptionController,
    horizontalPodAutoscaler,
    resourceQuotaController,
    persistentVolumeBinder,
    attachDetachController,
    volumeExpansion,
    claimProtection,
    volumeProtection,
    attributesClassProtection,
    ephemeralVolumeController,
    resourceClaimController,
    deviceTaintEviction,
    approvingController,
    signingController,
    requestCleaner,
    bootstrapSigner,
    tokenCleaner,
    clusterRoleAggregation,
    serviceCidrController,
    policyTypeController,
    nodeIpamController,
    nodeLifecycle,
  ],
};

/** {@link definitionsOf} all managers. */
export const definitions: readonly ControllerDefinition[] = Object.values(definitionsOf).flat();
