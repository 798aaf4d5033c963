import type { CallOptions, CriClient } from '@wherry/cri';
import type { Tracer } from '@wherry/telemetry';
import { measuredOperations } from '../measured-runtime.ts';

type Call = (request?: object, options?: CallOptions) => Promise<unknown>;

/** The same client, whose calls are spans, named as otelgrpc names them; the runtime is told of them. */
export function tracedRuntime(cri: CriClient, tracer: Tracer): CriClient {
  if (!tracer.isOn) return cri;
  return {
    ...cri,
    runtime: traced(cri.runtime, 'runtime.v1.RuntimeService', tracer),
    images: traced(cri.images, 'runtime.v1.ImageService', tracer),
  };
}

function traced<Service extends object>(service: Service, name: string, tracer: Tracer): Service {
  return Object.fromEntries(
    Object.entries(service).map(([call, send]) => [
      call,
      measuredOperations.has(call) ? tracedCall({ send, service: name, call, tracer }) : send,
    ]),
  ) as Service;
}

interface TracedCall {
  send: Call;
  service: string;
  /** In camel case. */
  call: string;
  tracer: Tracer;
}

function tracedCall({ send, service, call, tracer }: TracedCall): Call {
  const method = `${call.charAt(0).toUpperCase()}${call.slice(1)}`;
  const facts = { 'rpc.system': 'grpc', 'rpc.service': service, 'rpc.method': method };
  return (request, options) =>
    tracer.within(`${service}/${method}`, { kind: 'client', facts }, () =>
      send(request, { ...options, headers: { ...options?.headers, ...tracer.headers() } }),
    );
}
