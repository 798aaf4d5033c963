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
}

/** Looks at writes; changes the object or throws a StatusError. */
export interface AdmissionPlugin {
  readonly name: string;
  admit(request: AdmissionRequest): void | Promise<void>;
}

/** Plug-ins in their order. */
export class AdmissionChain {
  readonly #plugins: readonly AdmissionPlugin[];

  constructor(plugins: readonly AdmissionPlugin[]) {
    this.#plugins = plugins;
  }

  /** Throws the first refusal. */
  async admit(request: AdmissionRequest): Promise<void> {
    for (const plugin of this.#plugins) {
      const pending = plugin.admit(request);
      if (pending) await pending;
    }
  }
}
