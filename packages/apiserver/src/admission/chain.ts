import type { Clock } from '@wherry/clock';
import { findResource, type ResourceFacts, type TypeMeta } from '@wherry/kubeapi';
import type { WriteContext } from '../requests/request.ts';
import type { StoreWrite } from '../store/store.ts';
import { type AdmissionPlugin, type AdmissionRequest, isHandled } from './admission.ts';
import type { AdmissionFigures, PhaseSeries } from './figures/admission-figures.ts';
import { PhaseTimes } from './figures/phase-times.ts';

/** What a request is, besides who asks; what is absent is the path's. */
export type AdmissionParts = Pick<
  AdmissionRequest,
  'operation' | 'object' | 'previous' | 'type' | 'view' | 'options' | 'dryRun'
> &
  Partial<Pick<AdmissionRequest, 'resource' | 'subresource' | 'namespace' | 'name'>>;

/** What plug-ins add to one write: what is stored with it, and what is done when it is over. */
export class Settlement {
  readonly #callbacks: (() => void)[] = [];
  #alongside: StoreWrite[] = [];

  /** What is to be stored with the object. */
  get alongside(): readonly StoreWrite[] {
    return this.#alongside;
  }

  store(write: StoreWrite): void {
    this.#alongside.push(write);
  }

  onSettled(callback: () => void): void {
    this.#callbacks.push(callback);
  }

  /** Before plug-ins judge what is to be stored, and again when they have to judge it anew. */
  begin(): void {
    this.#alongside = [];
  }

  /** The write is over, well or badly. */
  settle(): void {
    this.#alongside = [];
    for (const callback of this.#callbacks.splice(0)) callback();
  }
}

/** A plug-in, and what is told of the time that it takes. */
interface TimedPlugin {
  readonly plugin: AdmissionPlugin;
  readonly admitted: PhaseSeries;
  readonly validated: PhaseSeries;
}

/** Those that are asked about an operation, in their order, with what is told of all of them. */
interface Asked {
  readonly plugins: readonly TimedPlugin[];
  readonly admitted: PhaseSeries;
  readonly validated: PhaseSeries;
}

/** Plug-ins in their order. */
export class AdmissionChain {
  readonly #plugins: readonly AdmissionPlugin[];
  readonly #figures: AdmissionFigures;
  readonly #clock: Clock;
  /** The plug-ins that are asked, by operation, resource and sub-resource. */
  readonly #asked = new WeakMap<ResourceFacts, Map<string, Asked>>();

  constructor(
    plugins: readonly AdmissionPlugin[],
    { figures, clock }: { figures: AdmissionFigures; clock: Clock },
  ) {
    this.#plugins = plugins;
    this.#figures = figures;
    this.#clock = clock;
  }

  /** What plug-ins are asked. The caller settles when the write is over. */
  request(
    { info, user, warnings = [], query, signal, audit, waited = () => {} }: WriteContext,
    parts: AdmissionParts,
    settlement: Settlement,
  ): AdmissionRequest {
    const warn = (text: string) => {
      if (!warnings.includes(text)) warnings.push(text);
    };
    const onSettled = (callback: () => void) => settlement.onSettled(callback);
    const storeAlongside = (write: StoreWrite) => settlement.store(write);
    const { metadata } = parts.object ?? parts.previous ?? {};
    const name = info.name || (metadata?.name ?? '');
    const { namespace, subresource, verb } = info;
    const resource = parts.resource ?? findResource(info.group, info.version, info.resource);
    if (!resource)
      throw new TypeError(`there is no resource "${info.resource}" in "${info.group}/${info.version}"`);
    const options = parts.options ?? writeOptionsOf(parts, query);
    const timeout = query?.text('timeout');
    const annotate: AdmissionRequest['annotate'] = (...annotation) => audit?.annotate(...annotation);
    const callbacks = { warn, annotate, waited, onSettled, storeAlongside, askAgain: () => {} };
    const place = { namespace, name, subresource, verb };
    return { ...place, user, signal, timeout, ...callbacks, ...parts, options, resource };
  }

  /** The first phase; true when a plug-in may have changed the object. Throws the first refusal. */
  async admit(request: AdmissionRequest): Promise<boolean> {
    const { plugins, admitted: all } = this.#askedAbout(request);
    const times = new PhaseTimes(all, this.#clock);
    let mayHaveChanged = false;
    let isAgain = false;
    let mustAskAgain = false;
    request.askAgain = () => {
      mustAskAgain = true;
    };
    try {
      for (let at = 0; at < plugins.length; at += 1) {
        const { plugin, admitted } = plugins[at]!;
        if (!plugin.admit) continue;
        const { onlyRefuses = false, keepsDefaults = onlyRefuses } = plugin;
        times.begin(admitted);
        const pending = plugin.admit(request);
        if (pending) await pending;
        times.passed();
        mayHaveChanged ||= !keepsDefaults;
        if (!mustAskAgain || isAgain) continue;
        // Once, as upstream: those before it get to see what it has changed.
        isAgain = true;
        at = -1;
      }
    } catch (error) {
      times.rejected();
      throw error;
    }
    times.allPassed();
    return mayHaveChanged;
  }

  /** The second phase. Throws the first refusal. */
  async validate(request: AdmissionRequest): Promise<void> {
    const { plugins, validated: all } = this.#askedAbout(request);
    const times = new PhaseTimes(all, this.#clock);
    try {
      for (const { plugin, validated } of plugins) {
        if (!plugin.validate) continue;
        times.begin(validated);
        const pending = plugin.validate(request);
        if (pending) await pending;
        times.passed();
      }
    } catch (error) {
      times.rejected();
      throw error;
    }
    times.allPassed();
  }

  /** Both phases, for what is not an object on its way to the store: deletions, streams, bindings and their like. */
  async pass(context: WriteContext, parts: AdmissionParts): Promise<void> {
    const settlement = new Settlement();
    try {
      await this.judge(context, parts, settlement);
    } finally {
      settlement.settle();
    }
  }

  /** The same, for whose caller settles, and stores what is to be stored with the write. */
  async judge(context: WriteContext, parts: AdmissionParts, settlement: Settlement): Promise<void> {
    const request = this.request(context, parts, settlement);
    await this.admit(request);
    await this.validate(request);
  }

  close(): void {
    for (const plugin of this.#plugins) plugin.close?.();
  }

  #askedAbout(request: AdmissionRequest): Asked {
    const { operation, resource, subresource } = request;
    const byPlace = this.#asked.get(resource) ?? new Map<string, Asked>();
    this.#asked.set(resource, byPlace);
    const place = `${operation} ${subresource}`;
    const known = byPlace.get(place);
    if (known) return known;
    const figures = this.#figures;
    const asked = {
      plugins: this.#plugins
        .filter(({ handles }) => isHandled(handles, request))
        .map((plugin) => ({
          plugin,
          admitted: figures.ofPlugin(plugin.name, 'admit', operation),
          validated: figures.ofPlugin(plugin.name, 'validate', operation),
        })),
      admitted: figures.ofStep('admit', operation),
      validated: figures.ofStep('validate', operation),
    };
    byPlace.set(place, asked);
    return asked;
  }
}

/** How a creation or a change is asked for (meta/v1 CreateOptions, UpdateOptions), as its query says. */
function writeOptionsOf(
  { operation, dryRun }: AdmissionParts,
  query: WriteContext['query'],
): TypeMeta | undefined {
  if (operation !== 'CREATE' && operation !== 'UPDATE') return undefined;
  const told = ['fieldManager', 'fieldValidation'].map((name) => [name, query?.text(name) ?? ''] as const);
  return {
    kind: operation === 'CREATE' ? 'CreateOptions' : 'UpdateOptions',
    apiVersion: 'meta.k8s.io/v1',
    ...(dryRun ? { dryRun: ['All'] } : {}),
    ...Object.fromEntries(told.filter(([, text]) => text !== '')),
  };
}
