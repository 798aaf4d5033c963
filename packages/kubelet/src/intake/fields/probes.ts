import type {
  ExecAction,
  GRPCAction,
  HTTPGetAction,
  HTTPHeader,
  Lifecycle,
  LifecycleHandler,
  Probe,
  SleepAction,
  TCPSocketAction,
} from '@wherry/kubeapi';
import { actedOn, type MessageVerdicts, noEffect, refused } from '../../pod/field-verdict.ts';

const worker = 'kubelet/execution/probes/probe-worker';
const run = 'kubelet/execution/probes/run-probe';
const hooks = 'kubelet/execution/container/hooks';

export const probe: MessageVerdicts<Probe> = {
  exec: actedOn(run),
  httpGet: actedOn(run),
  tcpSocket: actedOn(run),
  grpc: actedOn(run),
  initialDelaySeconds: actedOn(worker),
  timeoutSeconds: actedOn(run),
  periodSeconds: actedOn(worker),
  successThreshold: actedOn(worker),
  failureThreshold: actedOn(worker),
  terminationGracePeriodSeconds: actedOn('kubelet/execution/workers/pod-starter'),
};

export const execAction: MessageVerdicts<ExecAction> = {
  command: actedOn('kubelet/execution/probes/exec-probe', hooks),
};

export const httpGetAction: MessageVerdicts<HTTPGetAction> = {
  path: actedOn('kubelet/execution/probes/http-target'),
  port: actedOn('kubelet/execution/probes/http-target'),
  host: actedOn('kubelet/execution/probes/http-target'),
  scheme: actedOn('kubelet/execution/probes/http-target'),
  httpHeaders: actedOn('kubelet/execution/probes/http-target'),
};

export const httpHeader: MessageVerdicts<HTTPHeader> = {
  name: actedOn('kubelet/execution/probes/http-target'),
  value: actedOn('kubelet/execution/probes/http-target'),
};

export const tcpSocketAction: MessageVerdicts<TCPSocketAction> = {
  port: actedOn(run),
  host: actedOn(run),
};

export const grpcAction: MessageVerdicts<GRPCAction> = {
  port: actedOn(run),
  service: actedOn('kubelet/execution/probes/grpc-probe'),
};

export const lifecycle: MessageVerdicts<Lifecycle> = {
  postStart: actedOn('kubelet/execution/container/container-starter'),
  preStop: actedOn('kubelet/execution/container/container-killer'),
  stopSignal: refused(
    'a stop signal of the pod is not supported by this kubelet (alpha upstream); the image can set one',
  ),
};

export const lifecycleHandler: MessageVerdicts<LifecycleHandler> = {
  exec: actedOn(hooks),
  httpGet: actedOn(hooks),
  tcpSocket: noEffect('a hook of this kind fails with "invalid handler", as upstream'),
  sleep: actedOn(hooks),
};

export const sleepAction: MessageVerdicts<SleepAction> = { seconds: actedOn(hooks) };
