import { serveLog } from '../../../connect/logs.ts';
import type { Handler } from '../../../registry/handler.ts';
import { bindPod } from '../../../subresources/binding.ts';
import { evictPod } from '../../../subresources/eviction.ts';
import { action, wholeObject } from '../../answers.ts';
import type { ServedKind } from '../../definition.ts';
import { proxyHandler } from '../../proxy-handler.ts';
import { podStrategy } from './strategy.ts';

/** Pods. */
export const pod: ServedKind = {
  group: '',
  kind: 'Pod',
  strategy: podStrategy,
  handlers: (parts) => {
    const { kubelets, streams, sessions, budgets } = parts;
    const pods = parts.core('pods');
    const stream: Handler = {
      verbs: ['create', 'get'],
      serve: (request, wire) => streams.serve(request, wire.exchange),
    };
    return {
      exec: stream,
      attach: stream,
      portforward: stream,
      log: {
        verbs: ['get'],
        serve: (request, wire) => serveLog({ pods, kubelets, sessions }, request, wire),
      },
      proxy: proxyHandler(parts),
      binding: action((request) => bindPod(pods, request)),
      eviction: action((request) => evictPod(pods, budgets, request)),
      ephemeralcontainers: wholeObject(pods),
      resize: wholeObject(pods),
    };
  },
};
