/** A node of `wherry up` on a machine of its own, whose address and ports are nobody else's, with images for Traefik. */
import { createImageClient, type ImageClient } from '@wherry/images';
import type { RunOptions } from '../../e2e/command.ts';
import { wherryEntry } from '../../e2e/node.ts';
import { buildImage, loadShell } from '../upstream/kubeadm-images.ts';
import { Machine, Wire } from '../upstream/kubeadm-machine.ts';
import { buildNetworkProgram } from './build.ts';

export const traefikImage = 'docker.io/traefik/traefik:latest';

/** A node, and kubectl on its machine. */
export class TraefikNode {
  readonly machine: Machine;
  readonly #wire: Wire;

  private constructor(machine: Machine, wire: Wire) {
    this.machine = machine;
    this.#wire = wire;
  }

  /** `echoes` are names that the Gateway API's echo server goes by. */
  static async start(echoes: readonly string[]): Promise<TraefikNode> {
    const wire = new Wire();
    await wire.lay();
    const machine = await Machine.start({ wire, name: 'upper', number: 1, kubeadm: 'kubeadm' });
    const node = new TraefikNode(machine, wire);
    try {
      await node.#wherry('up', '--detach');
      const { images } = node;
      await buildImage(images, traefikImage, {
        programs: { '/traefik': await buildNetworkProgram('traefik') },
        entrypoint: ['/traefik'],
      });
      const echo = await buildNetworkProgram('echo-basic');
      for (const name of echoes)
        await buildImage(images, name, { programs: { '/echo-basic': echo }, entrypoint: ['/echo-basic'] });
      await loadShell(images);
    } catch (error) {
      await node.remove();
      throw error;
    }
    return node;
  }

  get images(): ImageClient {
    return createImageClient(this.machine.at('node/runtime/images.sock'));
  }

  /** The machine's, where services of type LoadBalancer are. */
  get address(): string {
    return this.machine.address;
  }

  /** Of the machine on the other end of the wire, which is this one. */
  get clientAddress(): string {
    return this.#wire.address;
  }

  get kubeconfig(): string {
    return this.machine.at('node/kubeconfig');
  }

  kubectl(words: readonly string[], options: RunOptions = {}): Promise<string> {
    return this.machine.runOk(['kubectl', '--kubeconfig', this.kubeconfig, ...words], options);
  }

  apply(...objects: object[]): Promise<string> {
    const stdin = objects.map((each) => JSON.stringify(each)).join('\n');
    return this.kubectl(['apply', '-f', '-'], { stdin });
  }

  async remove(): Promise<void> {
    await this.#wherry('down', '--purge').catch(console.error);
    await this.machine.remove();
    await this.#wire.remove();
  }

  #wherry(...words: readonly string[]): Promise<string> {
    const command = [process.execPath, wherryEntry, ...words, '--data-dir', this.machine.at('node')];
    return this.machine.runOk(command, { timeoutMs: 90_000 });
  }
}
