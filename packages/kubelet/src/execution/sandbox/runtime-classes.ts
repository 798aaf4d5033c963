import { type KubeClient, kinds } from '@wherry/client';
import type { RuntimeHandlerFeatures } from '@wherry/cri';
import type { AssignedPod } from '../../pod/assigned-pod.ts';
import type { RuntimeHealth } from '../../reporting/node/runtime-health.ts';

/** Which handler of the container runtime runs a pod, and what that handler can do. */
export class RuntimeClasses {
  readonly #client: KubeClient | undefined;
  readonly #health: RuntimeHealth;

  constructor(options: { client: KubeClient | undefined; health: RuntimeHealth }) {
    this.#client = options.client;
    this.#health = options.health;
  }

  /** '' is the runtime's own default. Throws StatusError, and where there is no API server to ask. */
  async handlerOf(pod: AssignedPod): Promise<string> {
    const name = pod.spec.runtimeClassName;
    if (!name) return '';
    if (!this.#client)
      throw new Error(`runtimeClassName "${name}" can not be looked up without an API server`);
    return (await this.#client.resource(kinds.runtimeClasses).get({ name })).handler;
  }

  /** Whether mounts can be made read-only all the way down. Throws as {@link handlerOf}. */
  async supportsRecursiveReadOnly(pod: AssignedPod): Promise<boolean> {
    return this.#featuresOf(await this.handlerOf(pod))?.recursiveReadOnlyMounts ?? false;
  }

  /** Throws, in upstream's words, where the pod asks for users of its own and can't have them; else as {@link handlerOf}. */
  async requireUserNamespaces(pod: AssignedPod): Promise<void> {
    if (pod.spec.hostUsers !== false) return;
    const handler = await this.handlerOf(pod);
    if (this.#featuresOf(handler)?.userNamespaces) return;
    const who = handler === '' ? 'runtime' : `RuntimeClass handler "${handler}"`;
    throw new Error(`can't set \`spec.hostUsers: false\`, ${who} does not support user namespaces`);
  }

  #featuresOf(handler: string): RuntimeHandlerFeatures | undefined {
    return this.#health.view.handlers.find(({ name }) => name === handler)?.features;
  }
}
