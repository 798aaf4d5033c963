import type { Logger } from '../logger.ts';

/** Where spans go, and how many: upstream's TracingConfiguration. */
export interface TracingSettings {
  /** `HOST:PORT` of a collector that takes OTLP by gRPC, `dns:///…` or `unix:///…`; without TLS, as upstream. Default `localhost:4317`. */
  endpoint?: string | undefined;
  /** Of a million traces that begin here, how many are sent. Default 0: those alone whose caller's are. */
  samplingRatePerMillion?: number | undefined;
}

/** Whose spans they are. */
export interface TracedProcess {
  /** `service.name`: `kubelet`, `apiserver`, `runtime`. */
  service: string;
  /** `service.instance.id`, such as the node's name. */
  instance?: string | undefined;
  logger: Logger;
}

/** Largest rate: every trace. */
export const samplingRateMax = 1_000_000;
/** OTLP's port for gRPC. */
export const defaultEndpoint = 'localhost:4317';

const schemes = ['dns:', 'unix:', 'unix-abstract:'];

/** What is wrong with an endpoint, if anything is. */
export function endpointProblem(endpoint: string): string | undefined {
  const address = endpoint.includes('//') ? endpoint : `dns://${endpoint}`;
  if (!URL.canParse(address)) return 'is no address such as localhost:4317';
  const { protocol } = new URL(address);
  if (schemes.includes(protocol)) return undefined;
  return `has the scheme ${protocol.slice(0, -1)}; it is HOST:PORT, or one of dns, unix and unix-abstract`;
}

/** Says of a value from a file what is wrong with it. Throws an Error that names the field. */
export function readTracingSettings(value: unknown): TracingSettings {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error(`${JSON.stringify(value)} is not an object`);
  const fields = new Map<string, unknown>(Object.entries(value));
  const endpoint = fields.get('endpoint') ?? undefined;
  const samplingRatePerMillion = fields.get('samplingRatePerMillion') ?? undefined;
  const unknown = [...fields.keys()].find((name) => !known.includes(name));
  if (unknown !== undefined) throw new Error(`${unknown}: there is no such field`);
  if (endpoint !== undefined) {
    const problem = typeof endpoint === 'string' ? endpointProblem(endpoint) : 'is not a string';
    if (problem) throw new Error(`endpoint: ${JSON.stringify(endpoint)} ${problem}`);
  }
  if (samplingRatePerMillion !== undefined && !isRate(samplingRatePerMillion))
    throw new Error(
      `samplingRatePerMillion: ${JSON.stringify(samplingRatePerMillion)} is not a whole number from 0 to ${samplingRateMax}`,
    );
  return { endpoint: endpoint as string | undefined, samplingRatePerMillion };
}

const known = ['apiVersion', 'kind', 'endpoint', 'samplingRatePerMillion'];

const isRate = (value: unknown): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= samplingRateMax;
