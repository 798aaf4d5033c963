import type { TracedProcess, TracingSettings } from './settings.ts';
import { noTracer, type Tracer } from './tracer.ts';

/**
 * The tracer that the settings ask for; without settings, the one that does nothing. OpenTelemetry's packages are loaded
 * here and nowhere else: they are no dependencies, since they are larger than all that is. Rejects with what to install
 * where they are missing.
 */
export async function openTracer(
  settings: TracingSettings | undefined,
  process: TracedProcess,
): Promise<Tracer> {
  if (!settings) return noTracer;
  const { otlpTracer } = await import('./otlp-tracer.ts');
  return otlpTracer(settings, process);
}
