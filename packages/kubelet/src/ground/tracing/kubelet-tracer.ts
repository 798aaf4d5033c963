import { type Logger, openTracer, type Tracer, TracingPackagesError } from '@wherry/telemetry';
import type { KubeletConfiguration } from '../../configuration/configuration.ts';
import { ConfigurationError } from '../../configuration/configuration-error.ts';

/** The tracer that the configuration's `tracing` asks for. Throws ConfigurationError where its packages are missing. */
export async function kubeletTracer(
  { tracing }: KubeletConfiguration,
  { nodeName, logger }: { nodeName: string; logger: Logger },
): Promise<Tracer> {
  try {
    return await openTracer(tracing, { service: 'kubelet', instance: nodeName, logger });
  } catch (error) {
    if (error instanceof TracingPackagesError) throw new ConfigurationError([`tracing: ${error.message}`]);
    throw error;
  }
}
