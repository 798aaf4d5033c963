import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { StatusError } from '@wherry/kubeapi';
import { limits } from '../../limits.ts';
import type { Attributes, Authorizer } from '../authorizer.ts';
import { readAskedUser } from './asked-user.ts';
import { type Impersonated, type Mode, modes } from './modes.ts';
import { type Check, checkBy } from './rights.ts';

/** Lets those who have the right to it make requests as somebody else (upstream: apiserver pkg/endpoints/filters). */
export class Impersonation {
  readonly #check: Check;
  /** In which mode somebody did so last: the first to be tried, and the one whose refusal is told. The oldest goes. */
  readonly #lastModes = new Map<string, Mode>();

  constructor(authorizer: Authorizer) {
    this.#check = checkBy(authorizer);
  }

  /**
   * The user that a request's `Impersonate-*` headers ask to be, or undefined without them. `request` tells what its
   * own user wants to do. Rejects with 403 unless one of the modes allows it; 400 when there is no name.
   */
  async impersonated(
    { headersDistinct }: Pick<IncomingMessage, 'headersDistinct'>,
    request: () => Attributes,
  ): Promise<Impersonated | undefined> {
    const asked = readAskedUser(headersDistinct);
    if (!asked) return undefined;
    const attributes = request();
    const { user } = attributes;
    const key = createHash('sha256').update(user.name).digest('base64');
    const last = this.#lastModes.get(key);
    const inTurn = last ? [last, ...modes.filter((mode) => mode !== last)] : modes;
    let refused: StatusError | undefined;
    for (const mode of inTurn) {
      if (!mode.applies(asked, user)) continue;
      try {
        const taken = await mode.take(asked, attributes, this.#check);
        this.#remember(key, mode);
        return taken;
      } catch (error) {
        if (!(error instanceof StatusError)) throw error;
        refused ??= error;
      }
    }
    throw refused;
  }

  #remember(key: string, mode: Mode): void {
    this.#lastModes.delete(key);
    this.#lastModes.set(key, mode);
    const oldest = this.#lastModes.keys().next().value;
    if (oldest !== undefined && this.#lastModes.size > limits.impersonatorsMax)
      this.#lastModes.delete(oldest);
  }
}
