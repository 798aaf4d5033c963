/** Pods, and what templates of pods share with them. */

import type { Pod } from '../../../generated/types.ts';
import type { KindDefinition } from '../../definition.ts';
import { containerDescriptions } from './container-descriptions.ts';
import {
  defaultPod,
  defaultPodAddresses,
  defaultPodSpec,
  defaultPullPolicy,
  defaultVolume,
} from './defaults.ts';
import { podDescriptions } from './descriptions.ts';
import { podPrinter } from './printer.ts';
import { validatePodCreate } from './validation/pod.ts';
import { validatePodResize } from './validation/resize.ts';
import { validatePodStatus } from './validation/status/pod-status.ts';
import { validateEphemeralContainersUpdate, validatePodUpdate } from './validation/update.ts';

const fileMode = { defaultMode: 0o644 };

/** Pods. */
export const pod: KindDefinition<Pod> = {
  group: '',
  kind: 'Pod',
  printer: podPrinter,
  fieldLabels: {
    'spec.nodeName': '',
    // What it was called before v1.
    'spec.host': '',
    'spec.restartPolicy': '',
    'spec.schedulerName': '',
    'spec.serviceAccountName': '',
    'spec.hostNetwork': 'false',
    'status.phase': '',
    'status.podIP': '',
    'status.podIPs': '',
    'status.nominatedNodeName': '',
  },
  fieldPath: (label) => (label === 'spec.host' ? 'spec.nodeName' : label),
  validate: validatePodCreate,
  validateUpdate: validatePodUpdate,
  validateSubresource: {
    status: validatePodStatus,
    ephemeralcontainers: validateEphemeralContainersUpdate,
    resize: validatePodResize,
  },
  defaults: {
    PodSpec: {
      dnsPolicy: 'ClusterFirst',
      restartPolicy: 'Always',
      securityContext: {},
      terminationGracePeriodSeconds: 30,
      schedulerName: 'default-scheduler',
    },
    Container: { terminationMessagePath: '/dev/termination-log', terminationMessagePolicy: 'File' },
    EphemeralContainerCommon: {
      terminationMessagePath: '/dev/termination-log',
      terminationMessagePolicy: 'File',
    },
    Probe: { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 },
    HTTPGetAction: { path: '/', scheme: 'HTTP' },
    GRPCAction: { service: '' },
    SecretVolumeSource: fileMode,
    ConfigMapVolumeSource: fileMode,
    DownwardAPIVolumeSource: fileMode,
    ProjectedVolumeSource: fileMode,
    ServiceAccountTokenProjection: { expirationSeconds: 3600 },
    HostPathVolumeSource: { type: '' },
    ObjectFieldSelector: { apiVersion: 'v1' },
  },
  computedDefaults: {
    Pod: defaultPod,
    PodSpec: defaultPodSpec,
    PodStatus: (status) => defaultPodAddresses(status),
    Container: (container) => defaultPullPolicy(container, 'imagePullPolicy', container['image']),
    EphemeralContainerCommon: (container) =>
      defaultPullPolicy(container, 'imagePullPolicy', container['image']),
    ImageVolumeSource: (source) => defaultPullPolicy(source, 'pullPolicy', source['reference']),
    Volume: defaultVolume,
  },
  descriptions: { ...podDescriptions, ...containerDescriptions },
};
