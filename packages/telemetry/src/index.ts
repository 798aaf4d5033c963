export { type Exposition, exposition } from './exposition/exposition.ts';
export { HealthIndicators } from './health-indicators.ts';
export {
  type HealthAnswer,
  type HealthCheck,
  type HealthKind,
  HealthPages,
  healthPaths,
} from './health-pages.ts';
export type { Logger, LogLevel } from './logger.ts';
export { createLogger, silentLogger } from './logger.ts';
export type {
  Counter,
  CounterSeries,
  Gauge,
  GaugeSeries,
  Histogram,
  HistogramSeries,
} from './metrics.ts';
export { MetricsRegistry, requestSecondsBuckets } from './metrics.ts';
export { MetricsPage, type SampleWriter } from './metrics-page.ts';
export type { Labels } from './series-table.ts';
export {
  answerSessions,
  auditIdHeader,
  FlowMeter,
  hostAndPort,
  LiveSession,
  type Session,
  type SessionAnswer,
  SessionBook,
  type SessionBookOptions,
  type SessionClock,
  type SessionEnd,
  type SessionEvent,
  type SessionFacts,
  type SessionFlow,
  type SessionHop,
  type SessionKind,
  type SessionList,
  type SessionOutcome,
  type SessionSide,
  type SessionStream,
  StreamMeter,
  sessionEvents,
} from './sessions/index.ts';
export {
  endpointProblem,
  noTracer,
  openTracer,
  readTraceparent,
  readTracingSettings,
  type Span,
  type SpanContext,
  type SpanFacts,
  type SpanOptions,
  samplingRateMax,
  spanOfCaller,
  type TracedProcess,
  type Tracer,
  TracingPackagesError,
  type TracingSettings,
  traceIdOf,
  traceparentHeader,
} from './tracing/index.ts';
export { type UnattendedOptions, unattended } from './unattended.ts';
