import { readFileSync } from 'node:fs';
import type { Duplex } from 'node:stream';
import { type Clock, deadline } from '@wherry/clock';
import type { Logger, MetricsRegistry } from '@wherry/telemetry';
import type { Destination, Dial } from '../dialing/dial.ts';
import { type Way, wayOf } from '../dialing/dialled-agents.ts';
import { ClientFiles } from '../documents/client-files.ts';
import { periods } from '../limits.ts';
import { readingSettings } from '../settings-error.ts';
import { type EgressSelection, readEgress } from './configuration.ts';
import { EgressDialError } from './dial-error.ts';
import { EgressFigures, type EgressLabels } from './egress-figures.ts';
import { httpConnectDial } from './http-connect.ts';
import { konnectivityDial } from './konnectivity/konnectivity-dial.ts';
import { type EgressType, validateEgress } from './validate.ts';

/** What an {@link Egress} works with. */
export interface EgressParts {
  clock: Clock;
  logger: Logger;
  metrics: MetricsRegistry;
}

/** Where connections of this server are led through (upstream: pkg/server/egressselector). Closed, it closes all of them. */
export class Egress {
  /** By type in small letters; undefined: dialled from here, as the file says. */
  readonly #ways = new Map<string, Way | undefined>();
  readonly #parts: EgressParts;
  readonly #figures: EgressFigures;
  readonly #files: ClientFiles[] = [];
  readonly #open = new Set<Duplex>();
  readonly #end = new AbortController();

  private constructor(parts: EgressParts) {
    this.#parts = parts;
    this.#figures = new EgressFigures(parts.metrics, parts.clock);
  }

  /** As a file says: an EgressSelectorConfiguration, YAML or JSON. Throws SettingsError. */
  static open(file: string, parts: EgressParts): Egress {
    return readingSettings(`--egress-selector-config-file ${file}`, () => {
      const configuration = readEgress(readFileSync(file));
      validateEgress(configuration);
      const egress = new Egress(parts);
      try {
        for (const selection of configuration.selections) egress.#select(selection);
      } catch (error) {
        egress.close();
        throw error;
      }
      return egress;
    });
  }

  /** That of connections of a type; undefined: they are dialled from here. */
  way(type: EgressType): Way | undefined {
    return this.#ways.get(type);
  }

  /** Whether the file says how those of a type are dialled. */
  tellsOf(type: EgressType): boolean {
    return this.#ways.has(type);
  }

  close(): void {
    this.#end.abort(new Error('the server ends'));
    for (const files of this.#files) files.close();
    for (const socket of this.#open) socket.destroy();
  }

  #select({ name, proxyProtocol, transport }: EgressSelection): void {
    this.#ways.set(name.toLowerCase(), undefined);
    if (!transport) return;
    const { tcp, uds } = transport;
    const { clock } = this.#parts;
    const add = (protocol: EgressLabels['protocol'], dial: Dial) => {
      const labels = { protocol, transport: uds ? 'uds' : 'tcp' } as const;
      const way = wayOf((destination) => this.#dial(dial, labels, destination));
      this.#ways.set(name.toLowerCase(), way);
    };
    if (uds && proxyProtocol === 'GRPC') add('grpc', konnectivityDial(uds.udsName, clock));
    else if (uds) add('http_connect', httpConnectDial({ path: uds.udsName }));
    else if (tcp) {
      const { caBundle, clientCert, clientKey, tlsServerName } = tcp.tlsConfig ?? {};
      const paths = { ca: caBundle || undefined, cert: clientCert, key: clientKey };
      const files = new ClientFiles(paths, { ...this.#parts, towards: `the proxy of ${name}` });
      this.#files.push(files);
      const servername = tlsServerName || undefined;
      add('http_connect', httpConnectDial({ url: new URL(tcp.url), files, servername }));
    }
  }

  async #dial(dial: Dial, labels: EgressLabels, { signal, ...destination }: Destination): Promise<Duplex> {
    const { clock } = this.#parts;
    const ends = signal ? AbortSignal.any([signal, this.#end.signal]) : this.#end.signal;
    using limit = deadline({ clock, timeoutMs: periods.egressDialMs, signal: ends });
    const told = this.#figures.begun(labels);
    try {
      const socket = await dial({ ...destination, signal: limit.signal });
      told.done();
      this.#open.add(socket);
      socket.once('close', () => this.#open.delete(socket));
      return socket;
    } catch (error) {
      told.failed(error instanceof EgressDialError ? error.stage : 'proxy');
      if (ends.aborted || !limit.signal.aborted) throw error;
      throw new EgressDialError('proxy', 'dial timeout, backstop', error);
    }
  }
}
