import { type ApiClient, type KubeObject, type ResourceType, readBody, resourcePath } from '@wherry/client';
import { limits } from '../limits.ts';
import { withoutManagedFields } from '../models/object.ts';
import { troubleOf } from '../models/outcome.ts';

/** Which object is read. */
export interface LiveObjectOptions {
  client: ApiClient;
  type: ResourceType;
  /** Empty for an object of the cluster. */
  namespace: string;
  name: string;
  changed: () => void;
}

/** One object as its server has it: what it says, and as text. Read anew for each version that it is told of. */
export class LiveObject {
  readonly #options: LiveObjectOptions;
  #version = '';
  #object: KubeObject | undefined;
  #yaml = '';
  #trouble: string | undefined;

  constructor(options: LiveObjectOptions) {
    this.#options = options;
  }

  /** Undefined until it has been read once. */
  get object(): KubeObject | undefined {
    return this.#object;
  }

  /** Without the lines about who manages which field. */
  get yaml(): string {
    return this.#yaml;
  }

  /** Why what is shown may be old. */
  get trouble(): string | undefined {
    return this.#trouble;
  }

  /** Reads it, unless it has been read at that version. */
  look(resourceVersion: string): void {
    if (resourceVersion === this.#version) return;
    this.#version = resourceVersion;
    this.#read(resourceVersion).catch((error) => {
      const { client, changed } = this.#options;
      this.#trouble = troubleOf(error);
      changed();
      // Whoever still looks then reads it again.
      client.clock.after(limits.retryMs, () => {
        if (this.#version === resourceVersion) this.#version = '';
        changed();
      });
    });
  }

  async #read(resourceVersion: string): Promise<void> {
    const { client, type, namespace, name, changed } = this.#options;
    const path = resourcePath(type, { namespace: namespace || undefined, name });
    const [object, answer] = await Promise.all([
      client.request<KubeObject>({ method: 'GET', path }),
      client.stream({ method: 'GET', path, headers: { accept: 'application/yaml' } }),
    ]);
    const yaml = new TextDecoder().decode(await readBody(answer, limits.objectBytesMax));
    if (resourceVersion !== this.#version) return;
    this.#object = object;
    this.#yaml = withoutManagedFields(yaml);
    this.#trouble = undefined;
    changed();
  }
}
