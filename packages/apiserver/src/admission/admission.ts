import type { UserInfo } from '../authentication/identity.ts';
import type { ApiObject } from '../registry/api-object.ts';
import type { ServedResource } from '../registry/strategy.ts';

/** One write on its way to the store. */
export interface AdmissionRequest {
  operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';
  resource: ServedResource;
  /** '' for the resource itself. */
  subresource: string;
  namespace: string;
  /** '' while generateName has not made one. */
  name: string;
  /** What is to be written, or the options of a CONNECT; plug-ins may change it. Absent for DELETE. */
  object?: ApiObject | undefined;
  /** What is there, for UPDATE and DELETE. */
  previous?: ApiObject | undefined;
  user: UserInfo;
  dryRun: boolean;
  /** For the client, whatever becomes of the request; repeats are dropped. */
  warn(text: string): void;
  /** Called once when the write stands in the store, or never will. */
  onSettled(callback: () => void): void;
}

/** Looks at writes, in one or both of two phases; throws a StatusError to refuse. */
export interface AdmissionPlugin {
  readonly name: string;
  /** Sees what the client wants, and may change it. */
  admit?(request: AdmissionRequest): void | Promise<void>;
  /** Sees what will be stored, once the kind's own rules have been applied and checked; changes nothing. */
  validate?(request: AdmissionRequest): void | Promise<void>;
}

/** Plug-ins in their order. */
export class AdmissionChain {
  readonly #plugins: readonly AdmissionPlugin[];

  constructor(plugins: readonly AdmissionPlugin[]) {
    this.#plugins = plugins;
  }

  /** The first phase. Throws the first refusal. */
  async admit(request: AdmissionRequest): Promise<void> {
    for (const plugin of this.#plugins) {
      const pending = plugin.admit?.(request);
      if (pending) await pending;
    }
  }

  /** The second phase. Throws the first refusal. */
  async validate(request: AdmissionRequest): Promise<void> {
    for (const plugin of this.#plugins) {
      const pending = plugin.validate?.(request);
      if (pending) await pending;
    }
  }
}
