export { TracingPackagesError } from './errors.ts';
export { openTracer } from './open-tracer.ts';
export {
  endpointProblem,
  readTracingSettings,
  samplingRateMax,
  type TracedProcess,
  type TracingSettings,
} from './settings.ts';
export { readTraceparent, traceIdOf, traceparentHeader } from './traceparent.ts';
export {
  noTracer,
  type Span,
  type SpanContext,
  type SpanFacts,
  type SpanOptions,
  spanOfCaller,
  type Tracer,
} from './tracer.ts';
