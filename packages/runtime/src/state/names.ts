import { RuntimeError } from '../errors.ts';

interface Reservation {
  id: string;
  /** Set while the object is being made: a repeated request joins it. */
  making: Promise<string> | undefined;
}

/**
 * Names that may exist once. A repeated request while the first is under way gets its result (a caller whose deadline
 * passed tries again, and must not find its own name taken); once made, the name is taken until released.
 */
export class Names {
  readonly #reservations = new Map<string, Reservation>();

  /** Marks a name as taken by an object that exists. */
  hold(name: string, id: string): void {
    this.#reservations.set(name, { id, making: undefined });
  }

  /** Frees a name; another object's name stays. */
  release(name: string, id: string): void {
    if (this.#reservations.get(name)?.id === id) this.#reservations.delete(name);
  }

  /**
   * Runs `make` with the name reserved and answers the id. When it fails the name is free again.
   * Throws `RuntimeError` ALREADY_EXISTS for a name that is taken.
   */
  create(name: string, id: string, make: () => Promise<void>): Promise<string> {
    const taken = this.#reservations.get(name);
    if (taken?.making) return taken.making;
    if (taken)
      throw new RuntimeError(
        'ALREADY_EXISTS',
        `name "${name}" belongs to ${taken.id} already; remove that first`,
      );
    const reservation: Reservation = { id, making: undefined };
    this.#reservations.set(name, reservation);
    reservation.making = make().then(
      () => {
        reservation.making = undefined;
        return id;
      },
      (error) => {
        this.release(name, id);
        throw error;
      },
    );
    return reservation.making;
  }
}
