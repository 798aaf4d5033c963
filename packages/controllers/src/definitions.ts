import { garbageCollector } from './garbage-collector/garbage-collector.ts';
import type { ControllerDefinition } from './machinery/run-controller.ts';
import { namespaceController } from './namespace/namespace-controller.ts';
import { nodeLifecycle } from './node-lifecycle/node-lifecycle.ts';
import { podGarbageCollector } from './pod-garbage-collector/pod-garbage-collector.ts';
import { rootCaCertificatePublisher } from './root-ca-certificate/root-ca-certificate-publisher.ts';
import { scheduler } from './scheduler/scheduler.ts';
import { serviceAccountController } from './service-account/service-account-controller.ts';

/** All controllers there are: a new one is a folder and a line. */
export const definitions: readonly ControllerDefinition[] = [
  scheduler,
  namespaceController,
  serviceAccountController,
  rootCaCertificatePublisher,
  garbageCollector,
  podGarbageCollector,
  nodeLifecycle,
];
